// The work on an import: in pieces, each of which is stored with how far it got, so that another process can go on.
import { openRecordTurns } from "../../core/turns.ts";
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { IMPORT_PERMISSIONS } from "@app/shared/team-access";
import { apart } from "../../core/apart.ts";
import { SECOND_MS } from "../../core/clock.ts";
import { inTransaction, isDatabaseFailure, isDuplicateKey } from "../../core/database.ts";
import { busy, isBusy } from "../../core/errors.ts";
import { abandonedAmong, whileHeld } from "../../core/holding.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineWorkTurns, type Task, type Turn } from "../../core/work-turns.ts";
import { scopeNow } from "../access/standing.service.ts";
import { FAILED, failImport, type Held, running, setImportAside } from "./import-failing.ts";
import { kindOf } from "./import-kinds.ts";
import type { Batch, Plan, ReportLine, Seen } from "./importer.ts";
import { sweepBroken } from "./import-removal.ts";
import { keepSeen, takeSeen } from "./import-seen.ts";
import { OvertakenError, undoNext } from "./import-undo.ts";
import { ImportChunkModel, type ImportDoc, ImportModel, ImportProblemModel, problemsOf } from "./imports.model.ts";
import type { SourceRow } from "./row-reader.ts";

export const GONE = "The rows of this file are no longer kept. Choose the file again.";

const NOT_ALLOWED =
  "It stopped, because whoever started it may not import any more. The owner of the practice can go on, or undo it.";

const cellsSchema = z.array(z.array(z.string()));

/** Also goes on with imports whose process has died. */
export const importTurns = defineWorkTurns({
  name: "resume imports",
  everyMs: 5 * SECOND_MS,
  takenOverAfterMs: 5 * SECOND_MS,
  atOnce: 2,
  ofPractice: 1,
  async find() {
    const open = await ImportModel.find(running(), { ownerId: 1, heldBy: 1 }).setOptions({ anyOwner: true }).lean();
    await sweepBroken();
    return (await abandonedAmong(open)).map(({ _id, ownerId }) => ({ ownerId, id: _id }));
  },
  work: importSome,
  setAside: setImportAside,
});

/** Works on an import until it is done or stopped; does nothing where another works on it. */
export const runImport = (ownerId: string, id: string, log: Logger): Promise<void> =>
  importTurns.untilDone({ ownerId, id }, log);

function importSome({ ownerId, id }: Task, turn: Turn, log: Logger): Promise<number | null> {
  return whileHeld(async ({ by }) => {
    const of = { ownerId, _id: id };
    const [free] = await abandonedAmong(await ImportModel.find({ ...of, ...running() }, { heldBy: 1 }).lean());
    if (!free) return null;
    await ImportModel.updateOne({ ...of, heldBy: free.heldBy }, { $set: { heldBy: by } });
    try {
      return await workWhileHeld({ ...of, heldBy: by }, turn, log);
    } finally {
      await ImportModel.updateOne({ ...of, heldBy: by }, { $set: { heldBy: "" } });
    }
  });
}

async function workWhileHeld(held: Held, turn: Turn, log: Logger): Promise<number | null> {
  const { ownerId, _id: importId } = held;
  const next = () => ImportModel.findOne({ ...held, ...running() }).lean();
  let seen: Seen | undefined;
  try {
    for (let doc = await next(); doc; doc = await next()) {
      if (seen && turn.isOver()) {
        keepSeen(doc, seen);
        return 0;
      }
      seen ??= takeSeen(doc) ?? (await rememberDone(doc));
      const scope = await scopeNow({ ownerId, userId: doc.startedBy }, IMPORT_PERMISSIONS[doc.kind], log);
      if (scope) await workOn({ doc, scope, seen, log });
      else await stopWith(doc, NOT_ALLOWED);
      turn.step();
      // Whoever uses the product meanwhile comes first.
      await sleep(0);
    }
  } catch (error) {
    if (error instanceof OvertakenError) return null;
    // Whoever resumes imports comes back to it.
    if (isDatabaseFailure(error) || isBusy(error)) throw error;
    log.error({ err: error, importId }, "import failed");
    await failImport(held, FAILED);
  }
  return null;
}

