// The files of a case as whoever puts together what a court may see looks at them.
import type { Case } from "@app/shared/cases";
import type { FileMark } from "@app/shared/files";
import { mayPartyRead } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { contentOfFile } from "./file-content.service.ts";
import { type FileDoc, FileModel } from "./files.model.ts";
import { readableOf, readerIdsOf } from "./party-files.service.ts";

export interface CaseFile {
  id: string;
  name: string;
  mime: string;
  sizeBytes: number;
  mark: FileMark;
  createdAt: Date;
  /** The file that this is the shared one of. */
  releasedFromId: string | null;
  /** Everybody who takes part in the case may read it, and it is in nobody's confidence. */
  isForAll: boolean;
  /** Who of those who take part may read it; nobody where it is in somebody's confidence. */
  readerIds: string[];
  read: () => Promise<Buffer>;
}

/** Those that this person may read, the oldest first. */
export async function filesOfCase(scope: Scope, theCase: Case, limit: number): Promise<CaseFile[]> {
  const filter = { ownerId: scope.ownerId, caseId: theCase.id, deletedAt: null };
  const docs = await FileModel.find({ ...filter, ...readableFilter(staffReader(scope, theCase)) })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .lean();
  return docs.map((doc) => toCaseFile(doc, theCase));
}

const toCaseFile = (doc: FileDoc, { parties }: Case): CaseFile => ({
  id: doc._id,
  name: doc.name,
  mime: doc.mime,
  sizeBytes: doc.sizeBytes,
  mark: doc.mark,
  createdAt: doc.createdAt,
  releasedFromId: doc.releasedFromId,
  isForAll: isForAll(doc, parties),
  readerIds: readersIn(doc, parties),
  read: () => contentOfFile(doc),
});

const isForAll = (doc: FileDoc, parties: Case["parties"]): boolean =>
  doc.visibility.scope === "shared" &&
  parties.filter(({ leftAt }) => leftAt === null).every((party) => mayPartyRead(readableOf(doc), party));

const readersIn = (doc: FileDoc, parties: Case["parties"]): string[] =>
  doc.visibility.aboutPartyIds.length > 0
    ? []
    : (readerIdsOf(
        doc,
        parties.filter(({ leftAt }) => leftAt === null),
      ) ?? []);
