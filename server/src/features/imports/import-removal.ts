// An import that goes is seen no more from one moment to the next; its many rows and what was told of them follow.
import { abandonedAmong } from "../../core/holding.ts";
import { ImportChunkModel, type ImportDoc, ImportModel, ImportProblemModel } from "./imports.model.ts";

const GOES = { $set: { isGoing: true, isComplete: false, status: "mapping" as const, heldBy: "" } };

/** Removes an import with its rows and its report; tells whether it was there, and still in this state. */
export async function removeImport(
  ownerId: string,
  { _id, status }: Pick<ImportDoc, "_id" | "status">,
): Promise<boolean> {
  const { matchedCount } = await ImportModel.updateOne({ ownerId, _id, status, isGoing: null }, GOES);
  if (matchedCount === 0) return false;
  await removeRest(ownerId, _id);
  return true;
}

async function removeRest(ownerId: string, _id: string): Promise<void> {
  await ImportChunkModel.deleteMany({ ownerId, importId: _id });
  await ImportProblemModel.deleteMany({ ownerId, importId: _id });
  await ImportModel.deleteOne({ ownerId, _id, isGoing: true });
}

/** Removes files that never arrived whole, and what is left of imports that go, where the process died meanwhile. */
export async function sweepBroken(): Promise<void> {
  const broken = await ImportModel.find({ status: "mapping", isComplete: false }, { ownerId: 1, heldBy: 1 })
    .setOptions({ anyOwner: true })
    .lean();
  for (const { _id, ownerId, heldBy } of await abandonedAmong(broken)) {
    // It may have arrived since it was read.
    const { matchedCount } = await ImportModel.updateOne({ ownerId, _id, heldBy, isComplete: false }, GOES);
    if (matchedCount > 0) await removeRest(ownerId, _id);
  }
}
