// Mails of the mailbox and mails of the outbox as one list, folded into conversations.
import type { ClientMail } from "@app/shared/inbox";
import type { CaseMail, CaseMailRow } from "@app/shared/mail";

export type Message =
  | { kind: "received"; id: string; at: string; mail: ClientMail }
  | { kind: "queued"; id: string; at: string; mail: CaseMailRow };

export interface Thread {
  id: string;
  /** The oldest first. */
  messages: Message[];
  newest: Message;
}

interface Source<Item> {
  items: readonly Item[];
  /** There are older ones that are not loaded. */
  hasOlder: boolean;
}

interface Sources {
  mailbox: Source<ClientMail>;
  outbox: Source<CaseMailRow>;
}

const atOf = ({ sentAt, createdAt }: CaseMail): string => sentAt ?? createdAt;
const idOf = ({ folder, uidValidity, uid }: ClientMail): string => `${folder}:${uidValidity}:${uid}`;

/**
 * One list of both. Only as far back as both are loaded: otherwise older ones would later appear between those that
 * were read already. A mail that stands in the outbox is not shown again as its copy in the mailbox.
 */
export function threadsOf({ mailbox, outbox }: Sources): Thread[] {
  const ids = new Set(outbox.items.map(({ id }) => id));
  const received = mailbox.items.filter(({ messageId }) => !ids.has(outboxIdIn(messageId)));
  const messages: Message[] = [
    ...received.map((mail): Message => ({ kind: "received", id: idOf(mail), at: mail.date, mail })),
    ...outbox.items.map((mail): Message => ({ kind: "queued", id: mail.id, at: atOf(mail), mail })),
  ];
  const floor = [
    mailbox.hasOlder ? (mailbox.items.at(-1)?.date ?? "") : "",
    outbox.hasOlder ? (outbox.items.map(atOf).toSorted()[0] ?? "") : "",
  ].reduce((a, b) => (a > b ? a : b));
  return folded(
    messages.filter(({ at }) => at >= floor),
    threadKeys(mailbox.items),
  );
}

/** The id of the outbox's mail in a Message-ID of ours: `<id@practice.example>`. */
const outboxIdIn = (messageId: string): string => /^<([^@>]*)@/.exec(messageId)?.[1] ?? "";

/** In which conversation a mail of the outbox stands: its copy in the mailbox knows, or an answer to it. */
function threadKeys(items: readonly ClientMail[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { messageId, inReplyTo, references, threadId } of items)
    for (const id of [messageId, inReplyTo, ...references]) keys.set(outboxIdIn(id), threadId);
  return keys;
}

function folded(messages: Message[], keys: Map<string, string>): Thread[] {
  const groups = new Map<string, Message[]>();
  for (const message of messages.toSorted((a, b) => a.at.localeCompare(b.at))) {
    const key = message.kind === "received" ? message.mail.threadId : (keys.get(message.id) ?? message.id);
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return [...groups]
    .flatMap(([id, group]): Thread[] => {
      const newest = group.at(-1);
      return newest ? [{ id, messages: group, newest }] : [];
    })
    .toSorted((a, b) => b.newest.at.localeCompare(a.newest.at));
}

/** The subject without what mail programs put before it. */
export const plainSubject = (subject: string): string => subject.replace(/^((re|fwd?|aw|wg)\s*:\s*)+/i, "").trim();

/** Of mails in the outbox, those in whose shown text these words stand; what is stored there is sealed and cannot be searched. */
export function matching(items: readonly CaseMailRow[], search: string): CaseMailRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ subject, text, to, toName }) => {
    const whole = `${subject} ${text} ${to} ${toName}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}
