import { can } from "@app/shared/access";
import type { MailingRow } from "@app/shared/mailings";
import { Button } from "@mantine/core";
import { IconMailForward } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { useCurrentUser } from "../../core/session.ts";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";
import { MailingView } from "./mailing-view.tsx";
import { STATE_NAMES } from "./mailing-words.ts";
import { NewMailingDialog } from "./new-mailing-dialog.tsx";
import { SuppressionsSection } from "../suppressions/suppressions-section.tsx";
import "./mailings.css";

const openOf = ({ id }: MailingRow) => ({ tab: "mailings", mailing: id }) as const;

interface Props {
  /** The mailing that is looked at; none for all of them. */
  mailing: string | undefined;
  page: number;
}

/** Mail to many: what was sent, what is under way, and who gets none. */
export function MailingsTab({ mailing, page }: Props) {
  const navigate = useNavigate();
  const mayRead = can(useCurrentUser(), "clients.read");
  if (mailing)
    return (
      <MailingView
        id={mailing}
        page={page}
        onPage={(next) => void navigate({ to: "/email-settings", search: { tab: "mailings", mailing, page: next } })}
      />
    );
  return (
    <>
      <MailingList page={page} />
      {mayRead && <SuppressionsSection />}
    </>
  );
}

const POLL_MS = 2000;

function MailingList({ page }: { page: number }) {
  const navigate = useNavigate();
  const formats = useFormats();
  const [isWriting, setIsWriting] = useState(false);
  const list = api.mailings.list.useQuery(
    { page },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.items.some((one) => one.state === "sending") ? POLL_MS : false),
    },
  );
  const isEmpty = list.data?.items.length === 0 && page === 1;
  const write = <Button onClick={() => setIsWriting(true)}>Write to many</Button>;
  return (
    <Section title="Mailings" action={!isEmpty && write}>
      <PagedTable
        label="Mailings"
        columns={columnsOf(formats)}
        list={list.data}
        page={page}
        words={["mailing", "mailings"]}
        onPage={(next) => void navigate({ to: "/email-settings", search: { tab: "mailings", page: next } })}
        rowKey={({ id }) => id}
        rowName={({ subject }) => subject}
        onOpen={(row) => void navigate({ to: "/email-settings", search: openOf(row) })}
        failure={listFailure(list)}
        empty={
          <EmptyState
            icon={<IconMailForward size={24} stroke={1.7} />}
            title="Nothing was sent to many yet"
            order={3}
            actions={write}
          >
            A new address, closing days, a change of fees: everybody gets a mail of their own, and nobody sees who else
            got it.
          </EmptyState>
        }
        phoneRow={(row) => (
          <>
            <TextLink to="/email-settings" search={openOf(row)}>
              {row.subject}
            </TextLink>
            <div className="quiet-text">
              {STATE_NAMES[row.state]}, {row.counts.sent} of {row.counts.total}, {formats.day(row.createdAt)}
            </div>
          </>
        )}
      />
      {isWriting && <NewMailingDialog onClose={() => setIsWriting(false)} />}
    </Section>
  );
}

const columnsOf = (formats: ReturnType<typeof useFormats>): Column<MailingRow>[] => [
  {
    key: "subject",
    header: "Subject",
    cell: (row) => (
      <TextLink to="/email-settings" search={openOf(row)}>
        {row.subject}
      </TextLink>
    ),
  },
  { key: "state", header: "State", width: 140, cell: ({ state }) => STATE_NAMES[state] },
  {
    key: "sent",
    header: "Sent",
    width: 130,
    align: "right",
    isTabular: true,
    cell: ({ counts }) => `${formats.number(counts.sent)} of ${formats.number(counts.total)}`,
  },
  { key: "by", header: "By", width: 160, cell: ({ createdByName }) => createdByName },
  { key: "at", header: "Written", width: 170, isTabular: true, cell: ({ createdAt }) => formats.dateTime(createdAt) },
];
