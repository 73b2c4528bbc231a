// The files that stay in a case, and what may be let out of it of them.
import mongoose from "mongoose";
import type { Case } from "@app/shared/cases";
import { MARKED_FILES_MAX, type MarkedFiles } from "@app/shared/files";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { readableFilter, staffReader } from "../visibility/visibility.service.ts";
import { FileModel } from "./files.model.ts";

/** The newest first; with those that were let out, however old they are. */
export async function markedFiles(scope: Scope, { caseId }: { caseId: string }): Promise<MarkedFiles> {
  const theCase = await getCase(scope, caseId);
  const newest = await FileModel.find(readableIn(scope, theCase, {}))
    .sort({ createdAt: -1, _id: -1 })
    .limit(MARKED_FILES_MAX + 1)
    .lean();
  const shown = newest.slice(0, MARKED_FILES_MAX);
  const letOut = theCase.disclosures.flatMap(({ fileIds }) => fileIds);
  const older = letOut.filter((id) => !shown.some(({ _id }) => _id === id));
  const others = await FileModel.find(readableIn(scope, theCase, { _id: mongoose.trusted({ $in: older }) })).lean();
  return {
    items: [...shown, ...others].map(({ _id, name, mark }) => ({ id: _id, name, mark })),
    isComplete: newest.length <= MARKED_FILES_MAX,
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

/** What these are called, as far as they are files of this case that this person may read. */
export async function namesOfFiles(
  scope: Scope,
  theCase: Pick<Case, "id" | "mediators">,
  fileIds: readonly string[],
): Promise<Map<string, string>> {
  if (fileIds.length === 0) return new Map();
  const which = readableIn(scope, theCase, { _id: mongoose.trusted({ $in: [...fileIds] }) });
  const docs = await FileModel.find(which, { name: 1 }).lean();
  return new Map(docs.map(({ _id, name }) => [_id, name]));
}

const readableIn = (scope: Scope, theCase: Pick<Case, "id" | "mediators">, which: Record<string, unknown>) => ({
  ownerId: scope.ownerId,
  caseId: theCase.id,
  deletedAt: null,
  $and: [readableFilter(staffReader(scope, theCase)), which],
});
