// Contents that are kept apart from the files of the practice, such as what somebody adds to a form: judged, stored and
// counted as files are.
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import type { Asker } from "../../core/fair-turns.ts";
import { claimBlob, dropUnclaimed, keepBlob, releaseBlob, spool, TooLargeError } from "./blobs.service.ts";
import { giveBackSpace, isContentUsed, takeSpace } from "./content-uses.service.ts";
import { examine } from "./content-scans.ts";
import type { FileDoc } from "./files.model.ts";
import { tooLargeFile } from "./files.service.ts";

export type ApartContent = Pick<FileDoc, "mime" | "blobId" | "sizeBytes">;

interface Arriving<Made> {
  ownerId: string;
  asker: Asker;
  name: string;
  limitBytes: number;
  /** Of a picture, where fewer than of any file may be. */
  pixelsMax?: number;
  /** What the same sending made, where that was faster at the same moment. */
  same?: () => Made;
  /** Makes what has the content, in the transaction that counts it. */
  make: (content: ApartContent) => Promise<Made>;
}

/** Keeps what arrives, or nothing at all. */
export async function storeContent<Made>(
  source: Readable,
  { ownerId, asker, name, limitBytes, pixelsMax, same, make }: Arriving<Made>,
): Promise<Made> {
  const { file } = await spool(source, limitBytes).catch((error: unknown) => {
    throw error instanceof TooLargeError ? tooLargeFile(limitBytes) : error;
  });
  try {
    const { mime, scan } = await examine(asker, { path: file, name, ...(pixelsMax && { pixelsMax }) });
    const blob = await keepBlob(ownerId, file, scan);
    const content = { mime, blobId: blob._id, sizeBytes: blob.sizeBytes };
    try {
      return await inTransaction(async () => {
        await claimBlob(blob);
        await takeSpace(ownerId, content);
        return make(content);
      });
    } catch (error) {
      // Why it was refused matters more than that the sweep has to do this later.
      await dropUnclaimed(blob).catch(() => undefined);
      if (same && isDuplicateKey(error)) return same();
      throw error;
    }
  } finally {
    await rm(file, { force: true });
  }
}

/** In the transaction that takes away what had this content; the sweep removes it. */
export async function letContentGo(
  ownerId: string,
  { blobId, sizeBytes }: Pick<ApartContent, "blobId" | "sizeBytes">,
): Promise<void> {
  if (await isContentUsed(ownerId, blobId)) return;
  await giveBackSpace(ownerId, sizeBytes);
  await releaseBlob(ownerId, blobId);
}
