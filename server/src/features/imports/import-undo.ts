// The way back: what an import made is removed, as long as nobody has touched it since.
import mongoose from "mongoose";
import { UNDO_LIST_MAX } from "@app/shared/imports";
import { inTransaction } from "../../core/database.ts";
import type { Scope } from "../../core/trpc.ts";
import { endRecordTurns, takeRecordTurns } from "../../core/turns.ts";
import { kindOf, type MadeRecord } from "./import-kinds.ts";
import { NOT_SEEN } from "./import-problems.ts";
import {
  ImportChunkModel,
  type ImportChunkDoc,
  type ImportDoc,
  ImportModel,
  ImportProblemModel,
  problemsOf,
} from "./imports.model.ts";

const CHANGED = "It was changed after it was imported.";
const USED = "It is in use: other records were added to it after it was imported.";
const HIDDEN = "Whoever undoes the import does not see it any more.";

/** Another process was faster, or somebody stopped the import: then this one has nothing more to do. */
export class OvertakenError extends Error {}

interface Kept {
  id: string;
  row: number;
  name: string;
  reason: string;
}

/** Those of these records that have to stay: also what this person could not take away by hand, because they may not see it now. */
async function keptOf(scope: Scope, doc: ImportDoc, made: ImportChunkDoc["made"]): Promise<Kept[]> {
  const kind = kindOf(doc.kind);
  const ids = made.map(({ id }) => id);
  const found = await kind.find(scope, ids);
  const used = await kind.findUsed(scope, ids);
  const seen = await seenAmong(scope, doc, ids);
  const reasonOf = (id: string, { isChanged }: MadeRecord): string | null => {
    if (!seen.has(id)) return HIDDEN;
    if (isChanged) return CHANGED;
    return used.has(id) ? USED : null;
  };
  return made.flatMap(({ id, row }) => {
    const record = found.get(id);
    const reason = record ? reasonOf(id, record) : null;
    return record && reason !== null ? [{ id, row, name: record.name, reason }] : [];
  });
}

const seenAmong = async (scope: Scope, { kind }: ImportDoc, ids: string[]): Promise<Set<string>> =>
  scope.isAssignedOnly && ids.length > 0 ? kindOf(kind).seenAmong(scope, ids) : new Set(ids);

/** By their names of now, as far as this person may know them. */
const named = ({ reason, ...one }: Kept): Kept => ({ ...one, reason, name: reason === HIDDEN ? NOT_SEEN : one.name });

/** What would have to stay, the first of it by name. */
export async function changedSince(scope: Scope, doc: ImportDoc): Promise<{ total: number; items: Kept[] }> {
  const chunks = ImportChunkModel.find({ ownerId: doc.ownerId, importId: doc._id }, { made: 1 })
    .sort({ from: 1 })
    .lean()
    .cursor();
  const items: Kept[] = [];
  let total = 0;
  for await (const { made } of chunks) {
    const kept = made.length > 0 ? await keptOf(scope, doc, made) : [];
    total += kept.length;
    items.push(...kept.slice(0, UNDO_LIST_MAX - items.length).map(named));
  }
  return { total, items };
}

/** Takes back the last piece that is still there, or ends; tells whether it was the end. The last comes first, so that numbers that were given out return. */
export async function undoNext(doc: ImportDoc, scope: Scope): Promise<{ isOver: boolean }> {
  const of = { ownerId: doc.ownerId, _id: doc._id, heldBy: doc.heldBy, status: "undoing" as const };
  return inTransaction(async () => {
    const chunk = await ImportChunkModel.findOne(
      { ownerId: doc.ownerId, importId: doc._id, "made.0": mongoose.trusted({ $exists: true }) },
      { rows: 0 },
    )
      .sort({ from: -1 })
      .lean();
    if (!chunk) {
      await ImportModel.updateOne(of, { $set: { status: "undone", heldBy: "" } });
      return { isOver: true };
    }
    await takeRecordTurns(
      doc.ownerId,
      chunk.made.map(({ id }) => id),
    );
    const kept = await keptOf(scope, doc, chunk.made);
    const stays = new Set(kept.map(({ id }) => id));
    const gone = chunk.made.map(({ id }) => id).filter((id) => !stays.has(id));
    await kindOf(doc.kind).remove(scope, gone);
    await endRecordTurns(doc.ownerId, gone);
    await ImportChunkModel.updateOne({ ownerId: doc.ownerId, _id: chunk._id }, { $set: { made: [] } });
    await ImportProblemModel.insertMany(
      kept.map(({ id, row, name, reason }) => ({
        kind: "kept",
        row,
        column: "",
        value: name,
        message: reason,
        recordId: id,
        ...problemsOf(doc),
      })),
    );
    const { matchedCount } = await ImportModel.updateOne(of, {
      $inc: { "counts.undone": gone.length, "counts.kept": kept.length },
    });
    if (matchedCount === 0) throw new OvertakenError();
    return { isOver: false };
  });
}
