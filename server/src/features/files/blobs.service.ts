// The contents of files, in GridFS: found by what they are, once for each practice.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import mongoose from "mongoose";
import { outOfTurn } from "../../core/call-turns.ts";
import { HOUR_MS, now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict, missingContent, notFound, wrongState } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { settings } from "../../core/settings.ts";
import { type BlobDoc, BlobModel, type LeftoverDoc, LeftoverModel, type Scan } from "./blobs.model.ts";

const BUCKET = "blobs";
const LEFTOVERS_AT_ONCE = 200;
const SPOOL = "spool";
const SPOOL_KEPT_MS = 6 * HOUR_MS;
const CHUNK_BYTES = 1024 * 1024;
const ROUNDS_MAX = 5;
const SAME_MOMENT = "The same content was deleted at this moment. Send the file again.";

type ContentId = BlobDoc["gridId"];

function bucket() {
  const { db } = mongoose.connection;
  if (!db) throw new Error("files need an open database");
  return new mongoose.mongo.GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
}

const collection = (part: "files" | "chunks") => mongoose.connection.collection(`${BUCKET}.${part}`);

export class TooLargeError extends Error {}

/** Writes what arrives to a file of ours; nothing of it stays where it breaks off or is too large. */
export async function spool(source: Readable, limitBytes: number): Promise<{ file: string }> {
  const dir = path.join(settings().dataDir, SPOOL);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, newId());
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limitBytes) done(new TooLargeError());
      else done(null, chunk);
    },
  });
  try {
    // A request that is refused is not destroyed with what it sends: its answer leaves by the same connection.
    const arriving = source.iterator({ destroyOnReturn: false });
    await outOfTurn(() => pipeline(arriving, count, createWriteStream(file, { mode: 0o600, flags: "wx" })));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return { file };
}

/** What a practice's content with this SHA-256 is called. */
export const blobIdOf = (ownerId: string, digest: string): string => `${ownerId}:${digest}`;

/**
 * Keeps a spooled content; the same content again is the same blob. It stays among the leftovers until a file claims
 * it, so that nothing is kept of an upload that dies on the way.
 */
export async function keepBlob(ownerId: string, file: string, scan?: Scan): Promise<BlobDoc> {
  const hash = createHash("sha256");
  await outOfTurn(() => pipeline(createReadStream(file), hash));
  const _id = blobIdOf(ownerId, hash.digest("hex"));
  const known = await BlobModel.findOne({ ownerId, _id }).lean();
  if (known && (await hasContent(known.gridId))) {
    // It was just found clean, whatever an older scanner or none said of it.
    if (scan === "clean" && known.scan !== scan) await BlobModel.updateOne({ ownerId, _id }, { $set: { scan } });
    return known;
  }
  const { size: sizeBytes } = await stat(file);
  const gridId = await writeContent(ownerId, _id, file);
  return placeBlob({ _id, ownerId, gridId, sizeBytes, claims: 0, ...(scan && { scan }) });
}

async function writeContent(ownerId: string, blobId: string, file: string): Promise<ContentId> {
  const upload = bucket().openUploadStream(blobId);
  await LeftoverModel.create([{ _id: upload.id, ownerId, blobId, since: now() }]);
  try {
    await outOfTurn(() => pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), upload));
  } catch (error) {
    // No row names it yet. It stays a leftover: some of it may still be on its way to the database.
    await removeParts(upload.id).catch(() => undefined);
    throw error;
  }
  return upload.id;
}

/**
 * The blob of a content that was just written; where the same one came before, that one, with this content where its
 * own is lost. What fails here may have been stored all the same, so what was written is then left to the sweep.
 */
async function placeBlob(blob: BlobDoc): Promise<BlobDoc> {
  const { ownerId, _id, gridId } = blob;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const other = await BlobModel.findOne({ ownerId, _id }).lean();
    if (other?.gridId.equals(gridId)) return other;
    if (other && (await hasContent(other.gridId))) {
      // The sweep does what fails here.
      await removeContent(ownerId, gridId).catch(() => undefined);
      return other;
    }
    if (await nameContent(blob, other)) return blob;
  }
  throw conflict(SAME_MOMENT);
}

