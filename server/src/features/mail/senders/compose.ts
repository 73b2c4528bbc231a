import MailComposer, { type MailComposerOptions } from "nodemailer/lib/mail-composer";
import { visibleName } from "@app/shared/text";
import { z } from "zod";
import type { Asker } from "../../../core/fair-turns.ts";
import { defineForeign } from "../../../core/foreign.ts";
import { envelopeIdOf } from "./envelope-id.service.ts";
import { textOfHtml } from "./layout-text.ts";
import type { work } from "./layout-text.foreign.ts";
import { type OutgoingMail, SendError } from "./sender.service.ts";

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

// The editor writes no more; programs that send by our gateway may.
const LAYOUT_OF_OURS_MAX_LENGTH = 60_000;
const LIMIT_MS = 3000;

const textOfLayout = defineForeign<typeof work>({
  file: new URL("./layout-text.foreign.ts", import.meta.url),
  output: z.string(),
  limitMs: LIMIT_MS,
  refuse: () =>
    new SendError(
      "The layout of this mail is too deep or too large to be sent. Send it as plain text, or make it simpler.",
    ),
});

/** The mail as bytes, made once: what is submitted is what is kept in Sent. A large layout is read in this turn. */
export async function composeMail(from: Mailer, mail: OutgoingMail, asker: Asker): Promise<RawMail> {
  const isLarge = mail.isHtml && mail.text === undefined && mail.body.length > LAYOUT_OF_OURS_MAX_LENGTH;
  const complete = isLarge ? { ...mail, text: await textOfLayout(asker, mail.body) } : mail;
  return {
    envelope: envelopeOf(from, mail),
    envelopeId: envelopeIdOf(mail.messageId),
    bytes: await new MailComposer({ ...mailOptions(from, complete), newline: "win" }).compile().build(),
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
    ...(mail.isHtml ? { html: mail.body, text: mail.text ?? textOfHtml(mail.body) } : { text: mail.body }),
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
