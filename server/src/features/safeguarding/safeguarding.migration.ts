import { type EntryVersion, entryVersionSchema } from "@app/shared/safeguarding";
import mongoose from "mongoose";
import { z } from "zod";
import { decrypt } from "../../core/crypto.ts";
import { earlierWording, SafeguardingModel, sealLatest, WordingModel } from "./safeguarding.model.ts";

const oldEntrySchema = z.object({ _id: z.string(), ownerId: z.string(), version: z.number(), versionsEnc: z.string() });

/**
 * Entries that held all their wordings in one sealed text: the newest beside the earlier ones, each by itself. The old
 * text goes when all of it is kept anew, so that this may end at any moment and be begun again.
 */
export async function wordingsApart(): Promise<void> {
  const entries = mongoose.connection.collection<{ _id: string }>("safeguarding_entries");
  const old = entries.find({ versionsEnc: { $exists: true } }, { batchSize: 4 });
  for await (const stored of old) {
    const entry = oldEntrySchema.parse(stored);
    const { _id, ownerId, versionsEnc } = entry;
    const [latest, ...earlier] = openAll(entry);
    const begun = earlier.at(-1) ?? latest;
    if (!latest || !begun) throw new Error(`the safeguarding entry ${_id} has no wording`);
    // Counted anew: every amendment made one more, and the numbers of the wordings follow from theirs.
    const version = earlier.length;
    for (const [index, wording] of earlier.entries()) {
      const doc = earlierWording(entry, version - 1 - index, wording);
      await WordingModel.replaceOne({ _id: doc._id, ownerId }, doc, { upsert: true });
    }
    const $set = { latestEnc: sealLatest(ownerId, _id, latest), begunAt: new Date(begun.at), version };
    await entries.updateOne({ _id, versionsEnc }, { $set, $unset: { versionsEnc: "" } });
  }
}

const openAll = ({ _id, ownerId, versionsEnc }: z.infer<typeof oldEntrySchema>): EntryVersion[] =>
  z.array(entryVersionSchema).parse(JSON.parse(decrypt(versionsEnc, `safeguarding_entries:${ownerId}:${_id}`)));

/** Entries from before a finding could open one: somebody wrote each of them. */
export async function entriesThatAreKept(): Promise<void> {
  await SafeguardingModel.updateMany(
    { state: mongoose.trusted({ $exists: false }) },
    { $set: { state: "kept", opened: null } },
  ).setOptions({ anyOwner: true });
}
