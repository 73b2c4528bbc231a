import type { MailDraft, MailStart } from "@app/shared/mail-check";
import { EMPTY_RICH_TEXT, type RichText, richTextOf } from "@app/shared/rich-text";

/** What a message is begun with: for a client, or as an answer to one. */
export interface ComposeStart {
  clientId: string;
  caseId: string | null;
  to?: string;
  subject?: string;
  /** The words that are answered. */
  quoted?: string;
  inReplyTo?: string;
  references?: string[];
  fileIds?: string[];
  /** It asks its party to take part, with these words to begin with. */
  invitation?: Pick<MailDraft, "subject" | "body">;
}

/** What was written before; an answer, or somebody's first message, begins anew. */
export function begunBefore(start: ComposeStart, { draft }: MailStart): MailStart["draft"] {
  const isNew = Boolean(
    start.to ?? start.subject ?? start.quoted ?? start.inReplyTo ?? start.fileIds ?? start.invitation,
  );
  if (isNew || !draft) return null;
  // What was confirmed of it then is confirmed anew.
  return { ...draft, content: { ...draft.content, saysNothingTo: [] } };
}

export function draftFor(start: ComposeStart, { choices }: MailStart): MailDraft {
  // Whoever has no address is written to in another way: nobody else gets it in their place.
  const first = choices.find(({ role, isOtherParty }) => role === "" && !isOtherParty);
  const known = choices.find(({ address }) => address === start.to);
  const to = start.to ? { name: known?.name ?? "", address: start.to } : first;
  return {
    clientId: start.clientId,
    caseId: start.caseId,
    to: to ? [{ name: to.name, address: to.address }] : [],
    cc: [],
    subject: start.subject ?? start.invitation?.subject ?? "",
    body: start.quoted ? answering(start.quoted) : (start.invitation?.body ?? EMPTY_RICH_TEXT),
    fileIds: start.fileIds ?? [],
    meetingId: null,
    inReplyTo: start.inReplyTo ?? "",
    references: start.references ?? [],
    ...(start.invitation ? { isInvitation: true } : {}),
  };
}

const answering = (quoted: string): RichText => ({
  type: "doc",
  content: [
    { type: "paragraph" },
    { type: "paragraph" },
    { type: "blockquote", content: richTextOf(quoted).content ?? [] },
  ],
});
