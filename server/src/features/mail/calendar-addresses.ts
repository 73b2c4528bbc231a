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

/** Wherever else in it, as people and programs write one; who stands on another side is looked for among them. */
const MENTIONED = /[\p{L}\p{N}][\p{L}\p{N}._+'%-]{0,63}@[\p{L}\p{N}.-]{0,254}[\p{L}\p{N}]/gu;
const MENTIONED_MAX = 5000;
/** As texts of a calendar are written (RFC 5545, 3.3.11), and what some programs write in place of the sign. */
const LINE_ENDS = /\\n/gi;
const WRITTEN_AT = /\\@|%40|=40|&#64;|&#x40;|&commat;/gi;
const UNSEEN = /\p{Cf}/gu;

interface Named {
  /** Who is invited or invites. */
  people: string[];
  /** Whoever else stands there in some way. */
  mentioned: string[];
}

/** In their one form, each once. Throws BAD_REQUEST where there is too much to look through. */
export function addressesInCalendars(attachments: readonly OutgoingAttachment[]): Named {
  const files = attachments.map(({ content }) => content).filter(holdsCalendar);
  const [written, mentioned] = [new Set<string>(), new Set<string>()];
  if (files.reduce((sum, { length }) => sum + length, 0) > ALL_MAX_BYTES) throw tooMuch();
  for (const text of files.map(readable)) {
    for (const form of NAMED) for (const [, one = ""] of text.matchAll(form)) written.add(one);
    for (const [one] of asRead(text).matchAll(MENTIONED)) mentioned.add(one);
  }
  if (written.size > RECIPIENTS_MAX || mentioned.size > MENTIONED_MAX) throw tooMuch();
  const people = canonical(written);
  return { people, mentioned: canonical(mentioned).filter((one) => !people.includes(one)) };
}

const asRead = (text: string): string => text.replace(UNSEEN, "").replace(LINE_ENDS, "\n").replace(WRITTEN_AT, "@");

const canonical = (written: ReadonlySet<string>): string[] => [
  ...new Set([...written].flatMap((one) => canonicalEmail(unescaped(one)) ?? [])),
];

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
