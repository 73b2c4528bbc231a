// Which files of the practice a content is that comes from elsewhere, such as a mail that another program sends.
import { createHash } from "node:crypto";
import { staysInCase } from "@app/shared/privileges";
import { withoutMetadata } from "../../core/images.ts";
import { inPieces } from "../../core/slices.ts";
import { blobIdOf } from "./blobs.service.ts";
import { placesOfContents } from "./content-uses.service.ts";
import type { FileDoc } from "./files.model.ts";
import { isKeptBack, partiesOfFiles, readerIdsOf } from "./party-files.service.ts";

interface KeptCopy {
  fileId: string;
  caseId: string | null;
  /** Whose it is, of no case. */
  clientId: string | null;
  /** Whether it stays inside; else all that matters is whose it is. */
  isHeld: boolean;
  /** The parties of that case who may read it; of no case, null where the client may. */
  readerIds: string[] | null;
}

/**
 * Of each of these contents that is kept as files which are somebody's, every place in which it is kept: as it comes, and
 * as it would be kept, because of a photograph the original has in it what the kept one has not.
 */
export async function keptCopies(ownerId: string, contents: readonly Buffer[]): Promise<KeptCopy[][]> {
  const blobIds: string[] = [];
  const forms = contents.flatMap((content) => [...new Set([content, withoutMetadata(content)])]);
  for (const form of forms) if (form.length > 0) blobIds.push(blobIdOf(ownerId, await digestOf(form)));
  return placesOf(ownerId, blobIds);
}

/** The same of these files: a second record of a content lets nothing out of a case that the first keeps in. */
export const keptPlaces = (ownerId: string, docs: readonly Pick<FileDoc, "blobId">[]): Promise<KeptCopy[][]> =>
  placesOf(
    ownerId,
    docs.map(({ blobId }) => blobId),
  );

/**
 * What was kept where nothing holds it before it came into any case goes to those whose it is in one place or another,
 * unless some place keeps it from somebody. What a case had first, no later copy lets out.
 */
async function placesOf(ownerId: string, blobIds: readonly string[]): Promise<KeptCopy[][]> {
  if (blobIds.length === 0) return [];
  const docs = await placesOfContents(ownerId, blobIds);
  const copies = [...Map.groupBy(docs, ({ blobId }) => blobId).values()].map((same) => ({
    same,
    isHeld: same.some(isKeptBack) && !wasOpenFirst(same),
  }));
  const partiesOf = await partiesOfFiles(ownerId, docs);
  return copies.map(({ same, isHeld }) =>
    same.map((doc) => ({
      fileId: doc._id,
      caseId: doc.caseId,
      clientId: doc.caseId === null ? doc.clientId : null,
      isHeld,
      // What was deleted keeps in what it kept in, and lets nothing out.
      readerIds: doc.deletedAt ? [] : readerIdsOf(doc, partiesOf(doc)),
    })),
  );
}

function wasOpenFirst(same: readonly FileDoc[]): boolean {
  const held = same.filter(isKeptBack);
  const wasThere = (doc: FileDoc) => held.every(({ createdAt }) => doc.createdAt < createdAt);
  return (
    same.some((doc) => doc.deletedAt === null && !isKeptBack(doc) && wasThere(doc)) &&
    same.every(({ mark, visibility }) => !staysInCase(mark.privilege) && visibility.scope === "shared")
  );
}

async function digestOf(content: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of inPieces(content)) hash.update(piece);
  return hash.digest("hex");
}
