// One mail of a client, opened: its text, its layout without anything dangerous, and its attachments piece by piece.
import { Readable } from "node:stream";
import type { ImapClient } from "../../core/imap-client.ts";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import type { StoredFile } from "@app/shared/files";
import type { ClientMail, ClientMailPlace, fileMailPartSchema, MailPart, OpenMail } from "@app/shared/inbox";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { storeFile } from "../files/files.service.ts";
import { filesCarriedBy } from "../outbox/outbox-written.service.ts";
import { isKeptFrom } from "./attachment-words.ts";
import { withClientMail, withMailToOpen } from "./client-mail.service.ts";
import { decoded } from "./mail-content.ts";
import type { AttachedPart } from "./mail-parts.ts";
import { readPiece, readText, shownIn, TEXT_MAX_BYTES } from "./shown-text.ts";

const INLINE_MAX_BYTES = 3 * 1024 * 1024;
const PIECE_BYTES = 512 * 1024;
const INLINE_MIMES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export async function openMail(scope: Scope, place: ClientMailPlace): Promise<OpenMail> {
  const { mail, plain, html, isCut } = await withMailToOpen(scope, place, async (client, { mail, parts }) => ({
    mail,
    plain: await readText(client, mail.uid, parts.plain),
    html: await readText(client, mail.uid, parts.html),
    isCut: Math.max(parts.plain?.size ?? 0, parts.html?.size ?? 0) > TEXT_MAX_BYTES,
  }));
  const read = (layout: typeof html) => shownIn(scope, { plain, html: layout, showsRemote: false, inline: {} });
  // What it says remains to be read where its layout cannot be shown.
  const { words, isHtml, ...shown } = await read(html).then(
    (all) => ({ ...all, isHtml: html !== null, words: "" }),
    async (error: unknown) => {
      if (!isUnreadable(error)) throw error;
      return { ...(await read(null)), isHtml: false, words: error.message };
    },
  );
  if (shown.letsSomebodyIn) throw notFound("Mail");
  return {
    mail,
    text: shown.text || words,
    isHtml,
    hasRemoteImages: shown.hasRemoteImages,
    isCut,
  };
}

const isUnreadable = (error: unknown): error is TRPCError =>
  error instanceof TRPCError && error.code === "UNPROCESSABLE_CONTENT";

/** Its layout, to be shown in a frame. */
export async function openHtml(scope: Scope, place: ClientMailPlace, showsRemote: boolean): Promise<string> {
  const { plain, html, attachments } = await withMailToOpen(scope, place, async (client, { mail, parts }) => ({
    plain: await readText(client, mail.uid, parts.plain),
    html: await readText(client, mail.uid, parts.html),
    attachments: parts.attachments,
  }));
  if (!html) throw notFound("Mail");
  const read = (inline: Record<string, string>) => shownIn(scope, { plain, html, showsRemote, inline });
  const shown = await read({});
  if (shown.letsSomebodyIn) throw notFound("Mail");
  const pictures = inlineAmong(attachments, shown.inlineIds);
  if (pictures.length === 0) return shown.html;
  const inline = await withClientMail(scope, place, (client) => readInline(client, place.uid, pictures));
  return (await read(inline)).html;
}

/** Pictures that came with the mail and stand in its layout, as many as may be shown in it. */
function inlineAmong(attachments: AttachedPart[], inlineIds: string[]): AttachedPart[] {
  let left = INLINE_MAX_BYTES;
  const ids = new Set(inlineIds);
  return attachments.filter(({ contentId, mime, encoding, size }) => {
    const isShown = ids.has(contentId) && INLINE_MIMES.includes(mime);
    if (!isShown || encoding !== "base64" || size > left) return false;
    left -= size;
    return true;
  });
}

async function readInline(client: ImapClient, uid: number, pictures: AttachedPart[]): Promise<Record<string, string>> {
  const inline: Record<string, string> = {};
  for (const { part, mime, size, contentId } of pictures) {
    const bytes = await readPiece(client, { uid, part, start: 0, maxLength: size });
    const content = bytes.toString("latin1").replace(/[^A-Za-z0-9+/=]/g, "");
    inline[contentId] = `data:${mime};base64,${content}`;
  }
  return inline;
}

export interface OpenAttachment {
  mail: ClientMail;
  name: string;
  mime: string;
  content: Readable;
}

/** An attachment, fetched as fast as it is taken; between two pieces the mailbox is free for others. */
export async function openAttachment(scope: Scope, { part, ...place }: MailPart): Promise<OpenAttachment> {
  const { mail, attached, first } = await withMailToOpen(scope, place, async (client, { mail, parts }) => {
    const attached = parts.attachments.find((one) => one.part === part);
    if (!attached) throw notFound("Attachment");
    return {
      mail,
      attached,
      first: await readPiece(client, { uid: place.uid, part, start: 0, maxLength: PIECE_BYTES }),
    };
  });
  const read = () => decoded(piecesOf(scope, place, attached, first), attached.encoding);
  const head = await headOf(decoded(Readable.from([first]), attached.encoding));
  if (await isKeptFrom(scope, { mime: attached.mime, head, pieces: read() })) throw notFound("Attachment");
  const pieces = read();
  return {
    mail,
    name: mail.attachments.find((one) => one.part === part)?.name ?? "",
    mime: attached.mime,
    content: Readable.from(pieces),
  };
}

async function headOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const piece of pieces) if (piece.length > 0) return piece;
  return Buffer.alloc(0);
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

/** Keeps an attachment with the client or in one of their cases: as what it is there, or in their confidence. */
export async function fileAttachment(
  scope: Scope,
  { id, name, caseId, visibility, ...place }: z.output<typeof fileMailPartSchema> & { id: string },
): Promise<StoredFile> {
  const { clientId } = place;
  const { mail, content } = await openAttachment(scope, place);
  const addresses = [mail.from, ...mail.to, ...mail.cc].map(({ address }) => address).filter(Boolean);
  const named = await clientsAtAddresses(scope.ownerId, { addresses, ids: [] });
  const fileIds = await filesCarriedBy(scope.ownerId, mail.messageId);
  const by = { clientId, namedIds: named.map((client) => client.id), fileIds };
  return storeFile(scope, content, { id, clientId, caseId, name, visibility }, { by });
}
