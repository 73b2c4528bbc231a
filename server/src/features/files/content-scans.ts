// Contents are scanned for viruses before they are kept; where the scanner did not answer then, later.
import { createReadStream } from "node:fs";
import mongoose from "mongoose";
import { isScanning, scanned } from "../../core/clamd.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, busy } from "../../core/errors.ts";
import type { Asker } from "../../core/fair-turns.ts";
import type { Logger } from "../../core/logger.ts";
import { settings } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import { recordEvent } from "../history/history.service.ts";
import { lineVisibility } from "@app/shared/visibility";
import { type BlobDoc, BlobModel, type Scan } from "./blobs.model.ts";
import { contentOf } from "./blobs.service.ts";
import { kindOf } from "./file-kinds.service.ts";
import { FileModel } from "./files.model.ts";

const SCANNED_AT_ONCE = 100;

interface Examined {
  mime: string;
  /** Undefined where no scanner is set up. */
  scan: Scan | undefined;
}

/** What a spooled content is, and whether it was scanned. Throws BAD_REQUEST for one that carries a virus. */
export async function examine(
  asker: Asker,
  spooled: { path: string; name: string; pixelsMax?: number },
): Promise<Examined> {
  const mime = await kindOf(asker, spooled);
  if (!isScanning()) return { mime, scan: undefined };
  const verdict = await scanned(createReadStream(spooled.path));
  if (verdict === "infected") throw badField("name", "This file carries a virus, so it was not kept.");
  if (verdict === "unknown" && settings().CLAMD_REQUIRED)
    throw busy("The virus scanner does not answer, so this file was not kept. Try again in a few minutes.");
  return { mime, scan: verdict === "clean" ? "clean" : "unscanned" };
}

/** Scans what was kept while the scanner did not answer, or before there was one. */
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
  for (const { _id, name, caseId, clientId, visibility } of files)
    await recordEvent(systemScope(ownerId), {
      kind: "file",
      text: `File found to carry a virus, and locked: ${name}`,
      caseId,
      clientIds: clientId ? [clientId] : [],
      visibility: lineVisibility(visibility),
      subjectId: _id,
    });
}
