// The report of an import as its reader may see it now: who sees a record may have changed since it was written.
import type { ImportKind } from "@app/shared/import-states";
import type { Scope } from "../../core/trpc.ts";
import { kindOf } from "./import-kinds.ts";
import { type ImportProblemDoc, ImportProblemModel } from "./imports.model.ts";

export const NOT_SEEN = "a record you no longer see";
const AT_ONCE = 500;

/** These lines, each naming what its reader sees. */
export async function shownProblems(
  scope: Scope,
  kind: ImportKind,
  docs: ImportProblemDoc[],
): Promise<ImportProblemDoc[]> {
  const kept = docs.filter((doc) => doc.kind === "kept");
  if (!scope.isAssignedOnly || kept.length === 0) return docs;
  const seen = await kindOf(kind).seenAmong(
    scope,
    kept.map(({ recordId }) => recordId),
  );
  return docs.map((doc) => (doc.kind === "kept" && !seen.has(doc.recordId) ? { ...doc, value: NOT_SEEN } : doc));
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