/** Makes the row of a content, or has one whose own is lost name it; false where another was faster. */
async function nameContent(blob: BlobDoc, lost: BlobDoc | null): Promise<boolean> {
  const { ownerId, _id, gridId } = blob;
  try {
    return await inTransaction(async () => {
      if (!lost) await BlobModel.create([blob]);
      else if (!(await exchangeContent(lost, gridId))) return false;
      const isGoing = mongoose.trusted({ $ne: true });
      const held = await LeftoverModel.updateOne({ ownerId, _id: gridId, isGoing }, { $set: { isNamed: true } });
      if (held.matchedCount === 0) throw conflict(SAME_MOMENT);
      return true;
    });
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function exchangeContent({ ownerId, _id, gridId: lost }: BlobDoc, gridId: ContentId): Promise<boolean> {
  const { matchedCount } = await BlobModel.updateOne({ ownerId, _id, gridId: lost }, { $set: { gridId } });
  if (matchedCount === 0) return false;
  const leftover = { blobId: _id, since: now() };
  await LeftoverModel.updateOne({ ownerId, _id: lost }, { $set: leftover }, { upsert: true });
  return true;
}

/** Whether it was written to its end: the document of a content in GridFS comes last, and goes first. */
const hasContent = async (gridId: ContentId): Promise<boolean> =>
  (await collection("files").findOne({ _id: gridId }, { projection: { _id: 1 } })) !== null;

/** Removes a content of which no file was made after all: at once, and not when the sweep comes by. */
export async function dropUnclaimed({ ownerId, _id, gridId }: BlobDoc): Promise<void> {
  const { deletedCount } = await BlobModel.deleteOne({ ownerId, _id, gridId, claims: 0 });
  if (deletedCount > 0) await removeContent(ownerId, gridId);
}

/** In the transaction that makes a file of this content. */
export async function claimBlob({ ownerId, _id, gridId }: BlobDoc): Promise<void> {
  const { matchedCount } = await BlobModel.updateOne({ ownerId, _id, gridId }, { $inc: { claims: 1 } });
  if (matchedCount === 0) throw conflict(SAME_MOMENT);
  await LeftoverModel.deleteOne({ ownerId, _id: gridId });
}

/** In the transaction that deletes the last file of this content; gives what to remove after it. */
export async function releaseBlob(ownerId: string, blobId: string): Promise<ContentId | null> {
  const blob = await BlobModel.findOneAndDelete({ ownerId, _id: blobId }).lean();
  if (!blob) return null;
  const leftover = { blobId, since: now() };
  await LeftoverModel.updateOne({ ownerId, _id: blob.gridId }, { $set: leftover }, { upsert: true });
  return blob.gridId;
}

/**
 * In a transaction: takes a content that no file has from its row, for good. Whoever is about to have a row name it
 * changes the same leftover, so one of the two gives way. False where it is a file's, and so no leftover any more.
 */
export async function giveUpLeftover({ ownerId, _id, blobId }: LeftoverDoc, isOfFile: boolean): Promise<boolean> {
  const row = { ownerId, _id: blobId, gridId: _id };
  if (isOfFile && (await BlobModel.exists(row))) {
    await LeftoverModel.deleteOne({ ownerId, _id });
    return false;
  }
  await BlobModel.deleteOne(row);
  await LeftoverModel.updateOne({ ownerId, _id }, { $set: { isGoing: true } });
  return true;
}

/** Removes a content that no row names, nor can any more, or what there is of it. */
export async function removeContent(ownerId: string, gridId: ContentId): Promise<void> {
  await removeParts(gridId);
  await LeftoverModel.deleteOne({ ownerId, _id: gridId });
}

async function removeParts(gridId: ContentId): Promise<void> {
  await collection("files").deleteOne({ _id: gridId });
  await collection("chunks").deleteMany({ files_id: gridId });
}

/** Contents that nobody has claimed for hours, such as those of uploads that a dying process left; but for these. */
export function findLeftovers(except: string[]): Promise<LeftoverDoc[]> {
  const since = mongoose.trusted({ $lt: new Date(now().getTime() - SPOOL_KEPT_MS) });
  return LeftoverModel.find({ since, _id: mongoose.trusted({ $nin: except }) })
    .setOptions({ anyOwner: true })
    .limit(LEFTOVERS_AT_ONCE)
    .lean();
}

interface Range {
  start: number;
  end: number;
}

/** The content from one byte to before another. */
export async function readBlob(ownerId: string, id: string, range: Range): Promise<AsyncIterable<Buffer>> {
  const blob = await BlobModel.findOne({ ownerId, _id: id }).lean();
  if (!blob) throw notFound("File");
  if (blob.scan === "infected")
    throw wrongState("This file carries a virus and is locked. Delete it, and ask for a clean copy of it.");
  return contentOf(blob, range);
}

/** The same of a blob that is at hand, whatever a scanner said of it. */
export async function contentOf(
  { gridId, sizeBytes }: BlobDoc,
  range: Range = { start: 0, end: sizeBytes },
): Promise<AsyncIterable<Buffer>> {
  const content = await collection("files").findOne({ _id: gridId }, { projection: { chunkSize: 1 } });
  if (!content) throw missingContent();
  return piecesOf(gridId, Number(content["chunkSize"]), range);
}

/**
 * Piece by piece, each looked up when it is asked for: a stream of the driver keeps its cursor, with many pieces of it
 * here and in the database, where whoever asked goes away in the middle.
 */
async function* piecesOf(gridId: ContentId, pieceBytes: number, { start, end }: Range): AsyncGenerator<Buffer> {
  for (let n = Math.floor(start / pieceBytes); n * pieceBytes < end; n += 1) {
    const found = await collection("chunks").findOne({ files_id: gridId, n });
    if (!(found?.["data"] instanceof mongoose.mongo.Binary)) throw missingContent();
    const at = n * pieceBytes;
    yield Buffer.from(found["data"].value()).subarray(Math.max(0, start - at), end - at);
  }
}

/** Removes what uploads left behind that broke off with the process. */
export async function sweepSpool(): Promise<void> {
  const dir = path.join(settings().dataDir, SPOOL);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    const file = path.join(dir, name);
    if ((await changedAt(file)) < now().getTime() - SPOOL_KEPT_MS) await rm(file, { force: true });
  }
}

/** When a spooled file was last written; an upload may end and take its file away at any moment. */
async function changedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Infinity;
    throw error;
  }
}
