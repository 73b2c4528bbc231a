// A page of a folder as a list shows it: envelopes, what is attached, and the first words of each mail.
import type { ImapClient } from "../../core/imap-client.ts";
import type { FetchOptions, Mail } from "../../core/imap-messages.ts";
import { cutText } from "@app/shared/cut-text";
import type { FetchedMail } from "@app/shared/inbox";
import { decodeText } from "./mail-content.ts";
import { oneLine } from "../../core/imap-bounds.ts";
import { referencesIn, WHO_WROTE } from "../../core/mail-header.ts";
import { shownToOthers } from "../../core/public-tokens.ts";
import type { Written } from "./mail-stamps.ts";
import { type MailParts, partsOf, type TextPart } from "./mail-parts.ts";
import { plainText } from "./plain-text.ts";

const PREVIEW_LENGTH = 160;
const PREVIEW_BYTES = 2048;
const SUBJECT_MAX_LENGTH = 500;
const REFERENCES_MAX = 50;
const ADDRESSES_SHOWN_MAX = 100;
/** More than are shown: what answers a mail is judged by all whom it names. */
const ADDRESSES_READ_MAX = 1000;

export const ENVELOPE = {
  uid: true,
  envelope: true,
  bodyStructure: true,
  flags: true,
  internalDate: true,
  headers: ["references", ...WHO_WROTE],
};

/** Of a mail whose structure cannot be read. */
export const UNREADABLE = "This message cannot be shown here. Open it in your mail program.";

/** A mail, and the fields by which one tells who wrote it. */
export interface ReadMail {
  mail: FetchedMail;
  written: Written;
}

/** These mails of the open folder, in the order of the uids. */
export async function readMails(client: ImapClient, uids: number[]): Promise<ReadMail[]> {
  if (uids.length === 0) return [];
  const mails = await read(client, uids.join(","), { uid: true });
  const byUid = new Map(mails.map((one) => [one.mail.uid, one]));
  return uids.flatMap((uid) => byUid.get(uid) ?? []);
}

/** The mails from one place in the open folder to another, the last one first. */
export async function readRange(client: ImapClient, first: number, last: number): Promise<ReadMail[]> {
  const mails = await read(client, `${first}:${last}`, { uid: false });
  return mails.toSorted((a, b) => b.mail.uid - a.mail.uid);
}

async function read(client: ImapClient, range: string, options: FetchOptions): Promise<ReadMail[]> {
  const messages = await client.fetchAll(range, ENVELOPE, { ...options, addressesMax: ADDRESSES_READ_MAX });
  const parts = new Map(messages.map((message) => [message.uid, partsOf(message.bodyStructure)]));
  const previews = await readPreviews(client, parts);
  const readMail = async (message: Mail): Promise<ReadMail> => {
    const preview = message.bodyStructure ? (previews.get(message.uid) ?? "") : UNREADABLE;
    return { mail: await asOthersRead(toMail(message, parts.get(message.uid), preview)), written: message };
  };
  return Promise.all(messages.map(readMail));
}

/** Without what is somebody's own; also whose mailbox it is may be another than whom it was for. */
export async function asOthersRead(mail: FetchedMail): Promise<FetchedMail> {
  const names = mail.attachments.map(({ name }) => name);
  const [subject = "", preview = "", ...shown] = await shownToOthers([mail.subject, mail.preview, ...names]);
  const attachments = mail.attachments.map((one, at) => ({ ...one, name: shown[at] ?? "" }));
  return { ...mail, subject, preview: previewOf(preview), attachments };
}

export function toMail(message: Mail, parts: MailParts | undefined, preview: string): FetchedMail {
  const { envelope, flags, uid } = message;
  const references = idsIn(referencesIn(message.headers?.toString("latin1") ?? ""));
  const messageId = idsIn(envelope?.messageId ?? "")[0] ?? "";
  const inReplyTo = idsIn(envelope?.inReplyTo ?? "")[0] ?? "";
  return {
    uid,
    messageId,
    inReplyTo,
    references,
    from: envelope?.from[0] ?? { name: "", address: "" },
    to: envelope?.to.slice(0, ADDRESSES_SHOWN_MAX) ?? [],
    cc: envelope?.cc.slice(0, ADDRESSES_SHOWN_MAX) ?? [],
    subject: cutText(oneLine(envelope?.subject ?? ""), SUBJECT_MAX_LENGTH),
    date: dateOf(message).toISOString(),
    preview,
    isSeen: flags?.has("\\Seen") ?? false,
    attachments: (parts?.attachments ?? []).map(({ part, name, mime, size }) => ({ part, name, mime, size })),
    threadId: references[0] ?? (inReplyTo || messageId || `uid-${uid}`),
  };
}

/** When it arrived: the date that its sender wrote may be anything. */
function dateOf({ internalDate, envelope }: Mail): Date {
  const dates = [internalDate, envelope?.date].map((date) => new Date(date ?? Number.NaN));
  return dates.find((date) => !Number.isNaN(date.getTime())) ?? new Date(0);
}

const idsIn = (text: string): string[] => (text.match(/<[^<>\s]{1,500}>/g) ?? []).slice(0, REFERENCES_MAX);

/** The beginning of each first text, asked for together where it is the same part. */
async function readPreviews(client: ImapClient, parts: Map<number, MailParts>): Promise<Map<number, string>> {
  const byPart = new Map<string, Map<number, TextPart>>();
  for (const [uid, { plain, html }] of parts) {
    const text = plain ?? html;
    if (!text) continue;
    const same = byPart.get(text.part) ?? new Map<number, TextPart>();
    byPart.set(text.part, same.set(uid, text));
  }
  const previews = new Map<number, string>();
  for (const [part, texts] of byPart) {
    const query = { uid: true, bodyParts: [{ key: part, start: 0, maxLength: PREVIEW_BYTES }] };
    for (const { uid, bodyParts } of await client.fetchAll([...texts.keys()].join(","), query, { uid: true })) {
      const [text, bytes] = [texts.get(uid), bodyParts?.get(part)];
      if (text && bytes) previews.set(uid, beginningOf(bytes, text));
    }
  }
  return previews;
}

/** What may be the beginning of a word is left out: half a secret is known by nothing. */
function beginningOf(bytes: Buffer, part: TextPart): string {
  const text = decodeText(bytes, part);
  const words = bytes.length < PREVIEW_BYTES ? text : text.slice(0, text.search(/\s\S*$/) + 1 || text.length);
  return part.mime === "text/html" ? plainText(words) : words;
}

const previewOf = (text: string): string =>
  cutText(oneLine(text.trimStart().slice(0, 3 * PREVIEW_LENGTH)), PREVIEW_LENGTH);
