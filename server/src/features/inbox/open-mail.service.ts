// One mail of a client, opened: its text, its layout without anything dangerous, and its attachments piece by piece.
import { Readable } from "node:stream";
import type { ImapFlow } from "imapflow";
import type { z } from "zod";
import type { StoredFile } from "@app/shared/files";
import type { ClientMailPlace, fileMailPartSchema, MailPart, OpenMail } from "@app/shared/inbox";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { storeFile } from "../files/files.service.ts";
import { letsSomebodyIn } from "../mail/system-mail.service.ts";
import { type FoundMail, withClientMail } from "./client-mail.service.ts";
import { decoded, decodeText } from "./mail-content.ts";
import { type CleanMail, cleanHtml } from "./mail-html.ts";
import { plainText } from "./mail-page.ts";
import type { AttachedPart, TextPart } from "./mail-parts.ts";

const TEXT_MAX_BYTES = 1024 * 1024;
const INLINE_MAX_BYTES = 3 * 1024 * 1024;
const PIECE_BYTES = 512 * 1024;
const INLINE_MIMES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export const openMail = (scope: Scope, place: ClientMailPlace): Promise<OpenMail> =>
  withClientMail(scope, place, async (client, { mail, parts: { plain, html } }) => {
    const layout = html ? await readText(client, mail.uid, html) : "";
    const text = plain ? await readText(client, mail.uid, plain) : plainText(layout);
    if (letsSomebodyIn(text) || letsSomebodyIn(layout)) throw notFound("Mail");
    const { hasRemoteImages } = cleanHtml(layout, { showsRemote: false, inline: new Map() });
    const isCut = Math.max(plain?.size ?? 0, html?.size ?? 0) > TEXT_MAX_BYTES;
    return { mail, text, isHtml: html !== null, hasRemoteImages, isCut };
  });

/** Its layout, to be shown in a frame. */
export const openHtml = (scope: Scope, place: ClientMailPlace, showsRemote: boolean): Promise<CleanMail> =>
  withClientMail(scope, place, async (client, { mail, parts }) => {
    if (!parts.html) throw notFound("Mail");
    const layout = await readText(client, mail.uid, parts.html);
    if (letsSomebodyIn(layout)) throw notFound("Mail");
    return cleanHtml(layout, { showsRemote, inline: await readInline(client, { mail, parts }, layout) });
  });

async function readText(client: ImapFlow, uid: number, text: TextPart): Promise<string> {
  const bytes = await readPiece(client, { uid, part: text.part, start: 0, maxLength: TEXT_MAX_BYTES });
  return decodeText(bytes, text);
}

interface Piece {
  uid: number;
  part: string;
  start: number;
  maxLength: number;
}

async function readPiece(client: ImapFlow, { uid, part, start, maxLength }: Piece): Promise<Buffer> {
  const query = { uid: true, bodyParts: [{ key: part, start, maxLength }] };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  return (message && message.bodyParts?.get(part)) || Buffer.alloc(0);
}

/** Pictures that came with the mail and stand in its text, small enough to be shown in it. */
async function readInline(client: ImapFlow, { mail, parts }: FoundMail, layout: string): Promise<Map<string, string>> {
  const inline = new Map<string, string>();
  let left = INLINE_MAX_BYTES;
  for (const { part, mime, size, encoding, contentId } of parts.attachments) {
    const isShown = contentId && INLINE_MIMES.includes(mime) && layout.includes(contentId);
    if (!isShown || encoding !== "base64" || size > left) continue;
    left -= size;
    const bytes = await readPiece(client, { uid: mail.uid, part, start: 0, maxLength: size });
    const content = bytes.toString("latin1").replace(/[^A-Za-z0-9+/=]/g, "");
    inline.set(contentId, `data:${mime};base64,${content}`);
  }
  return inline;
}

export interface OpenAttachment {
  name: string;
  mime: string;
  content: Readable;
}

/** An attachment, fetched as fast as it is taken; between two pieces the mailbox is free for others. */
export async function openAttachment(scope: Scope, { part, ...place }: MailPart): Promise<OpenAttachment> {
  const { attached, first } = await withClientMail(scope, place, async (client, { parts }) => {
    const attached = parts.attachments.find((one) => one.part === part);
    if (!attached) throw notFound("Attachment");
    return { attached, first: await readPiece(client, { uid: place.uid, part, start: 0, maxLength: PIECE_BYTES }) };
  });
  const pieces = decoded(piecesOf(scope, place, attached, first), attached.encoding);
  return { name: attached.name, mime: attached.mime, content: Readable.from(pieces) };
}

async function* piecesOf(scope: Scope, place: ClientMailPlace, { part }: AttachedPart, first: Buffer) {
  let piece = first;
  let start = 0;
  while (piece.length > 0) {
    yield piece;
    if (piece.length < PIECE_BYTES) return;
    start += piece.length;
    const next = { uid: place.uid, part, start, maxLength: PIECE_BYTES };
    piece = await withClientMail(scope, place, (client) => readPiece(client, next));
  }
}

/** Keeps an attachment with the client or in one of their cases. */
export async function fileAttachment(
  scope: Scope,
  { id, name, caseId, visibility, ...place }: z.output<typeof fileMailPartSchema> & { id: string },
): Promise<StoredFile> {
  const { content } = await openAttachment(scope, place);
  return storeFile(scope, content, { id, clientId: place.clientId, caseId, name, visibility });
}
