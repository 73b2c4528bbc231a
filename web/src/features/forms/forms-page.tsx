import type { FormRow } from "@app/shared/forms";
import { Button } from "@mantine/core";
import { IconForms, IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { ListPage, useListPlace } from "../../core/list-page.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { later } from "../../ui/later.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { formColumns, FormPhoneRow } from "./form-columns.tsx";
import { FormMenu } from "./form-menu.tsx";
import { FormsFilterBar } from "./forms-filter-bar.tsx";
import { formsInput, type FormsSearch, parseFormsSearch } from "./forms-search.ts";
import { useNewAnswers } from "./new-answers.ts";
import { NewFormDialog } from "./new-form-dialog.tsx";
import "./forms.css";

const ShareFormDialog = later(async () => (await import("./share-form-dialog.tsx")).ShareFormDialog);

export function FormsPage({ search }: { search: FormsSearch }) {
  const formats = useFormats();
  const navigate = useNavigate();
  const { add, share, ...list } = search;
  const place = useListPlace({
    search: list,
    parse: parseFormsSearch,
    onChange: (next) => void navigate({ to: "/settings/forms", search: next, replace: true }),
  });
  const query = api.forms.list.useQuery(formsInput(list), { placeholderData: keepPreviousData });
  const data = query.data && { ...query.data, items: query.data.items.map(named) };
  const answers = useNewAnswers((query.data?.items ?? []).map(({ id }) => id));
  const hidden = new Set(search.hide);
  const close = () => void navigate({ to: "/settings/forms", search: list });
  const tools = (form: FormRow) => <FormMenu form={form} answers={answers} />;
  return (
    <>
      <ListPage
        title="Forms"
        words={["form", "forms"]}
        place={place}
        query={{ ...query, data }}
        sortedBy="name"
        columns={formColumns({ formats, answers, tools }).filter(({ key }) => !hidden.has(key))}
        onOpen={({ id }) => void navigate({ to: "/settings/forms/create/$id", params: { id } })}
        phoneRow={(form) => <FormPhoneRow form={form} answers={answers} tools={tools(form)} />}
        empty={<NoForms search={list} onClear={place.clear} />}
        actions={
          <>
            {answers && (
              <LinkButton to="/settings/forms" search={{ answers: "all" }} variant="default">
                All answers
              </LinkButton>
            )}
            <LinkButton
              to="/settings/forms"
              search={{ ...list, add: true }}
              leftSection={<IconPlus size={16} stroke={1.7} aria-hidden />}
            >
              New form
            </LinkButton>
          </>
        }
        filterBar={<FormsFilterBar place={place} />}
      />
      {share && <ShareFormDialog formId={share} onClose={close} />}
      {add && <NewFormDialog onClose={close} />}
    </>
  );
}

const named = (form: FormRow) => ({ ...form, displayName: form.name });

function NoForms({ search, onClear }: { search: FormsSearch; onClear: () => void }) {
  const icon = <IconForms size={24} stroke={1.7} />;
  const showAll = (
    <Button variant="default" onClick={onClear}>
      Show all forms
    </Button>
  );
  if (search.search || search.kind || search.page)
    return (
      <EmptyState icon={icon} title="No form matches this" actions={showAll}>
        Check the spelling, or take a filter away.
      </EmptyState>
    );
  if (search.status === "archived")
    return (
      <EmptyState icon={icon} title="No form is in the archive" actions={showAll}>
        Forms you archive are kept here with their answers, and can be brought back.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title="No forms yet"
      actions={
        <LinkButton to="/settings/forms" search={{ add: true }}>
          Make your first form
        </LinkButton>
      }
    >
      Questionnaires that people fill in on their own device. Begin with one that is ready, such as the MIAM intake, and
      change what you like.
    </EmptyState>
  );
}
