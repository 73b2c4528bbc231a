import mongoose from "mongoose";
import { isDuplicateKey } from "../../core/database.ts";
import { openRecordTurns } from "../../core/turns.ts";
import { ImportChunkModel, ImportModel } from "./imports.model.ts";

/** Until now an import ran with the rights that its uploader had once had; these are not kept any more. */
export async function whoStartedImports(): Promise<void> {
  const old = ImportModel.collection.find({ uploadedBy: mongoose.trusted({ $exists: false }) });
  for await (const { _id, actor } of old) {
    const userId = String(actor?.userId ?? "");
    await ImportModel.collection.updateOne(
      { _id },
      { $set: { uploadedBy: userId, startedBy: userId }, $unset: { actor: "" } },
    );
  }
}

/** What imports of before made, and may take back. */
export async function turnsOfImports(): Promise<void> {
  const chunks = ImportChunkModel.find({ "made.0": mongoose.trusted({ $exists: true }) }, { ownerId: 1, made: 1 })
    .setOptions({ anyOwner: true })
    .lean()
    .cursor();
  for await (const { ownerId, made } of chunks)
    await openRecordTurns(
      ownerId,
      made.map(({ id }) => id),
    ).catch((error: unknown) => {
      // A run of before that did not come to its end made some of them.
      if (!isDuplicateKey(error)) throw error;
    });
}
