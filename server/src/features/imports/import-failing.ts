// An import that cannot go on by itself: it says so, and whoever sees it can check it again, go on with it, or undo it.
import mongoose from "mongoose";
import { abandonedAmong } from "../../core/holding.ts";
import type { Task } from "../../core/work-turns.ts";
import { type ImportDoc, ImportModel } from "./imports.model.ts";

export type Held = Pick<ImportDoc, "ownerId" | "_id" | "heldBy">;

interface Words {
  ofCheck: string;
  ofRows: string;
}

export const FAILED: Words = {
  ofCheck: "Something went wrong while the rows were checked. Check them again.",
  ofRows:
    "Something went wrong while the rows were stored. Those before are stored. Try to go on, or undo what was imported.",
};

const STOPPED =
  "The server stopped three times while it worked on these rows, so it does not go on with them by itself.";
const DEADLY: Words = {
  ofCheck: `${STOPPED} Divide the file, leave out what is unusual, and tell whoever runs this installation.`,
  ofRows: `${STOPPED} Those before are stored. Undo what was imported, and tell whoever runs this installation.`,
};

export const running = () => ({ status: mongoose.trusted({ $in: ["checking", "importing", "undoing"] as const }) });

/** As long as it is held as it was. */
export async function failImport(of: Held, { ofCheck, ofRows }: Words): Promise<void> {
  await ImportModel.updateOne(
    { ...of, status: "checking" },
    { $set: { status: "mapping", failure: ofCheck, heldBy: "" } },
  );
  for (const status of ["importing", "undoing"] as const)
    await ImportModel.updateOne({ ...of, status }, { $set: { status: "failed", failure: ofRows, heldBy: "" } });
}

/** No process survived it. */
export async function setImportAside({ ownerId, id: _id }: Task): Promise<void> {
  const found = await ImportModel.find({ ownerId, _id, ...running() }, { heldBy: 1 }).lean();
  for (const { heldBy } of await abandonedAmong(found)) await failImport({ ownerId, _id, heldBy }, DEADLY);
}
