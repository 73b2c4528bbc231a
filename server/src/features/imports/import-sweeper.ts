// The rows of imports that are over, and what was reported of them, once nobody may undo them any more.
import mongoose from "mongoose";
import { inTransaction } from "../../core/database.ts";
import { atTimes, defineRemoval, removeFrom } from "../../core/removals.ts";
import type { DueTimes } from "../../core/sure-clock.ts";
import { GONE } from "./import-run.ts";
import { IMPORT_KEPT_MS, ImportChunkModel, ImportModel } from "./imports.model.ts";

const BATCH = 200;

defineRemoval({ of: "rows of imports", keptMs: IMPORT_KEPT_MS, remove: removeRows });
defineRemoval({
  of: "reports of imports",
  keptMs: IMPORT_KEPT_MS,
  remove: removeFrom("import_problems", "createdAt"),
});

async function removeRows(times: DueTimes): Promise<number> {
  if (times.length === 0) return 0;
  const inWork = await ImportModel.distinct("_id", {
    status: mongoose.trusted({ $in: ["checking", "importing", "undoing"] as const }),
  }).setOptions({ anyOwner: true });
  const due = await ImportChunkModel.find(
    { ...atTimes("keptFrom", times), importId: mongoose.trusted({ $nin: inWork }) },
    { ownerId: 1, importId: 1 },
  )
    .setOptions({ anyOwner: true })
    .limit(BATCH)
    .lean();
  const imports = new Map(due.map(({ importId, ownerId }) => [importId, ownerId]));
  let count = 0;
  for (const [importId, ownerId] of imports) if (await removeRowsOf(ownerId, importId, times)) count += 1;
  return count;
}

/** All rows of one, which can then neither go on nor be undone; a file that waited for its import says so. */
const removeRowsOf = (ownerId: string, importId: string, times: DueTimes): Promise<boolean> =>
  inTransaction(async () => {
    // Somebody may have started it since it was found.
    if (!(await ImportChunkModel.exists({ ownerId, importId, ...atTimes("keptFrom", times) }))) return false;
    await ImportChunkModel.deleteMany({ ownerId, importId });
    const waits = mongoose.trusted({ $in: ["mapping", "checked"] as const });
    await ImportModel.updateOne(
      { ownerId, _id: importId, status: waits },
      { $set: { status: "mapping", failure: GONE } },
    );
    return true;
  });
