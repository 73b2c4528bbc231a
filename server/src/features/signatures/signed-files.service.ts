// Which file each signed one was made from.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { SignatureModel } from "./signatures.model.ts";

/** The ids of the files that were sent out to be signed, by the id of the sealed one. */
export async function sourcesOfSigned({ ownerId }: Scope, caseId: string): Promise<Map<string, string>> {
  const sealed = { ownerId, caseId, sealedFileId: mongoose.trusted({ $ne: null }) };
  const docs = await SignatureModel.find(sealed, { fileId: 1, sealedFileId: 1 }).lean();
  return new Map(docs.map(({ fileId, sealedFileId }) => [sealedFileId ?? "", fileId]));
}
