import type { Case } from "@app/shared/cases";
import { Title, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../core/format.ts";
import { type Message, plainSubject, type Thread } from "./messages.ts";
import { QueuedMessage } from "./queued-message.tsx";
import { ReceivedMessage } from "./received-message.tsx";

interface Props {
  clientId: string;
  theCase: Case | null;
  thread: Thread;
  /** At the top: the way back to the list on a phone. */
  back?: ReactNode;
}

/** A conversation, the newest mail opened and first. */
export function ThreadPane({ clientId, theCase, thread, back }: Props) {
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const toggle = (id: string) =>
    setToggled(toggled.includes(id) ? toggled.filter((known) => known !== id) : [...toggled, id]);
  return (
    <article className="thread-pane" aria-label={plainSubject(thread.newest.mail.subject) || "No subject"}>
      {back}
      <Title order={3} className="thread-title">
        {plainSubject(thread.newest.mail.subject) || "No subject"}
      </Title>
      {thread.messages.toReversed().map((message) => {
        const isOpen = (message === thread.newest) !== toggled.includes(message.id);
        return (
          <section key={message.id} className="message">
            <Head message={message} isOpen={isOpen} onToggle={() => toggle(message.id)} />
            {isOpen && (
              <div className="message-body">
                {message.kind === "received" ? (
                  <ReceivedMessage clientId={clientId} theCase={theCase} mail={message.mail} />
                ) : (
                  <QueuedMessage mail={message.mail} />
                )}
              </div>
            )}
          </section>
        );
      })}
    </article>
  );
}

interface HeadProps {
  message: Message;
  isOpen: boolean;
  onToggle: () => void;
}

function Head({ message, isOpen, onToggle }: HeadProps) {
  const formats = useFormats();
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <UnstyledButton className="message-head" aria-expanded={isOpen} onClick={onToggle}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <span className="message-who">{writerOf(message)}</span>
      <time className="tabular" dateTime={message.at}>
        {formats.dateTime(message.at)}
      </time>
    </UnstyledButton>
  );
}

function writerOf(message: Message): string {
  if (message.kind === "queued") return `To ${message.mail.toName || message.mail.to}`;
  const { from, isFromUs } = message.mail;
  if (isFromUs) return `${from.name || from.address} (this mailbox)`;
  return from.name || from.address || "Nobody named";
}
