// Reading what mail programs say in mails: the few parts that hold it, and who is proved to have written them.
import type { ImapClient } from "../../core/imap-client.ts";
import type { Mail, MailStructure } from "../../core/imap-messages.ts";
import { foldEmail } from "@app/shared/email-address";
import { decodeText } from "./mail-content.ts";
import { WHO_WROTE } from "../../core/mail-header.ts";
import { type AttachedPart, partsOf } from "./mail-parts.ts";
import { domainOf, isProved, ownServerOf, type Place } from "./mail-stamps.ts";

const PART_MAX_BYTES = 200 * 1024;

/** A mail in which a mail program says something. */
export interface AutomatedMail {
  uid: number;
  /** When it came. */
  at: Date;
  /** As the mail says. */
  from: string;
  /** The mailbox's own server proved that the mail is from there. */
  isProved: boolean;
  /** A calendar entry; null for none. */
  calendar: string | null;
  report: DeliveryReport | null;
}

export interface DeliveryReport {
  /** What became of the mail (RFC 3464). */
  status: string;
  /** Of the mail that came back. */
  messageId: string;
}

/** A mail that could not even be read; the connection is still well. */
export interface UnreadableMail {
  uid: number;
  from: string;
  at: Date;
  error: unknown;
}

export const isUnreadable = (mail: AutomatedMail | UnreadableMail): mail is UnreadableMail => "error" in mail;

/** These mails of the open folder, as far as they say anything, in their order. Each is read apart from the others. */
export async function readAutomated(
  client: ImapClient,
  uids: number[],
  place: Place,
): Promise<(AutomatedMail | UnreadableMail)[]> {
  const query = { uid: true, envelope: true, bodyStructure: true, internalDate: true };
  const messages = await client.fetchAll(uids.join(","), query, { uid: true });
  const mails: (AutomatedMail | UnreadableMail)[] = [];
  for (const message of messages.toSorted((a, b) => a.uid - b.uid)) {
    try {
      const mail = await readOne(client, message, place);
      if (mail) mails.push(mail);
    } catch (error) {
      if (!client.usable) throw error;
      mails.push({ uid: message.uid, from: senderOf(message), at: cameAt(message), error });
    }
  }
  return mails;
}

const cameAt = ({ internalDate }: Mail): Date => new Date(internalDate ?? 0);

const senderOf = ({ envelope }: Pick<Mail, "envelope">): string => foldEmail(envelope?.from?.[0]?.address ?? "");

async function readOne(client: ImapClient, message: Mail, place: Place): Promise<AutomatedMail | null> {
  const { uid, bodyStructure } = message;
  if (!bodyStructure) throw new Error("the structure of this mail cannot be read");
  const { calendar, deliveryStatus } = partsOf(bodyStructure);
  // A report is the mail itself, never something that lies in one (RFC 6522).
  const isReport = bodyStructure?.type.toLowerCase() === "multipart/report";
  if (!calendar && !(deliveryStatus && isReport)) return null;
  const report = deliveryStatus && isReport ? await readReport(client, message, deliveryStatus) : null;
  return {
    uid,
    at: cameAt(message),
    from: senderOf(message),
    isProved: await isSenderProved(client, uid, place),
    calendar: calendar && (await read(client, uid, calendar)),
    report,
  };
}

async function isSenderProved(client: ImapClient, uid: number, place: Place): Promise<boolean> {
  const written = await client.fetchOne(uid, { uid: true, envelope: true, headers: WHO_WROTE });
  return written ? isProved(written, ownServerOf(place)) : false;
}

async function readReport(client: ImapClient, message: Mail, part: AttachedPart): Promise<DeliveryReport> {
  return {
    status: await read(client, message.uid, part),
    messageId: await returnedId(client, message.uid, message.bodyStructure),
  };
}

async function read(client: ImapClient, uid: number, { part, encoding }: Pick<AttachedPart, "part" | "encoding">) {
  const query = { uid: true, bodyParts: [{ key: part, start: 0, maxLength: PART_MAX_BYTES }] };
  const message = await client.fetchOne(uid, query);
  const bytes = message?.bodyParts.get(part);
  return bytes ? decodeText(bytes, { charset: "utf-8", encoding: encoding.toLowerCase() }) : "";
}

/** The Message-ID of the mail that came back, out of its copy or its headers in the report. */
export async function returnedId(
  client: ImapClient,
  uid: number,
  report: Pick<MailStructure, "childNodes"> | undefined,
): Promise<string> {
  const returned = report?.childNodes?.find(({ type }) => RETURNED.includes(type.toLowerCase()));
  if (!returned?.part) return "";
  const known = idIn(returned.messageId);
  return known || idIn(messageIdLine(await read(client, uid, partOf(returned))));
}

const RETURNED = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"];

/** The same of the mail that somebody's program says was read, or thrown away (RFC 8098). */
export async function readId(
  client: ImapClient,
  uid: number,
  report: Pick<MailStructure, "childNodes">,
): Promise<string> {
  const notice = report.childNodes?.find(({ type }) => type.toLowerCase() === "message/disposition-notification");
  if (!notice?.part) return "";
  return idIn(/^original-message-id:\s*(\S.*)/im.exec(await read(client, uid, partOf(notice)))?.[1] ?? "");
}

const partOf = ({ part, encoding }: MailStructure) => ({ part: part || "1", encoding: encoding || "7bit" });
const messageIdLine = (headers: string): string => /^message-id:\s*(\S.*)/im.exec(headers)?.[1] ?? "";
const idIn = (text: string): string => /<[^<>\s]{1,500}>/.exec(text)?.[0] ?? "";

/** Whether a mail is from the program of the mailbox's own provider that reports on mail, which nobody else can be. */
export function isFromOwnProvider(
  { from, isProved }: AutomatedMail,
  place: Place,
  reportsFrom: readonly string[],
): boolean {
  const domains = [...reportsFrom, ...ownServerOf(place).domains];
  return isProved && isMailProgram(from) && domains.some((domain) => domainOf(from) === domain);
}

/** Nobody writes from there but the program that reports on mail. */
export const isMailProgram = (address: string): boolean => DAEMONS.includes(address.split("@")[0] ?? "");
const DAEMONS = ["mailer-daemon", "postmaster"];
