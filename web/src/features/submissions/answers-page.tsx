import { can } from "@app/shared/access";
import { SENT_STATUSES, SUBMISSION_STATUS_NAMES } from "@app/shared/submission-states";
import { Group, NativeSelect, TextInput } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { ExportButton } from "../../core/list-page.tsx";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { type AnswersSearch, parseAnswersSearch } from "./answers-search.ts";
import { AnswersTable } from "./answers-table.tsx";
import { SubmissionDialog } from "./submission-dialog.tsx";
import "./submissions.css";

/** In place of a form: the answers to every one. */
const ALL_FORMS = "all";

interface Props {
  search: AnswersSearch & { answers: string };
}

/** Everybody's answers to one form; what looks like spam stands apart. */
export function AnswersPage({ search }: Props) {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const { answers: formId, page = 1, status, from, until, spam, oldest, open } = search;
  const go = (changes: Record<string, unknown>) =>
    void navigate({ to: "/settings/forms", search: parseAnswersSearch({ ...search, ...changes }), replace: true });
  const known = SENT_STATUSES.find((one) => one === status);
  const isOfAll = formId === ALL_FORMS;
  const filter = {
    ...(isOfAll ? {} : { formId }),
    isSuspect: spam === true,
    ...(known ? { status: known } : {}),
    ...(from ? { from } : {}),
    ...(until ? { until } : {}),
  };
  const query = api.submissions.list.useQuery(
    { ...filter, page, isOldestFirst: oldest === true },
    { placeholderData: keepPreviousData },
  );
  const asked = new URLSearchParams({ ...filter, isSuspect: String(filter.isSuspect) }).toString();
  const exports = !isOfAll && (
    <Group gap="xs">
      <ExportButton address={`/export/form-answers.csv?${asked}`} />
      <ExportButton address={`/export/form-answers.xlsx?${asked}`} kind="Excel" />
    </Group>
  );
  const form = api.forms.get.useQuery({ id: formId }, { enabled: !isOfAll });
  const waiting = api.submissions.countNew.useQuery({ formIds: [formId] }, { enabled: !isOfAll, staleTime: 0 });
  const name = form.data?.name ?? query.data?.items[0]?.formName;
  const title = isOfAll ? "Answers to all forms" : name ? `Answers: ${name}` : "Answers";
  useTitle(title);
  return (
    <>
      <PageHead title={title} actions={exports} breadcrumb={<TextLink to="/settings/forms">Forms</TextLink>} />
      <Filters
        search={search}
        suspects={waiting.data?.items[0]?.suspect ?? 0}
        onFilter={(changes) => go({ ...changes, page: undefined })}
      />
      <LoadedPage
        query={query}
        failureTitle="The answers could not be read"
        page={page}
        words={["answer", "answers"]}
        onPage={(next) => go({ page: next })}
        empty={
          <EmptyState icon={<IconInbox size={24} stroke={1.7} />} title="Nothing here">
            {isOfAll
              ? "You will see what people answered here once they have sent in a form."
              : "You will see the answers to this form here once people have sent it in."}
          </EmptyState>
        }
      >
        {(items) => (
          <AnswersTable
            rows={items}
            columns={query.data?.columns ?? []}
            isFormNamed={isOfAll}
            isOldestFirst={oldest === true}
            onOrder={(isOldestFirst) => go({ oldest: isOldestFirst ? true : undefined, page: undefined })}
            onOpen={(id) => go({ open: id })}
          />
        )}
      </LoadedPage>
      {open && (
        <SubmissionDialog id={open} mayChange={can(user, "clients.write")} onClose={() => go({ open: undefined })} />
      )}
    </>
  );
}

interface FiltersProps {
  search: AnswersSearch;
  /** How many look like spam, and were not looked at yet. */
  suspects: number;
  onFilter: (changes: Record<string, unknown>) => void;
}

function Filters({ search: { status, from, until, spam }, suspects, onFilter }: FiltersProps) {
  return (
    <Group gap="sm" align="flex-end" my="sm">
      <NativeSelect
        label="Status"
        value={status ?? ""}
        data={[
          { value: "", label: "All that were sent in" },
          ...SENT_STATUSES.map((one) => ({
            value: one,
            label: SUBMISSION_STATUS_NAMES[one],
          })),
        ]}
        onChange={({ currentTarget }) => onFilter({ status: currentTarget.value || undefined })}
      />
      <NativeSelect
        label="Which"
        value={spam ? "spam" : ""}
        data={[
          { value: "", label: "Answers" },
          { value: "spam", label: suspects > 0 ? `Spam? (${suspects})` : "Spam?" },
        ]}
        onChange={({ currentTarget }) => onFilter({ spam: currentTarget.value === "spam" ? true : undefined })}
      />
      <TextInput
        type="date"
        label="From"
        value={from ?? ""}
        onChange={({ currentTarget }) => onFilter({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="Until"
        value={until ?? ""}
        onChange={({ currentTarget }) => onFilter({ until: currentTarget.value || undefined })}
      />
    </Group>
  );
}
