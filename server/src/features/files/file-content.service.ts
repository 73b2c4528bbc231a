import { buffer } from "node:stream/consumers";
import mongoose from "mongoose";
import { now } from "../../core/clock.ts";
import { readBlob } from "./blobs.service.ts";
import { type FileDoc, FileModel } from "./files.model.ts";

/** A file of the practice for a mail that leaves later than it was written; null where it was deleted meanwhile. */
export const fileToSend = (ownerId: string, id: string): Promise<FileDoc | null> =>
  FileModel.findOne({ ownerId, _id: id, deletedAt: null }).lean();

/** A mail took these outside: what they are marked as stays, also on whose screen it is just being changed. */
export async function noteFilesSent(ownerId: string, ids: readonly string[]): Promise<void> {
  await FileModel.updateMany(
    { ownerId, _id: mongoose.trusted({ $in: ids }), sentAt: null },
    { $set: { sentAt: now() }, $inc: { version: 1 } },
  );
}

/** What it is marked as is not changed any more: it follows from what it is, or people signed it as that. */
export async function fixMark(ownerId: string, id: string): Promise<void> {
  await FileModel.updateOne(
    { ownerId, _id: id, isMarkFixed: mongoose.trusted({ $ne: true }) },
    { $set: { isMarkFixed: true }, $inc: { version: 1 } },
  );
}

/** The files by which parties read what this one says. */
export const releasesOf = (ownerId: string, id: string): Promise<string[]> =>
  FileModel.distinct("_id", { ownerId, releasedFromId: id, deletedAt: null });

/** Which of these are no files of the practice any more. */
export async function goneFiles(ownerId: string, ids: readonly string[]): Promise<Set<string>> {
  const kept = await FileModel.distinct("_id", { ownerId, _id: mongoose.trusted({ $in: ids }), deletedAt: null });
  return new Set(ids.filter((id) => !kept.includes(id)));
}

export async function contentOfFile({
  ownerId,
  blobId,
  sizeBytes,
}: Pick<FileDoc, "ownerId" | "blobId" | "sizeBytes">): Promise<Buffer> {
  return buffer(await readBlob(ownerId, blobId, { start: 0, end: sizeBytes }));
}
