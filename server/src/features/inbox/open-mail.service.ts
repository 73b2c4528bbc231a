// One mail of a client, opened: its text, its layout without anything dangerous, and its attachments piece by piece.
import { Readable } from "node:stream";
import type { ImapClient } from "../../core/imap-client.ts";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { StoredFile } from "@app/shared/files";
import type { ClientMail, ClientMailPlace, fileMailPartSchema, MailPart, OpenMail } from "@app/shared/inbox";
import { notFound } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import { withoutPersonalLinks } from "../../core/personal-links.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { storeFile } from "../files/files.service.ts";
import { filesCarriedBy } from "../outbox/outbox-written.service.ts";
import { withClientMail, withMailToOpen } from "./client-mail.service.ts";
import { decoded } from "./mail-content.ts";
import type { AttachedPart, TextPart } from "./mail-parts.ts";
import type { work } from "./mail-text.foreign.ts";
import type { work as accessWork } from "./access-words.foreign.ts";

const LIMIT_MS = 3000;
const TEXT_MAX_BYTES = 1024 * 1024;
const INLINE_MAX_BYTES = 3 * 1024 * 1024;
const PIECE_BYTES = 512 * 1024;
const INLINE_MIMES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const WORDS = {
  unreadable: "The layout of this message cannot be read. Open it in your mail program.",
  "too-much": "The layout of this message takes too much to show. Open it in your mail program.",
};

const textsIn = defineForeign<typeof work>({
  file: new URL("./mail-text.foreign.ts", import.meta.url),
  output: z.object({
    text: z.string(),
    html: z.string(),
    hasRemoteImages: z.boolean(),
    inlineIds: z.array(z.string()),
    letsSomebodyIn: z.boolean(),
  }),
  limitMs: LIMIT_MS,
  refuse: (why) => new TRPCError({ code: "UNPROCESSABLE_CONTENT", message: WORDS[why] }),
});

export async function openMail(scope: Scope, place: ClientMailPlace): Promise<OpenMail> {
  const { mail, plain, html, isCut } = await withMailToOpen(scope, place, async (client, { mail, parts }) => ({
    mail,
    plain: await readText(client, mail.uid, parts.plain),
    html: await readText(client, mail.uid, parts.html),
    isCut: Math.max(parts.plain?.size ?? 0, parts.html?.size ?? 0) > TEXT_MAX_BYTES,
  }));
  const read = (layout: typeof html) =>
    textsIn(ofPerson(scope), { plain, html: layout, showsRemote: false, inline: {} });
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
    text: withoutPersonalLinks(shown.text) || words,
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
  const read = (inline: Record<string, string>) => textsIn(ofPerson(scope), { plain, html, showsRemote, inline });
  const shown = await read({});
  if (shown.letsSomebodyIn) throw notFound("Mail");
  const pictures = inlineAmong(attachments, shown.inlineIds);
  if (pictures.length === 0) return withoutPersonalLinks(shown.html);
  const inline = await withClientMail(scope, place, (client) => readInline(client, place.uid, pictures));
  return withoutPersonalLinks((await read(inline)).html);
}

async function readText(client: ImapClient, uid: number, text: TextPart | null) {
  if (!text) return null;
  const { part, charset, encoding } = text;
  const bytes = await readPiece(client, { uid, part, start: 0, maxLength: TEXT_MAX_BYTES });
  // A copy, because a part of a larger piece of memory would be sent to the worker with all of it.
  return { bytes: new Uint8Array(bytes), charset, encoding };
}

interface Piece {
  uid: number;
  part: string;
  start: number;
  maxLength: number;
}

async function readPiece(client: ImapClient, { uid, part, start, maxLength }: Piece): Promise<Buffer> {
  const query = { uid: true, bodyParts: [{ key: part, start, maxLength }] };
  const message = await client.fetchOne(uid, query);
  return message?.bodyParts.get(part) ?? Buffer.alloc(0);
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
  const saysWords = !SAYS_NO_WORDS.test(attached.mime) || isTextual(head);
  if (saysWords && (await doesLetIn(scope, read()))) throw notFound("Attachment");
  const pieces = read();
  return { mail, name: attached.name, mime: attached.mime, content: Readable.from(pieces) };
}

const HEAD_BYTES = 4096;
async function headOf(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const piece of pieces) if (piece.length > 0) return piece;
  return Buffer.alloc(0);
}
/** By its beginning, whatever it is called: no text has these signs. */
const isTextual = (content: Buffer): boolean =>
  !content.subarray(0, HEAD_BYTES).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));

/** What nobody can read a link in: anything else may be a mail within the mail, whatever its sender calls it. */
const SAYS_NO_WORDS =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxmlformats-|oasis\.)))/;
// A link is not longer, wherever a piece ends.
const OVERLAP = 4000;

const letsIn = defineForeign<typeof accessWork>({
  file: new URL("./access-words.foreign.ts", import.meta.url),
  output: z.boolean(),
  limitMs: LIMIT_MS,
  refuse: () =>
    new TRPCError({
      code: "UNPROCESSABLE_CONTENT",
      message: "This attachment takes too much to look through. Open it in your mail program.",
    }),
});

async function doesLetIn(scope: Scope, pieces: AsyncIterable<Buffer>): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    if (await letsIn(ofPerson(scope), new Uint8Array(bytes))) return true;
    rest = bytes.subarray(-OVERLAP);
  }
  return false;
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
