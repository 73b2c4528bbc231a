// The contents of files, in GridFS: found by what they are, once for each practice.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import mongoose from "mongoose";
import { HOUR_MS, now } from "../../core/clock.ts";
import { isDuplicateKey } from "../../core/database.ts";
import { notFound } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { settings } from "../../core/settings.ts";
import { type BlobDoc, BlobModel } from "./blobs.model.ts";

const SPOOL = "spool";
const SPOOL_KEPT_MS = 6 * HOUR_MS;
const CHUNK_BYTES = 1024 * 1024;

export function bucket() {
  const { db } = mongoose.connection;
  if (!db) throw new Error("files need an open database");
  return new mongoose.mongo.GridFSBucket(db, { bucketName: "blobs", chunkSizeBytes: CHUNK_BYTES });
}

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
    await pipeline(source, count, createWriteStream(file, { mode: 0o600, flags: "wx" }));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return { file };
}

/** Keeps a spooled content; the same content again is the same blob. */
export async function keepBlob(ownerId: string, file: string): Promise<BlobDoc> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const _id = `${ownerId}:${hash.digest("hex")}`;
  const known = await BlobModel.findOne({ ownerId, _id }).lean();
  if (known) return known;
  const upload = bucket().openUploadStream(_id);
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), upload);
  const { size: sizeBytes } = await stat(file);
  try {
    await BlobModel.create([{ _id, ownerId, gridId: upload.id, sizeBytes }]);
    return { _id, ownerId, gridId: upload.id, sizeBytes };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The same content came twice at once, and the other upload keeps it.
    await bucket().delete(upload.id);
    const other = await BlobModel.findOne({ ownerId, _id }).lean();
    if (!other) throw error;
    return other;
  }
}

/** The content from one byte to before another. */
export async function readBlob(ownerId: string, id: string, range: { start: number; end: number }): Promise<Readable> {
  const blob = await BlobModel.findOne({ ownerId, _id: id }).lean();
  if (!blob) throw notFound("File");
  return bucket().openDownloadStream(blob.gridId, range);
}

export async function dropBlob(ownerId: string, id: string): Promise<void> {
  const blob = await BlobModel.findOneAndDelete({ ownerId, _id: id }).lean();
  if (blob) await bucket().delete(blob.gridId);
}

/** Removes contents that no record names, such as those of uploads that a dying process left. */
export async function sweepContents(): Promise<void> {
  const old = new Date(now().getTime() - SPOOL_KEPT_MS);
  for await (const { _id } of bucket().find({ uploadDate: { $lt: old } }, { projection: { _id: 1 } })) {
    const isKnown = await BlobModel.exists({ gridId: _id }).setOptions({ anyOwner: true });
    if (!isKnown) await bucket().delete(_id);
  }
}

/** Removes what uploads left behind that broke off with the process. */
export async function sweepSpool(): Promise<void> {
  const dir = path.join(settings().dataDir, SPOOL);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    const file = path.join(dir, name);
    const { mtimeMs } = await stat(file);
    if (mtimeMs < now().getTime() - SPOOL_KEPT_MS) await rm(file, { force: true });
  }
}
