import { Readable } from "node:stream";
import MailComposer, { type MailComposerOptions } from "nodemailer/lib/mail-composer";
import { visibleName } from "@app/shared/text";
import { z } from "zod";
import type { Asker } from "../../../core/fair-turns.ts";
import { defineForeign } from "../../../core/foreign.ts";
import { inPieces } from "../../../core/slices.ts";
import { envelopeIdOf } from "./envelope-id.service.ts";
import { textOfHtml } from "./layout-text.ts";
import type { work } from "./layout-text.foreign.ts";
import { type CalendarPart, type OutgoingAttachment, type OutgoingMail, SendError } from "./sender.service.ts";

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
/** More is put into letters piece by piece: in one piece it keeps everybody waiting. */
const LARGE_BYTES = 512 * 1024;

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
  const { calendar, files } = calendarApart(mail);
  return {
    from,
    to: others.length === 0 ? { name: mail.toName, address: only } : mail.to.map((address) => ({ name: "", address })),
    cc: mail.cc.map((address) => ({ name: "", address })),
    subject: mail.subject,
    messageId: mail.messageId,
    headers: mail.headers,
    ...(mail.isHtml ? { html: mail.body, text: mail.text ?? textOfHtml(mail.body) } : { text: mail.body }),
    attachments: files.map(({ name, mime, content }) => ({
      filename: visibleName(name),
      contentType: mime,
      content: content.length > LARGE_BYTES ? Readable.from(inPieces(content)) : content,
    })),
    ...(calendar ? { icalEvent: { method: calendar.method, content: calendar.content, filename: "invite.ics" } } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const ENTRY = /^text\/calendar\b.*;\s*method="?(REQUEST|CANCEL|PUBLISH)"?\s*(;|$)/i;

/** A calendar entry that came as a file, as the payload of a gateway call has it, is one that people can answer. */
function calendarApart({ calendar, attachments }: OutgoingMail): {
  calendar: CalendarPart | null;
  files: OutgoingAttachment[];
} {
  const entry = calendar ? undefined : attachments.find(({ mime }) => ENTRY.test(mime));
  if (!entry) return { calendar, files: attachments };
  const said = ENTRY.exec(entry.mime)?.[1]?.toUpperCase();
  const method = said === "CANCEL" || said === "PUBLISH" ? said : "REQUEST";
  return {
    calendar: { method, content: entry.content.toString() },
    files: attachments.filter((file) => file !== entry),
  };
}
