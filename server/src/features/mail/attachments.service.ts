import path from "node:path";
import { CONTENT_MAX_LENGTH, type EmailPayload } from "@app/shared/mail-payload";
import { badField } from "../../core/errors.ts";
import { type LongText, piecesOf } from "../../core/json-files.ts";
import type { OutgoingAttachment } from "./senders/sender.service.ts";

const MIME_OF = new Map([
  ["pdf", "application/pdf"],
  ["doc", "application/msword"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["txt", "text/plain"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
  ["ics", "text/calendar"],
]);
const DATA_URL = /^data:[^,]{0,200},/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** What the extension says a file is; anything unknown is a plain row of bytes. */
export const mimeOf = (name: string): string =>
  MIME_OF.get(path.extname(name).slice(1).toLowerCase()) ?? "application/octet-stream";

/** A single attachment is a calendar entry or a PDF, whatever else its name ends in. */
export const singleMimeOf = (name: string): string =>
  name.toLowerCase().endsWith(".ics") ? "text/calendar" : "application/pdf";

/** The attachments of a mail, the single one first. Throws BAD_REQUEST where one cannot be read. */
export function attachmentsOf(payload: Pick<EmailPayload, "filename" | "content" | "additionalAttachments">) {
  const { filename = "", content = "", additionalAttachments } = payload;
  const found: OutgoingAttachment[] = [];
  if (content) {
    const name = filename || "attachment.pdf";
    found.push({ name, mime: singleMimeOf(name), content: bytesOf(name, content) });
  }
  for (const { filename: name, content: text } of additionalAttachments) {
    found.push({ name, mime: mimeOf(name), content: bytesOf(name, text) });
  }
  return found;
}

/** Each four signs are three bytes; what fills the last four up may be left out (RFC 4648, 3.2). */
function isWhole(base64: string): boolean {
  const filledFrom = base64.indexOf("=");
  const signs = filledFrom < 0 ? base64.length : filledFrom;
  return signs % 4 !== 1 && (signs === base64.length || base64.length % 4 === 0);
}

const unreadable = (name: string) => badField("content", `${name} could not be read. Attach it again.`);

/** Base64, with or without the start of a data URL, as the bytes it stands for. */
export function bytesOf(name: string, text: string): Buffer {
  const base64 = text.replace(DATA_URL, "").replace(/\s+/g, "");
  if (!BASE64.test(base64) || !isWhole(base64)) throw unreadable(name);
  return Buffer.from(base64, "base64");
}

/** The same of a text as long as that of a file, in pieces. */
export async function bytesOfLong(name: string, long: LongText): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((long.length * 3) / 4));
  let length = 0;
  let signs = 0;
  let rest = "";
  for await (const piece of piecesOf(long)) {
    const base64 = rest + (signs === 0 ? piece.replace(DATA_URL, "") : piece).replace(/\s+/g, "");
    const isFilledUp = length % 3 !== 0;
    signs += piece.length;
    if (signs > CONTENT_MAX_LENGTH || !BASE64.test(base64) || (isFilledUp && base64 !== "")) throw unreadable(name);
    const whole = base64.length - (base64.length % 4);
    length += bytes.write(base64.slice(0, whole), length, "base64");
    rest = base64.slice(whole);
  }
  if (!isWhole(rest) || (length % 3 !== 0 && rest !== "")) throw unreadable(name);
  return bytes.subarray(0, length + bytes.write(rest, length, "base64"));
}
