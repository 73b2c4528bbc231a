// Whom the calendar files of a mail name: who opens one sees them, and answers go to them. Pure.
import { canonicalEmail } from "@app/shared/email-address";
import { RECIPIENTS_MAX } from "@app/shared/text";
import { normalForm } from "@app/shared/normal-form";
import { badField } from "../../core/errors.ts";
import { holdsCalendar } from "./neutral-calendar.ts";
import type { OutgoingAttachment } from "./senders/sender.service.ts";

const ALL_MAX_BYTES = 1024 * 1024;
const FOLD = /\r?\n[ \t]/g;
/** As a link, as the value of whoever invites or is invited, and as what stands beside a name (RFC 5545, RFC 7986). */
const NAMED = [
  /mailto:([^"';:,<>\s]{1,320})/gi,
  /^(?:ORGANIZER|ATTENDEE)[^\r\n]*:([^\s:]{1,320})$/gim,
  /;EMAIL="?([^"';:,\s]{1,320})/gi,
];

/** In their one form, each once. Throws BAD_REQUEST where there is too much to look through. */
export function addressesInCalendars(attachments: readonly OutgoingAttachment[]): string[] {
  const files = attachments.map(({ content }) => content).filter(holdsCalendar);
  const written = new Set<string>();
  if (files.reduce((sum, { length }) => sum + length, 0) > ALL_MAX_BYTES) throw tooMuch();
  for (const text of files.map(readable))
    for (const form of NAMED) for (const [, one = ""] of text.matchAll(form)) written.add(one);
  if (written.size > RECIPIENTS_MAX) throw tooMuch();
  return [...new Set([...written].flatMap((one) => canonicalEmail(unescaped(one)) ?? []))];
}

const tooMuch = () =>
  badField(
    "attachments",
    `The calendar files of one mail are at most 1 MB, and name at most ${RECIPIENTS_MAX} addresses. Export a shorter time, or fewer events.`,
  );

/** Without what only some encodings write between the signs. */
const readable = (content: Buffer): string =>
  normalForm(content.toString("utf8").replaceAll("\0", "").replace(FOLD, ""), "NFKC");

function unescaped(address: string): string {
  const [before = ""] = address.split("?", 1);
  try {
    return decodeURIComponent(before);
  } catch {
    return before;
  }
}
