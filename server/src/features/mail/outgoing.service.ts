// From what a caller asks for to what a sender takes: addresses checked, attachments decoded, nothing that breaks a line.
import type { EmailPayload } from "@app/shared/mail-payload";
import { badField } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { attachmentsOf } from "./attachments.service.ts";
import type { Letter } from "./outgoing-gate.service.ts";
import { recipientsOf, requiredRecipientsOf } from "./recipients.service.ts";
import type { CalendarPart, OutgoingAttachment, OutgoingMail } from "./senders/sender.service.ts";
import { senderDomain } from "./sender-address.service.ts";

const LINE_BREAKS = /[\r\n\0\u0085\u2028\u2029]/;

export interface SendMail {
  /** In whose name, and so by whose mailbox. */
  userId: string;
  payload: EmailPayload;
  isFallbackForced?: boolean;
  /** The same for every try of one mail. */
  messageId?: string;
  headers?: Record<string, string>;
  calendar?: CalendarPart | null;
  /** The practice's name where left out. */
  fromName?: string;
  /** Files with a type of their own, after those of the payload. */
  files?: OutgoingAttachment[];
  /** Whose letter it is, as the gate has to know; nobody's in particular where left out. */
  about?: Omit<Letter, "mail" | "senderName"> & Partial<Pick<Letter, "senderName">>;
}

/** Throws BAD_REQUEST naming the field where the mail cannot be sent as it is. */
export async function outgoingOf({ userId, payload, ...rest }: SendMail): Promise<OutgoingMail> {
  const { headers = {}, files = [], calendar = null } = rest;
  const mail: OutgoingMail = {
    fromName: rest.fromName ?? (await practiceNameOfUser(userId)),
    to: requiredRecipientsOf(payload.to_email),
    toName: payload.to_name,
    cc: recipientsOf("cc", payload.cc ?? ""),
    subject: payload.subject,
    body: payload.message,
    isHtml: payload.isHtml,
    attachments: [...attachmentsOf(payload), ...files],
    messageId: rest.messageId ?? `<${newId()}@${senderDomain()}>`,
    headers,
    calendar,
  };
  refuseLineBreaks(mail);
  return mail;
}

async function practiceNameOfUser(userId: string): Promise<string> {
  const user = await findIdentityUser(userId);
  return practiceNameOf(user?.owner_id ?? userId);
}

/** Throws BAD_REQUEST where a line of the mail could end early and begin another. */
export function refuseLineBreaks({ fromName, toName, subject, messageId, headers, attachments }: OutgoingMail): void {
  const lines = {
    subject: [subject],
    to_name: [toName],
    filename: attachments.flatMap(({ name, mime }) => [name, mime]),
    from: [fromName],
    headers: [messageId, ...Object.entries(headers).flat()],
  };
  for (const [field, texts] of Object.entries(lines)) {
    if (texts.some((text) => LINE_BREAKS.test(text))) throw badField(field, "Write this in one line.");
  }
}
