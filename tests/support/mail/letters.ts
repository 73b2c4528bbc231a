import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";

/** A letter to this address as somebody writes it: of no case, in answer to nothing, with nothing attached. */
export const aLetterTo = (address: string, overrides: Partial<MailDraft> & Pick<MailDraft, "clientId">): MailDraft => ({
  caseId: null,
  to: [{ name: "", address }],
  cc: [],
  subject: "Your papers",
  body: richTextOf("Here are your papers"),
  fileIds: [],
  meetingId: null,
  inReplyTo: "",
  references: [],
  ...overrides,
});
