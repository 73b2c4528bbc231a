import mongoose from "mongoose";
import { ImportModel } from "./imports.model.ts";

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
