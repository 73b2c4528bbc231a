// Whom the calendar files of a mail name: who opens one sees them, and answers go to them. Pure.
import { canonicalEmail } from "@app/shared/email-address";
import { normalForm } from "@app/shared/normal-form";
import { holdsCalendar } from "./neutral-calendar.ts";
import type { OutgoingAttachment } from "./senders/sender.service.ts";

const FOLD = /\r?\n[ \t]/g;
/** As a link, as the value of whoever invites or is invited, and as what stands beside a name (RFC 5545, RFC 7986). */
const NAMED = [
  /mailto:([^"';:,<>\s]{1,320})/gi,
  /^(?:ORGANIZER|ATTENDEE)[^\r\n]*:([^\s:]{1,320})$/gim,
  /;EMAIL="?([^"';:,\s]{1,320})/gi,
];

/** In their one form, each once. */
export function addressesInCalendars(attachments: readonly OutgoingAttachment[]): string[] {
  const texts = attachments.flatMap(({ content }) => (holdsCalendar(content) ? readable(content) : []));
  const written = texts.flatMap((text) => NAMED.flatMap((form) => [...text.matchAll(form)].map(([, one = ""]) => one)));
  return [...new Set(written.flatMap((one) => canonicalEmail(unescaped(one)) ?? []))];
}

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
