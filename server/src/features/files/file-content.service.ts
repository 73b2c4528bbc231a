import { buffer } from "node:stream/consumers";
import { readBlob } from "./blobs.service.ts";
import { type FileDoc, FileModel } from "./files.model.ts";

/** A file of the practice for a mail that leaves later than it was written; null where it was deleted meanwhile. */
export const fileToSend = (ownerId: string, id: string): Promise<FileDoc | null> =>
  FileModel.findOne({ ownerId, _id: id, deletedAt: null }).lean();

export async function contentOfFile({
  ownerId,
  blobId,
  sizeBytes,
}: Pick<FileDoc, "ownerId" | "blobId" | "sizeBytes">): Promise<Buffer> {
  return buffer(await readBlob(ownerId, blobId, { start: 0, end: sizeBytes }));
}
