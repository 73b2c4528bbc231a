// Whom the calendar files of a mail name: who opens one sees them, and answers go to them. Pure.
import { canonicalEmail } from "@app/shared/email-address";
import { RECIPIENTS_MAX } from "@app/shared/text";
import { normalForm } from "@app/shared/normal-form";
import { badField } from "../../core/errors.ts";
import { someLayer } from "../../core/wrapped-words.ts";
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
const MENTIONED = /[\p{L}\p{N}._+'%-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu;
const MENTIONED_MAX = 5000;
/** Where in such a run an address may begin or end: a sign that joins it to others, or letters of another kind. */
const JOINED = /[._+'%-]|(?<=[\0-\x7F])(?=[^\0-\x7F])|(?<=[^\0-\x7F])(?=[\0-\x7F])/gu;
/** As texts of a calendar are written (RFC 5545, 3.3.11). */
const LINE_ENDS = /\\n/gi;
/** The pattern of no dots, which shows as nothing. */
const BLANK = "\u2800";

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
    someLayer(asRead(text), (layer) => {
      for (const [one] of layer.matchAll(MENTIONED)) for (const each of within(one)) mentioned.add(each);
      return mentioned.size > MENTIONED_MAX;
    });
  }
  if (written.size > RECIPIENTS_MAX || mentioned.size > MENTIONED_MAX) throw tooMuch();
  const people = canonical(written);
  return { people, mentioned: canonical(mentioned).filter((one) => !people.includes(one)) };
}

const asRead = (text: string): string => text.replaceAll(BLANK, "").replace(LINE_ENDS, "\n").replaceAll("\\@", "@");

/** Every address that this run may hold: one may begin behind each sign that joins, and end before each. */
function* within(run: string): Generator<string> {
  const [before = "", after = ""] = run.split("@");
  const begins = [0, ...[...before.matchAll(JOINED)].map(({ 0: sign, index }) => index + sign.length)];
  const ends = [...[...after.matchAll(JOINED)].map(({ index }) => index), after.length];
  for (const end of ends)
    if (after.slice(0, end).includes("."))
      for (const begin of begins) yield `${before.slice(begin)}@${after.slice(0, end)}`;
}

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