const heldOf = ({ ownerId, _id, heldBy }: ImportDoc): Held => ({ ownerId, _id, heldBy });

/** A piece of the work, as whoever started it and with what they may do now. */
interface Piece {
  doc: ImportDoc;
  scope: Scope;
  seen: Seen;
}

async function workOn({ log, ...piece }: Piece & { log: Logger }): Promise<void> {
  const { doc, scope } = piece;
  if (doc.status === "undoing") {
    const { isOver } = await undoNext(doc, scope);
    if (isOver) audit(doc, "import undone", log);
    return;
  }
  if (doc.done === 0) await forgetBefore(doc);
  if (doc.done >= doc.total) return finish(doc, log);
  const rows = await rowsFrom(doc, doc.firstRow + doc.done);
  if (rows.length === 0) return stopWith(doc, GONE);
  try {
    await workThrough(piece, rows);
  } catch (error) {
    if (!isOfRows(error)) throw error;
    await oneByOne(piece, rows, log);
  }
}

/** What was told of the rows when they were begun with before. */
async function forgetBefore(doc: ImportDoc): Promise<void> {
  const { pass, ...of } = problemsOf(doc);
  await ImportProblemModel.deleteMany({ ...of, pass: mongoose.trusted({ $ne: pass }) });
}

/** What a row brings about, which another one of the same batch need not share. */
const isOfRows = (error: unknown): boolean =>
  !(error instanceof OvertakenError) && !isDatabaseFailure(error) && !isBusy(error);

async function finish(doc: ImportDoc, log: Logger): Promise<void> {
  const status = doc.status === "checking" ? "checked" : "imported";
  await ImportModel.updateOne({ ...heldOf(doc), status: doc.status }, { $set: { status, heldBy: "" } });
  audit(doc, `import ${status}`, log);
}

const audit = ({ _id, startedBy, counts }: ImportDoc, event: string, log: Logger) =>
  log.info({ event, importId: _id, userId: startedBy, counts }, "audit");

const stopWith = (doc: ImportDoc, failure: string) =>
  ImportModel.updateOne(
    { ...heldOf(doc), status: doc.status },
    { $set: { status: doc.counts.imported === 0 ? "mapping" : "failed", failure, heldBy: "" } },
  ).then(() => undefined);

/** The rows of the piece that this row stands in, from this row on. */
async function rowsFrom({ ownerId, _id }: ImportDoc, row: number): Promise<SourceRow[]> {
  const chunk = await ImportChunkModel.findOne(
    { ownerId, importId: _id, from: mongoose.trusted({ $lte: row }) },
    { made: 0 },
  )
    .sort({ from: -1 })
    .lean();
  return chunk ? rowsOf(chunk).filter((one) => one.row >= row) : [];
}

export const rowsOf = ({ from, rows }: { from: number; rows: string }): SourceRow[] =>
  cellsSchema.parse(JSON.parse(rows)).map((cells, index) => ({ row: from + index, cells }));

const batchOf = ({ columns, duplicates, dateOrder, headings }: ImportDoc, rows: SourceRow[], seen: Seen): Batch => ({
  rows,
  seen,
  headings,
  options: { columns, duplicates, dateOrder },
});

/** What a process before this one has seen. */
async function rememberDone(doc: ImportDoc): Promise<Seen> {
  const seen: Seen = new Map();
  if (doc.done === 0 || doc.status === "undoing") return seen;
  const end = doc.firstRow + doc.done;
  const of = { ownerId: doc.ownerId, importId: doc._id };
  // Of a row that was left out as bad there is no twin.
  const bad = new Set(await ImportProblemModel.distinct("row", { ...problemsOf(doc), kind: "bad" }));
  const chunks = ImportChunkModel.find({ ...of, from: mongoose.trusted({ $lt: end }) }, { from: 1, rows: 1 })
    .sort({ from: 1 })
    .lean()
    .cursor({ batchSize: 1 });
  for await (const chunk of chunks)
    await kindOf(doc.kind).remember(
      batchOf(
        doc,
        rowsOf(chunk).filter(({ row }) => row < end && !bad.has(row)),
        seen,
      ),
    );
  return seen;
}

