import { convert } from "html-to-text";
import MailComposer, { type MailComposerOptions } from "nodemailer/lib/mail-composer";
import { visibleName } from "@app/shared/text";
import { envelopeIdOf } from "./envelope-id.ts";
import type { OutgoingMail } from "./sender.ts";

export interface Mailer {
  name: string;
  address: string;
}

export interface RawMail {
  envelope: { from: string; to: string[] };
  /** What a server that can will say in a report of this mail, and no recipient reads in it. */
  envelopeId: string;
  bytes: Buffer;
}

const TEXT_WIDTH = 78;

/** The mail as bytes, made once: what is submitted is what is kept in Sent. */
export async function composeMail(from: Mailer, mail: OutgoingMail): Promise<RawMail> {
  return {
    envelope: envelopeOf(from, mail),
    envelopeId: envelopeIdOf(mail.messageId),
    bytes: await new MailComposer({ ...mailOptions(from, mail), newline: "win" }).compile().build(),
  };
}

/** Each address once. */
export const envelopeOf = (from: Mailer, { to, cc }: OutgoingMail): RawMail["envelope"] => ({
  from: from.address,
  to: [...new Set([...to, ...cc])],
});

/** The mail in the words of nodemailer. */
export function mailOptions(from: Mailer, mail: OutgoingMail): MailComposerOptions {
  const [only = "", ...others] = mail.to;
  return {
    from,
    to: others.length === 0 ? { name: mail.toName, address: only } : mail.to.map((address) => ({ name: "", address })),
    cc: mail.cc.map((address) => ({ name: "", address })),
    subject: mail.subject,
    messageId: mail.messageId,
    headers: mail.headers,
    ...(mail.isHtml ? { html: mail.body, text: mail.text ?? textOf(mail.body) } : { text: mail.body }),
    attachments: mail.attachments.map(({ name, mime, content }) => ({
      filename: visibleName(name),
      contentType: mime,
      content,
    })),
    ...(mail.calendar
      ? { icalEvent: { method: mail.calendar.method, content: mail.calendar.content, filename: "invite.ics" } }
      : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** For whoever reads mail without its looks. */
const textOf = (html: string): string => convert(html, { wordwrap: TEXT_WIDTH });
