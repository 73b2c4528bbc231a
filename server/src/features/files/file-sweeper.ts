import mongoose from "mongoose";
import { DAY_MS, HOUR_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { atTimes } from "../../core/removals.ts";
import { openQueue } from "../../core/set-aside.ts";
import { type DueTimes, surelyBefore } from "../../core/sure-clock.ts";
import { findLeftovers, giveUpLeftover, releaseBlob, removeContent, sweepSpool } from "./blobs.service.ts";
import { giveBackSpace, isContentUsed } from "./content-uses.service.ts";
import type { LeftoverDoc } from "./blobs.model.ts";
import { type FileDoc, FileModel } from "./files.model.ts";
import { scanContents } from "./later-scans.ts";

const KEPT_MS = 30 * DAY_MS;
const BATCH = 200;

defineRepeatedJob({ name: "sweep files", everyMs: HOUR_MS, run: sweepFiles });

const round = (log: Logger) => ({ log, againAfterMs: DAY_MS });

/** Removes what was deleted long ago, with contents that no file has any more, and what uploads left behind. */
export async function sweepFiles(log: Logger): Promise<void> {
  const times = await surelyBefore(KEPT_MS, log);
  if (times && times.length > 0) await sweepDeleted(times, log);
  await sweepSpool();
  await scanContents(log);
  const leftovers = await openQueue("remove what uploads left");
  await leftovers.each(await findLeftovers(leftovers.held), {
    ...round(log),
    keyOf: ({ _id }) => String(_id),
    work: sweepLeftover,
  });
}

async function sweepDeleted(times: DueTimes, log: Logger): Promise<void> {
  const deleted = await openQueue("remove deleted files");
  const due = await FileModel.find({ _id: mongoose.trusted({ $nin: deleted.held }), ...atTimes("deletedAt", times) })
    .setOptions({ anyOwner: true })
    .limit(BATCH)
    .lean<FileDoc[]>();
  await deleted.each(due, { ...round(log), keyOf: ({ _id }) => _id, work: (file) => purge(file, times) });
  if (due.length > 0) log.info({ count: due.length }, "deleted files removed");
}

async function purge({ _id, ownerId, blobId, sizeBytes }: FileDoc, times: DueTimes): Promise<void> {
  const content = await inTransaction(async () => {
    // It may have been brought back since it was found.
    const { deletedCount } = await FileModel.deleteOne({ ownerId, _id, ...atTimes("deletedAt", times) });
    if (deletedCount === 0 || (await isContentUsed(ownerId, blobId))) return null;
    await giveBackSpace(ownerId, sizeBytes);
    return releaseBlob(ownerId, blobId);
  });
  if (content) await removeContent(ownerId, content);
}

async function sweepLeftover(leftover: LeftoverDoc): Promise<void> {
  const { _id, ownerId, blobId } = leftover;
  const isUnclaimed = await inTransaction(async () => giveUpLeftover(leftover, await isContentUsed(ownerId, blobId)));
  if (isUnclaimed) await removeContent(ownerId, _id);
}
