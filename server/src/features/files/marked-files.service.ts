// The files that stay in a case, and what may be let out of it of them.
import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { MARKED_FILES_MAX, type MarkedFiles } from "@app/shared/files";
import { PRIVILEGES, staysInCase } from "@app/shared/privileges";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { FileModel } from "./files.model.ts";

/** The newest first; with those that were let out, whatever they are marked as by now. */
export async function markedFiles(scope: Scope, { caseId }: { caseId: string }): Promise<MarkedFiles> {
  const theCase = await getCase(scope, caseId);
  const either = [
    { "mark.privilege": mongoose.trusted({ $in: PRIVILEGES.filter(staysInCase) }) },
    { _id: mongoose.trusted({ $in: theCase.disclosures.flatMap(({ fileIds }) => fileIds) }) },
  ];
  const docs = await FileModel.find(readableIn(scope, theCase, { $or: either }))
    .sort({ createdAt: -1, _id: -1 })
    .limit(MARKED_FILES_MAX + 1)
    .lean();
  return {
    items: docs.slice(0, MARKED_FILES_MAX).map(({ _id, name, mark }) => ({ id: _id, name, mark })),
    isComplete: docs.length <= MARKED_FILES_MAX,
  };
}

/** When each of these came to be what it is, as far as they are files of this case that this person may read. */
export async function filesOf(
  scope: Scope,
  theCase: Pick<Case, "id" | "mediators">,
  fileIds: readonly string[],
): Promise<{ id: string; saidAt: Date }[]> {
  const which = readableIn(scope, theCase, { _id: mongoose.trusted({ $in: [...fileIds] }) });
  const docs = await FileModel.find(which, { changedAt: 1 }).lean();
  return docs.map(({ _id, changedAt }) => ({ id: _id, saidAt: changedAt }));
}

const readableIn = (scope: Scope, theCase: Pick<Case, "id" | "mediators">, which: Record<string, unknown>) => ({
  ownerId: scope.ownerId,
  caseId: theCase.id,
  deletedAt: null,
  $and: [readableFilter(staffReader(scope, theCase)), which],
});
