import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";

/**
 * A letter to this address as somebody writes it: of no case, in answer to nothing, with nothing attached, and confirmed
 * to tell nothing of a mediation.
 */
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
  saysNothingTo: [
    address,
    ...(overrides.to ?? []).map((one) => one.address),
    ...(overrides.cc ?? []).map((one) => one.address),
  ],
  ...overrides,
});
