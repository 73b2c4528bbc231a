// The report of an import as its reader may see it now: who sees a record may have changed since it was written.
import type { ImportKind } from "@app/shared/import-states";
import type { Scope } from "../../core/trpc.ts";
import { kindOf } from "./import-kinds.ts";
import { type ImportProblemDoc, ImportProblemModel } from "./imports.model.ts";

export const NOT_SEEN = "a record you no longer see";
const AT_ONCE = 500;
/** How a line speaks of a stored record whose name not everybody reads. */
const UNNAMED = /^A (client|contact|case) of the practice/;
const OLD_DUPLICATE = "A record of the practice is the same.";

/** These lines, each naming what its reader sees. */
export async function shownProblems(
  scope: Scope,
  kind: ImportKind,
  docs: ImportProblemDoc[],
): Promise<ImportProblemDoc[]> {
  const ids = docs.map(({ recordId }) => recordId).filter(Boolean);
  const seen = scope.isAssignedOnly ? await kindOf(kind).seenAmong(scope, ids) : new Set(ids);
  return docs.map((doc) => {
    if (doc.kind === "kept") return scope.isAssignedOnly && !seen.has(doc.recordId) ? { ...doc, value: NOT_SEEN } : doc;
    if (doc.recordName && seen.has(doc.recordId))
      return { ...doc, message: doc.message.replace(UNNAMED, () => doc.recordName ?? "") };
    const mayName = doc.kind === "duplicate" && doc.recordName === undefined && !doc.message.startsWith("Row ");
    return mayName && scope.isAssignedOnly ? { ...doc, message: OLD_DUPLICATE } : doc;
  });
}

/** The whole report, row by row. */
export async function* problemsOf(scope: Scope, importId: string, kind: ImportKind): AsyncGenerator<ImportProblemDoc> {
  const cursor = ImportProblemModel.find({ ownerId: scope.ownerId, importId }).sort({ row: 1, _id: 1 }).lean().cursor();
  let batch: ImportProblemDoc[] = [];
  for await (const doc of cursor) {
    batch.push(doc);
    if (batch.length < AT_ONCE) continue;
    yield* await shownProblems(scope, kind, batch);
    batch = [];
  }
  yield* await shownProblems(scope, kind, batch);
}
