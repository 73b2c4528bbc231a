// Which files of the practice a content is that comes from elsewhere, such as a mail that another program sends.
import { createHash } from "node:crypto";
import mongoose from "mongoose";
import { inPieces } from "../../core/slices.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { blobIdOf } from "./blobs.service.ts";
import { type FileDoc, FileModel } from "./files.model.ts";
import { isKeptBack, readerIdsOf } from "./party-files.service.ts";

interface KeptCopy {
  fileId: string;
  caseId: string | null;
  /** The parties of that case who may read it; of no case, null where the client may. */
  readerIds: string[] | null;
}

/**
 * Of each of these contents that is kept as files which stay inside their case, where it is kept. One that is also kept
 * where nothing holds it, such as a leaflet, may go to everybody.
 */
export async function keptCopies(ownerId: string, contents: readonly Buffer[]): Promise<KeptCopy[][]> {
  const blobIds: string[] = [];
  for (const content of contents) if (content.length > 0) blobIds.push(blobIdOf(ownerId, await digestOf(content)));
  if (blobIds.length === 0) return [];
  const docs = await FileModel.find({ ownerId, blobId: mongoose.trusted({ $in: blobIds }) }).lean();
  const copies = [...Map.groupBy(docs, ({ blobId }) => blobId).values()]
    .filter((same) => !same.some(isForEverybody))
    .map((same) => same.filter(isKeptBack))
    .filter((kept) => kept.length > 0);
  const cases = await findVisibleCases(
    systemScope(ownerId),
    copies.flat().flatMap(({ caseId }) => caseId ?? []),
  );
  const partiesOf = (caseId: string | null) => cases.find(({ id }) => id === caseId)?.parties ?? [];
  return copies.map((same) =>
    same.map((doc) => ({
      fileId: doc._id,
      caseId: doc.caseId,
      readerIds: readerIdsOf(doc, partiesOf(doc.caseId)),
    })),
  );
}

/** The practice's own: kept for a client, it is theirs, and lets nothing out of a case. */
const isForEverybody = (doc: FileDoc): boolean => doc.clientId === null && !isKeptBack(doc);

async function digestOf(content: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of inPieces(content)) hash.update(piece);
  return hash.digest("hex");
}
