import mongoose from "mongoose";
import type { z } from "zod";
import { ROLES } from "@app/shared/access";
import { mayImport } from "@app/shared/team-access";
import type { ImportKind } from "@app/shared/import-states";
import {
  type checkImportSchema,
  columnsProblem,
  type DataImport,
  IMPORT_KEPT_DAYS,
  type importPageSchema,
  type listImportsSchema,
  type listProblemsSchema,
  NO_COUNTS,
  type problemPageSchema,
  type undoImportSchema,
  type UndoResult,
} from "@app/shared/imports";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { now } from "../../core/clock.ts";
import { badField, conflict, forbidden, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { Table } from "../../core/xlsx.ts";
import { shownProblems } from "./import-problems.ts";
import { assertMayBecome } from "./import-states.ts";
import { changedSince } from "./import-undo.ts";
import { removeImport } from "./import-removal.ts";
import { importTurns, rowsOf } from "./import-run.ts";
import {
  ImportChunkModel,
  type ImportDoc,
  ImportModel,
  ImportProblemModel,
  problemsOf,
  toImport,
} from "./imports.model.ts";

/** The imports that this person may see: their own, because a file holds whatever its uploader had; the owner sees all. */
const visibleTo = (scope: Scope) => ({
  ownerId: scope.ownerId,
  isComplete: true,
  ...(scope.role === ROLES.owner ? {} : { uploadedBy: scope.userId }),
});

/** Whoever imports can write what is imported, beside the permission to move data in and out. */
export function assertMayImport(scope: Scope, kind: ImportKind): void {
  if (!mayImport(scope, kind))
    throw forbidden(`You do not have permission to import ${kind}. Ask the owner of the practice.`);
}

/** An import that this person may have rows of stored, or taken back; whoever may not any more can still stop or forget it. */
async function findForWork(scope: Scope, id: string): Promise<ImportDoc> {
  const doc = await findImport(scope, id);
  assertMayImport(scope, doc.kind);
  return doc;
}

async function findImport(scope: Scope, id: string): Promise<ImportDoc> {
  const doc = await ImportModel.findOne({ ...visibleTo(scope), _id: id }).lean();
  if (!doc) throw notFound("Import");
  return doc;
}

export async function getImport(scope: Scope, id: string): Promise<DataImport> {
  return toImport(await findImport(scope, id));
}

export async function listImports(
  scope: Scope,
  { page }: z.output<typeof listImportsSchema>,
): Promise<z.infer<typeof importPageSchema>> {
  const [docs, total] = await Promise.all([
    ImportModel.find(visibleTo(scope))
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    ImportModel.countDocuments(visibleTo(scope)).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toImport), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

export async function listProblems(
  scope: Scope,
  { id, page }: z.output<typeof listProblemsSchema>,
): Promise<z.infer<typeof problemPageSchema>> {
  const doc = await findImport(scope, id);
  const filter = problemsOf(doc);
  const [docs, total] = await Promise.all([
    ImportProblemModel.find(filter)
      .sort({ row: 1, _id: 1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    ImportProblemModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  const items = await shownProblems(scope, doc.kind, docs);
  return { items, total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** Each row as it stood in the file that was not imported, below the file's headings: to be mended and chosen again. */
export async function leftOutRows(scope: Scope, importId: string): Promise<Table> {
  const doc = await findImport(scope, importId);
  return { headings: doc.headings, rows: leftOutOf(doc) };
}

async function* leftOutOf(doc: ImportDoc): AsyncGenerator<string[]> {
  const { ownerId, _id: importId } = doc;
  const isLeftOut = mongoose.trusted({ $ne: "note" as const });
  const told = await ImportProblemModel.distinct("row", { ...problemsOf(doc), kind: isLeftOut });
  const chunks = ImportChunkModel.find({ ownerId, importId }).sort({ from: 1 }).lean().cursor();
  const isTold = new Set(told);
  for await (const chunk of chunks) {
    const made = new Set(chunk.made.map(({ row }) => row));
    for (const { row, cells } of rowsOf(chunk)) if (isTold.has(row) && !made.has(row)) yield cells;
  }
}

type Change = Partial<Pick<ImportDoc, "columns" | "duplicates" | "dateOrder" | "counts" | "done" | "failure">>;
interface Move {
  status: ImportDoc["status"];
  change: Change;
}

/** Moves an import on from where it is, and sets the server to work on it. */
async function moveTo(scope: Scope, doc: ImportDoc, moveOf: (doc: ImportDoc) => Move): Promise<DataImport> {
  const { status, change } = moveOf(doc);
  assertMayBecome(doc.status, status);
  // What was told of the rows before is told no longer; whoever works on it removes that.
  const begins = change.done === 0 && status !== "undoing";
  const moved = await ImportModel.findOneAndUpdate(
    { ownerId: scope.ownerId, _id: doc._id, status: doc.status },
    {
      $set: { ...change, status, startedBy: scope.userId, startedAt: now() },
      ...(begins ? { $inc: { pass: 1 } } : {}),
    },
    { returnDocument: "after", lean: true },
  );
  // Somebody else moved it meanwhile: say what is possible now.
  if (!moved) return moveTo(scope, await findImport(scope, doc._id), moveOf);
  importTurns.add({ ownerId: doc.ownerId, id: doc._id });
  return toImport(moved);
}

/** Goes through all rows and reports what would happen; nothing is stored. */
export async function checkImport(
  scope: Scope,
  { id, ...options }: z.output<typeof checkImportSchema>,
): Promise<DataImport> {
  const doc = await findForWork(scope, id);
  const problem = columnsProblem(doc.kind, options.columns);
  if (problem) throw badField("columns", problem);
  if (options.columns.length !== doc.headings.length)
    throw badField("columns", "Say for each column of the file what it is, or that it is left out.");
  return moveTo(scope, doc, () => ({
    status: "checking",
    change: { ...options, counts: NO_COUNTS, done: 0, failure: "" },
  }));
}

/** Imports what the check found ready; one that was stopped goes on where it stopped. */
export async function startImport(scope: Scope, id: string): Promise<DataImport> {
  const doc = await findForWork(scope, id);
  assertMayBecome(doc.status, "importing");
  // The time in which it can be undone begins now.
  await ImportChunkModel.updateMany({ ownerId: doc.ownerId, importId: doc._id }, { $set: { keptFrom: now() } });
  return moveTo(scope, doc, ({ status }) => ({
    status: "importing",
    change: status === "checked" ? { counts: NO_COUNTS, done: 0, failure: "" } : { failure: "" },
  }));
}

/** Stops after the rows that are in work: a check is forgotten, an import keeps what it has stored. */
export async function cancelImport(scope: Scope, id: string): Promise<DataImport> {
  const doc = await findImport(scope, id);
  return moveTo(scope, doc, ({ status }) => ({
    status: status === "checking" ? "mapping" : "cancelled",
    change: { failure: "" },
  }));
}

async function assertStillKept({ ownerId, _id, counts }: ImportDoc): Promise<void> {
  const isMade = mongoose.trusted({ $exists: true });
  const isKept = await ImportChunkModel.exists({ ownerId, importId: _id, "made.0": isMade });
  if (!isKept && counts.imported > counts.undone + counts.kept)
    throw wrongState(
      `This import is more than ${IMPORT_KEPT_DAYS} days old, so it can no longer be undone as a whole.`,
    );
}

/** Takes back all that was imported; where some of it was changed since, says which before anything happens. */
export async function undoImport(
  scope: Scope,
  { id, keepsChanged }: z.output<typeof undoImportSchema>,
): Promise<UndoResult> {
  const doc = await findForWork(scope, id);
  assertMayBecome(doc.status, "undoing");
  await assertStillKept(doc);
  const changed = keepsChanged ? null : await changedSince(scope, doc);
  if (changed && changed.total > 0) return { outcome: "changed", ...changed };
  await moveTo(scope, doc, () => ({ status: "undoing", change: { failure: "" } }));
  return { outcome: "started" };
}

/** Forgets a file of which nothing is imported. */
export async function discardImport(scope: Scope, id: string): Promise<void> {
  const doc = await findImport(scope, id);
  assertMayBecome(doc.status, "discarded");
  if (!(await removeImport(scope.ownerId, doc)))
    throw conflict("Somebody went on with this import at this moment. Look how far it is by now.");
}
