// Which files of the practice a content is that comes from elsewhere, such as a mail that another program sends.
import { createHash } from "node:crypto";
import mongoose from "mongoose";
import { isKeptInside } from "@app/shared/privileges";
import { inPieces } from "../../core/slices.ts";
import { blobIdOf } from "./blobs.service.ts";
import { FileModel } from "./files.model.ts";

/**
 * Of each of these contents that is kept as files which stay inside their case, where it is kept. One that is also kept
 * where nothing holds it, such as a leaflet, may go to everybody.
 */
export async function keptCopies(
  ownerId: string,
  contents: readonly Buffer[],
): Promise<{ fileId: string; caseId: string | null }[][]> {
  const blobIds: string[] = [];
  for (const content of contents) if (content.length > 0) blobIds.push(blobIdOf(ownerId, await digestOf(content)));
  if (blobIds.length === 0) return [];
  const docs = await FileModel.find(
    { ownerId, blobId: mongoose.trusted({ $in: blobIds }) },
    { blobId: 1, caseId: 1, mark: 1 },
  ).lean();
  const copies = [...Map.groupBy(docs, ({ blobId }) => blobId).values()];
  return copies
    .filter((same) => same.every(isKeptInside))
    .map((same) => same.map(({ _id, caseId }) => ({ fileId: _id, caseId })));
}

async function digestOf(content: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of inPieces(content)) hash.update(piece);
  return hash.digest("hex");
}
