// What of a mail the server's own thread gets to see: as much as anybody reads, whatever its sender wrote. Pure.
import { isUtf8 } from "node:buffer";
import type { FetchMessageObject, MessageStructureObject } from "imapflow";
import { cutText } from "@app/shared/cut-text";
import { foldEmail, samePerson } from "@app/shared/email-address";
import { addressParser, decodeWords, type Mailbox } from "postal-mime";
import type { FetchOptions, PostedMail } from "./imap-messages.ts";
import { FIELDS_MAX, type Header, readHeader } from "./mail-header.ts";

const HEADER_MAX_BYTES = 8 * 1024 * 1024;
const LIST_MAX_LENGTH = 256 * 1024;
const FIELD_MAX_LENGTH = 20_000;
const SHOWN_HEADER_MAX_LENGTH = 64 * 1024;
const SHORT_FIELD_MAX_LENGTH = 1000;
/** How many addresses of a field are given. */
export const ADDRESSES_MAX = 100;
const COMPARED_MAX = 5000;
// No address of a person is longer, however it is written.
const ADDRESS_MAX_LENGTH = 1000;
const NAME_MAX_LENGTH = 200;
const TEXT_MAX_LENGTH = 500;
const LEVELS_MAX = 12;
const NODES_MAX = 250;

type Envelope = NonNullable<PostedMail["envelope"]>;
type Structure = NonNullable<PostedMail["bodyStructure"]>;

/** This mail, with nothing in it that is longer, deeper or more than somebody needs who looks at it. */
export function boundedMail(mail: FetchMessageObject, hasEnvelope: boolean, options: FetchOptions): PostedMail {
  const { uid, flags, internalDate, bodyStructure, bodyParts } = mail;
  const raw = mail.headers ?? Buffer.alloc(0);
  const start = raw.subarray(0, HEADER_MAX_BYTES);
  // Headers are UTF-8 (RFC 6532) or, of old programs, whatever they liked.
  const encoding = isUtf8(start) ? "utf8" : "latin1";
  const fields = readHeader(start.toString(encoding));
  const shown = shownHeader(fields);
  const cameAt = new Date(internalDate ?? Number.NaN);
  const read = hasEnvelope ? readEnvelope(fields, options) : null;
  return {
    uid,
    ...(flags ? { flags: new Set([...flags].slice(0, 100)) } : {}),
    ...(Number.isNaN(cameAt.getTime()) ? {} : { internalDate: cameAt }),
    ...(read ? { envelope: read.envelope } : {}),
    ...(bodyStructure ? { bodyStructure: boundedStructure(bodyStructure) } : {}),
    ...(mail.headers ? { headers: new Uint8Array(Buffer.from(shown.text, encoding)) } : {}),
    isHeaderCut: raw.length > start.length || shown.isCut,
    isOf: read?.isOf ?? false,
    // Copies: a part of a larger piece of memory would be posted with all of it.
    bodyParts: new Map([...(bodyParts ?? [])].map(([part, content]) => [part, new Uint8Array(content)])),
  };
}

const LONG_FIELDS = new Set(["authentication-results", "references", "message-id", "in-reply-to"]);

/** The header in its order, each field as long as it needs to be to tell who wrote the mail. */
function shownHeader(fields: Header[]): { text: string; isCut: boolean } {
  let text = "";
  for (const { name, value } of fields) {
    const maxLength = LONG_FIELDS.has(name) ? FIELD_MAX_LENGTH : SHORT_FIELD_MAX_LENGTH;
    const line = `${name.slice(0, SHORT_FIELD_MAX_LENGTH)}: ${value.slice(0, maxLength)}\r\n`;
    if (text.length + line.length > SHOWN_HEADER_MAX_LENGTH) return { text, isCut: true };
    text += line;
  }
  return { text, isCut: fields.length >= FIELDS_MAX };
}

function readEnvelope(fields: Header[], options: FetchOptions): { envelope: Envelope; isOf: boolean } {
  const first = (name: string) => fields.find((field) => field.name === name)?.value ?? "";
  const listed = (name: string) =>
    addressParser(
      cutList(
        fields
          .filter((field) => field.name === name)
          .map(({ value }) => value)
          .join(", "),
      ),
    ).flatMap((one): Mailbox[] => one.group ?? [one]);
  const [from, to, cc, bcc] = [listed("from"), listed("to"), listed("cc"), listed("bcc")];
  const shown = (list: typeof from) => list.slice(0, options.addressesMax ?? ADDRESSES_MAX).map(shownAddress);
  const date = new Date(first("date").slice(0, TEXT_MAX_LENGTH));
  return {
    envelope: {
      from: shown(from),
      sender: shown(listed("sender")),
      replyTo: shown(listed("reply-to")),
      to: shown(to),
      cc: shown(cc),
      bcc: shown(bcc),
      subject: decodeWords(first("subject").slice(0, FIELD_MAX_LENGTH)).slice(0, 4 * TEXT_MAX_LENGTH),
      messageId: first("message-id").slice(0, FIELD_MAX_LENGTH),
      inReplyTo: first("in-reply-to").slice(0, FIELD_MAX_LENGTH),
      ...(Number.isNaN(date.getTime()) ? {} : { date }),
    },
    isOf: isAmong(options.about ?? "", [...from, ...to, ...cc, ...bcc]),
  };
}

/** Not in the midst of an address, which would be another one then. */
const cutList = (list: string): string =>
  list.length <= LIST_MAX_LENGTH ? list : list.slice(0, list.lastIndexOf(",", LIST_MAX_LENGTH) + 1);

const shownAddress = ({ name, address }: Mailbox) => ({
  name: cutText(oneLine(name.slice(0, 4 * NAME_MAX_LENGTH)), NAME_MAX_LENGTH),
  address:
    address.length > ADDRESS_MAX_LENGTH ? address.slice(0, TEXT_MAX_LENGTH).trim().toLowerCase() : foldEmail(address),
});

/** Beyond so many addresses a mail is nobody's: rather missing than with the wrong person. */
const isAmong = (about: string, list: Mailbox[]): boolean =>
  about !== "" &&
  list.slice(0, COMPARED_MAX).some(({ address }) => address.length <= ADDRESS_MAX_LENGTH && samePerson(address, about));

/** A line of somebody else's text, as it can be shown. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();

/** The first of its parts, to no greater depth than anybody builds a mail. */
function boundedStructure(root: MessageStructureObject): Structure {
  let left = NODES_MAX;
  const bounded = (node: MessageStructureObject, level: number): Structure => {
    left -= 1;
    const shown = nodeOf(node);
    if (!node.childNodes || level >= LEVELS_MAX) return shown;
    const childNodes: Structure[] = [];
    for (const child of node.childNodes) {
      if (left <= 0) break;
      childNodes.push(bounded(child, level + 1));
    }
    return { ...shown, childNodes };
  };
  return bounded(root, 0);
}

const nodeOf = (node: MessageStructureObject): Structure => ({
  part: short(node.part),
  type: short(node.type),
  encoding: short(node.encoding),
  size: node.size ?? 0,
  id: short(node.id),
  disposition: short(node.disposition),
  parameters: { charset: short(node.parameters?.["charset"]), name: short(node.parameters?.["name"]) },
  dispositionParameters: { filename: short(node.dispositionParameters?.["filename"]) },
  messageId: short(node.envelope?.messageId),
});

const short = (text: unknown): string => (typeof text === "string" ? text.slice(0, TEXT_MAX_LENGTH) : "");
