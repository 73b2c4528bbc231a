import mongoose from "mongoose";
import { NO_MARK } from "@app/shared/files";
import type { Logger } from "../../core/logger.ts";
import { now } from "../../core/clock.ts";
import { FileModel } from "./files.model.ts";

/** When the names of files changed. Of those that were changed in some way nobody knows when: for the rules, now. */
export async function timesOfFiles(log: Logger): Promise<void> {
  const docs = FileModel.find({ changedAt: null }, { ownerId: 1, createdAt: 1, version: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  let noted = 0;
  for await (const { _id, ownerId, createdAt, version } of docs) {
    const changedAt = version === 0 ? createdAt : now();
    await FileModel.updateOne({ _id, ownerId, changedAt: null }, { $set: { changedAt } });
    noted += 1;
  }
  log.info({ files: noted }, "times of files noted");
}

/** Files for the eyes of several that were moved bore each one's confidence, so that nobody could read them any more. */
export async function filesOfSeveral(log: Logger): Promise<void> {
  const broken = {
    "visibility.scope": "party" as const,
    "visibility.aboutPartyIds.1": mongoose.trusted({ $exists: true }),
  };
  const { modifiedCount } = await FileModel.updateMany(broken, { $set: { "visibility.aboutPartyIds": [] } }).setOptions(
    {
      anyOwner: true,
    },
  );
  log.info({ files: modifiedCount }, "files for the eyes of several are theirs together");
}

/** Nobody said of these files whether a court may see them, and nobody noted which of them a mail took outside. */
export async function marksOfFiles(): Promise<void> {
  const set = { $set: { mark: NO_MARK, sentAt: null }, $inc: { version: 1 } };
  await FileModel.collection.updateMany({ mark: { $exists: false } }, set);
}
