import type { UnsentMail as Mail } from "@app/shared/mail";
import { Anchor } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import type { Column } from "../../ui/data-table.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";
import { UnsentMailDialog } from "./unsent-mail-dialog.tsx";

interface Props {
  page: number;
  isMailConfigured: boolean;
}

/** Messages of the system itself that did not leave. The owner can pass on the invitations that they made. */
export function UnsentMail({ page, isMailConfigured }: Props) {
  const formats = useFormats();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Mail | null>(null);
  const mails = api.mail.listUnsent.useQuery({ page });
  const mailbox = api.mailboxes.get.useQuery();
  const none = noneText({ isMailConfigured, hasMailbox: mailbox.data?.connected?.isActive ?? false });
  const subjectOf = (mail: Mail) => (
    <Anchor component="button" type="button" onClick={() => setOpen(mail)}>
      {mail.subject}
    </Anchor>
  );
  const columns: readonly Column<Mail>[] = [
    { key: "subject", header: "Subject", cell: subjectOf },
    { key: "to", header: "To", cell: (mail) => mail.to, width: 240 },
    { key: "reason", header: "Why it was not sent", cell: (mail) => mail.reason },
    {
      key: "createdAt",
      header: "Written",
      cell: (mail) => formats.dateTime(mail.createdAt),
      width: 150,
      isTabular: true,
    },
  ];
  return (
    <Section title="Messages that could not be sent" count={mails.data?.total || undefined}>
      <PagedTable
        label="Messages that could not be sent"
        columns={columns}
        list={mails.data}
        page={page}
        words={["message", "messages"]}
        onPage={(next) =>
          void navigate({ to: "/email-settings", search: { tab: "unsent", ...(next > 1 ? { page: next } : {}) } })
        }
        rowKey={(mail) => mail.id}
        rowName={(mail) => mail.subject}
        onOpen={setOpen}
        failure={listFailure(mails)}
        empty={<p className="quiet-text">{none}</p>}
        phoneRow={(mail) => (
          <>
            {subjectOf(mail)}
            <br />
            {mail.to}
          </>
        )}
      />
      {open && <UnsentMailDialog mail={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

/** By the owner's mailbox leaves only what is for the owner: the page says what leaves, and what waits here. */
function noneText({ isMailConfigured, hasMailbox }: { isMailConfigured: boolean; hasMailbox: boolean }): string {
  if (isMailConfigured)
    return "There are none. Messages of the system, such as a link for a new password, go out by this installation’s mail server.";
  const yours = hasMailbox
    ? "Messages of the system for you go out by your mailbox, as long as nobody else may read it. "
    : "";
  return `There are none yet. This installation has no mail server of its own. ${yours}Others will wait here: your invitations with their link, for you to pass on, and all else without one.`;
}