async function workThrough({ doc, scope, seen }: Piece, rows: SourceRow[]): Promise<void> {
  const plan = await kindOf(doc.kind).plan(scope, batchOf(doc, rows, seen));
  await inTransaction(async () => {
    await advance(doc, rows.length, plan);
    if (doc.status === "importing") await storeMade(doc, rows, { plan, scope });
    await tellProblems(doc, plan.problems);
  });
}

/** After a failure: each row by itself, so that one bad row costs no other. */
async function oneByOne({ doc, ...piece }: Piece, rows: SourceRow[], log: Logger): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const at = { ...doc, done: doc.done + index };
    await apart(() => workThrough({ ...piece, doc: at }, [row]), {
      item: { importId: doc._id, row: row.row },
      log,
      isItsOwn: isOfRows,
      setAside: (error) => refuseRow(at, row, error),
      // The rows behind it wait, because how far it got is one number.
      putBack: () => Promise.reject(busy()),
    });
  }
}

const UNFIT = "This row could not be taken in. Enter this record by hand, or correct the row and import it by itself.";

function whyRefused(error: unknown): string {
  if (error instanceof TRPCError && error.code !== "INTERNAL_SERVER_ERROR") return error.message;
  return isDuplicateKey(error) ? "Another record has the same reference." : UNFIT;
}

async function refuseRow(doc: ImportDoc, { row }: SourceRow, error: unknown): Promise<void> {
  const message = whyRefused(error);
  await inTransaction(async () => {
    await advance(doc, 1, { counts: { ready: 0, duplicates: 0, bad: 1, empty: 0 } });
    await tellProblems(doc, [{ kind: "bad", row, column: "", value: "", message, recordId: "", recordName: "" }]);
  });
}

/** Counts rows as done, in the transaction that stores what came of them. */
async function advance(doc: ImportDoc, rows: number, { counts }: Pick<Plan, "counts">): Promise<void> {
  const { matchedCount } = await ImportModel.updateOne(
    { ...heldOf(doc), status: doc.status, done: doc.done },
    {
      $inc: {
        done: rows,
        "counts.ready": counts.ready,
        "counts.duplicates": counts.duplicates,
        "counts.bad": counts.bad,
        "counts.empty": counts.empty,
        "counts.imported": doc.status === "importing" ? counts.ready : 0,
      },
    },
  );
  if (matchedCount === 0) throw new OvertakenError();
}

async function storeMade(
  doc: ImportDoc,
  rows: SourceRow[],
  { plan, scope }: { plan: Plan; scope: Scope },
): Promise<void> {
  if (plan.readyRows.length === 0) return;
  const ids = await plan.store(scope);
  await openRecordTurns(doc.ownerId, ids);
  const made = plan.readyRows.map((row, index) => ({ row, id: ids[index] ?? "" }));
  const last = rows.at(-1)?.row ?? 0;
  const chunk = await ImportChunkModel.findOne(
    { ownerId: doc.ownerId, importId: doc._id, from: mongoose.trusted({ $lte: last }) },
    { from: 1 },
  )
    .sort({ from: -1 })
    .lean();
  await ImportChunkModel.updateOne(
    { ownerId: doc.ownerId, _id: chunk?._id ?? "" },
    { $push: { made: { $each: made } } },
  );
}

async function tellProblems(doc: ImportDoc, problems: ReportLine[]): Promise<void> {
  const of = problemsOf(doc);
  if (problems.length > 0) await ImportProblemModel.insertMany(problems.map((problem) => ({ ...problem, ...of })));
}
