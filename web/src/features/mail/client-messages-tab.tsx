import { can } from "@app/shared/access";
import type { CaseMail } from "@app/shared/mail";
import { PAGE_SIZE } from "@app/shared/product";
import { Button, Group } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { IconMail } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import "./client-messages-tab.css";

const STATE_NAMES = {
  queued: "Waits to be sent",
  sending: "Being sent",
  sent: "Sent",
  failed: "Not sent",
  cancelled: "Cancelled",
} as const;

interface Props {
  clientId: string;
  page: number;
  onPage: (page: number) => void;
}

/** The mails to this client with their state; one that did not leave can be tried again or stopped. */
export function ClientMessagesTab({ clientId, page, onPage }: Props) {
  const mails = api.mail.list.useQuery({ clientId, page }, { placeholderData: keepPreviousData });
  return (
    <Section title="Messages" count={mails.data?.total || undefined}>
      <Loaded query={mails} failureTitle="The messages could not be read">
        {({ items, total, isTotalExact }) =>
          items.length === 0 ? (
            <EmptyState order={3} icon={<IconMail size={24} stroke={1.7} />} title="No messages yet">
              Invitations, reminders and letters to this client stand here with what became of them.
            </EmptyState>
          ) : (
            <>
              <ul className="messages">
                {items.map((mail) => (
                  <Message key={mail.id} mail={mail} />
                ))}
              </ul>
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={total}
                isTotalExact={isTotalExact}
                words={["message", "messages"]}
                onPage={onPage}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Message({ mail }: { mail: CaseMail }) {
  const formats = useFormats();
  const user = useCurrentUser();
  const utils = api.useUtils();
  const options = { onSettled: () => utils.mail.list.invalidate() };
  const retry = api.mail.retry.useMutation(options);
  const cancel = api.mail.cancel.useMutation(options);
  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work;
      notify(done);
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  const isWaiting = mail.state === "queued" || mail.state === "failed";
  return (
    <li>
      <details>
        <summary>
          <span className="message-subject">{mail.subject}</span>
          <Chip tone={mail.state === "failed" ? "late" : mail.state === "sent" ? "plain" : "outline"}>
            {STATE_NAMES[mail.state]}
          </Chip>
          <time className="tabular" dateTime={mail.createdAt}>
            {formats.dateTime(mail.sentAt ?? mail.createdAt)}
          </time>
        </summary>
        <div className="message-to">
          To {mail.toName} ({mail.to}){mail.attachmentNames.length > 0 && `, with ${mail.attachmentNames.join(", ")}`}
        </div>
        <pre className="message-text">{mail.text}</pre>
      </details>
      {mail.reason && <div className="message-reason">{mail.reason}</div>}
      {isWaiting && can(user, "mail.send") && (
        <Group gap="xs" pb="xs">
          {mail.state === "failed" && (
            <Button
              size="xs"
              variant="default"
              loading={retry.isPending}
              onClick={() => void act(retry.mutateAsync({ id: mail.id }), "It will be sent again")}
            >
              Try again
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => void act(cancel.mutateAsync({ id: mail.id }), "It will not be sent")}
          >
            Do not send
          </Button>
        </Group>
      )}
    </li>
  );
}
