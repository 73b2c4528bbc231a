// What was kept while the virus scanner did not answer, or before there was one, is scanned later.
import mongoose from "mongoose";
import { isScanning, scanned } from "../../core/clamd.ts";
import { inTransaction } from "../../core/database.ts";
import type { Logger } from "../../core/logger.ts";
import { systemScope } from "../../core/system-scope.ts";
import { type BlobDoc, BlobModel } from "./blobs.model.ts";
import { contentOf } from "./blobs.service.ts";
import { FileModel } from "./files.model.ts";
import { tell } from "./files.service.ts";

const SCANNED_AT_ONCE = 100;

export async function scanContents(log: Logger): Promise<void> {
  if (!isScanning()) return;
  const due = await BlobModel.find({ scan: mongoose.trusted({ $nin: ["clean", "infected"] }) })
    .setOptions({ anyOwner: true })
    .limit(SCANNED_AT_ONCE)
    .lean<BlobDoc[]>();
  for (const blob of due) {
    const verdict = await scanned(await contentOf(blob));
    // It does not answer, or not about this one: the others wait for the next round.
    if (verdict === "unknown") return log.warn({ count: due.length }, "the virus scanner does not answer");
    await inTransaction(async () => {
      await BlobModel.updateOne({ ownerId: blob.ownerId, _id: blob._id }, { $set: { scan: verdict } });
      if (verdict === "infected") await tellOfVirus(blob);
    });
    if (verdict === "infected")
      log.error({ blobId: blob._id }, "a file on record carries a virus, and is not given out any more");
  }
}

async function tellOfVirus({ ownerId, _id: blobId }: BlobDoc): Promise<void> {
  const files = await FileModel.find({ ownerId, blobId }).lean();
  for (const file of files) await tell(systemScope(ownerId), file, "found to carry a virus, and locked");
}
