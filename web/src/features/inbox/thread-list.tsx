import { UnstyledButton } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { cutText } from "@app/shared/cut-text";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { MailState } from "./mail-state.tsx";
import type { Message, Thread } from "./messages.ts";
import { plainSubject } from "./messages.ts";

interface Props {
  threads: readonly Thread[];
  chosenId: string | null;
  onChoose: (id: string) => void;
}

/** One line per conversation, the newest first. */
export function ThreadList({ threads, chosenId, onChoose }: Props) {
  return (
    <ul className="threads" aria-label="Conversations">
      {threads.map((thread) => (
        <li key={thread.id}>
          <UnstyledButton
            className="thread"
            aria-current={thread.id === chosenId || undefined}
            onClick={() => onChoose(thread.id)}
          >
            <ThreadLines thread={thread} />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

function ThreadLines({ thread: { messages, newest } }: { thread: Thread }) {
  const formats = useFormats();
  const { subject } = newest.mail;
  const isNew = newest.kind === "received" && !newest.mail.isSeen && !newest.mail.isFromUs;
  return (
    <>
      <span className="thread-head">
        <span className="thread-who" data-new={isNew || undefined}>
          {isNew && <span className="visually-hidden">New, </span>}
          {whoOf(newest)}
        </span>
        {messages.some(isDoubted) && <Chip tone="outline">Sender not confirmed</Chip>}
        {messages.length > 1 && <Chip>{messages.length}</Chip>}
        {messages.some(hasFiles) && <IconPaperclip size={14} stroke={1.7} aria-label="With attachments" />}
        <time className="tabular" dateTime={newest.at}>
          {formats.day(newest.at)}
        </time>
      </span>
      <span className="thread-subject">{plainSubject(subject) || "No subject"}</span>
      <span className="thread-preview">
        {newest.kind === "queued" && <MailState mail={newest.mail} />}
        <span>{newest.kind === "received" ? newest.mail.preview : cutText(newest.mail.text, 160)}</span>
      </span>
    </>
  );
}

function whoOf(message: Message): string {
  if (message.kind === "queued") return `To ${message.mail.toName || message.mail.to}`;
  const { from, to, isFromUs } = message.mail;
  if (isFromUs) return `To ${to.map(({ name, address }) => name || address).join(", ")}`;
  return from.name || from.address || "Nobody named";
}

const isDoubted = (message: Message): boolean => message.kind === "received" && message.mail.isSenderDoubted;

const hasFiles = ({ kind, mail }: Message): boolean =>
  kind === "received" ? mail.attachments.length > 0 : mail.attachmentNames.length > 0;
