// What somebody began by a general address and never sent goes, with its files, once nobody saved it for a month.
import { DRAFT_KEPT_DAYS } from "@app/shared/submission-limits";
import { DAY_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { atTimes, defineRemoval } from "../../core/removals.ts";
import type { DueTimes } from "../../core/sure-clock.ts";
import { dropFilesOf } from "./form-files.service.ts";
import { SubmissionModel } from "./submissions.model.ts";

const BATCH = 200;

defineRemoval({ of: "forms that nobody finished", keptMs: DRAFT_KEPT_DAYS * DAY_MS, remove: removeOldDrafts });

async function removeOldDrafts(times: DueTimes): Promise<number> {
  if (times.length === 0) return 0;
  const due = { status: "in_progress" as const, linkId: null, ...atTimes("savedAt", times) };
  const docs = await SubmissionModel.find(due, { ownerId: 1 }).setOptions({ anyOwner: true }).limit(BATCH).lean();
  let count = 0;
  for (const { ownerId, _id } of docs)
    count += await inTransaction(async () => {
      const { deletedCount } = await SubmissionModel.deleteOne({ ...due, ownerId, _id });
      if (deletedCount > 0) await dropFilesOf({ ownerId, _id });
      return deletedCount;
    });
  return count;
}
