// Single update and delete statements, shared by update, delete, findAndModify and bulkWrite.
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { failedToParse, located, typeMismatch } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { type Pace, PAUSE } from "../pace.ts";
import { compileQueryFilter, decodeFor, findRows, pacedRows, type Query, queryCollation } from "../plan/find-rows.ts";
import type { Filter } from "../query/matcher.ts";
import type { Collection } from "../store/collection.ts";
import type { StoredRow } from "../store/documents.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { compileUpdate, type Update, type UpdateResult } from "../update/update.ts";
import { upsertBase } from "../update/upsert-base.ts";
import { type Doc, isDoc, ObjectId, type Value } from "../values.ts";
import * as field from "./fields.ts";
import { type Operation, whenFree } from "./operation.ts";
import { collectionForWrite, currentRow, deleteFrom, existingForWrite, insertInto, updateIn } from "./write-target.ts";

export type UpdateStatement = {
  query: Query;
  update: Value;
  isMulti: boolean;
  isUpsert: boolean;
  arrayFilters: Doc[] | undefined;
};
export type Updated = {
  matched: number;
  /** Where in an array the filter matched. */
  position?: number | undefined;
  modified: number;
  upsertedId?: Value;
  before?: Doc;
  after?: Doc;
};

/** A statement as a command has written it down; the commands differ in what they call its parts. */
export function updateStatement(
  operation: Operation,
  names: { filter: string; update: string },
  source = operation.command,
  vars = field.variables(operation.command),
): UpdateStatement {
  const isMulti = field.flag(source, "multi");
  return {
    query: { ...field.query(operation, names.filter, source, vars), limit: isMulti ? 0 : 1 },
    update: source.get(names.update),
    isMulti,
    isUpsert: field.flag(source, "upsert"),
    arrayFilters: source.has("arrayFilters") ? field.docs(source, "arrayFilters") : undefined,
  };
}

type CompiledUpdate = { update: Update; isReplacement: boolean };

function compileStatement(statement: UpdateStatement, collation: Collation | undefined): CompiledUpdate {
  const { update, arrayFilters, query, isMulti } = statement;
  const options = { vars: query.vars ?? new Map(), arrayFilters, collation };
  if (Array.isArray(update)) {
    const stages = update.filter(isDoc);
    if (stages.length < update.length) throw typeMismatch("Each element of the 'pipeline' array must be an object");
    return { update: compileUpdate(stages, options), isReplacement: false };
  }
  if (!isDoc(update)) throw failedToParse("Update argument must be either an object or an array");
  const [first = ""] = update.keys();
  const isReplacement = !first.startsWith("$");
  if (isReplacement && isMulti) throw failedToParse("multi update is not supported for replacement-style update");
  if (isReplacement && arrayFilters) throw failedToParse("Cannot specify arrayFilters with a replacement-style update");
  return { update: compileUpdate(update, { ...options, isReplacement }), isReplacement };
}

export async function runUpdate(operation: Operation, name: string, statement: UpdateStatement): Promise<Updated> {
  const { query, isMulti, isUpsert } = statement;
  const known = existingForWrite(operation, name);
  if (!known && !isUpsert) {
    compileStatement(statement, query.collation ?? undefined);
    return { matched: 0, modified: 0 };
  }
  const collection = known ?? (await whenFree(operation, () => collectionForWrite(operation, name)));
  const compiled = compileStatement(statement, queryCollation(collection, query));
  const filter = compileQueryFilter(collection, query);
  const changeRow = (row: StoredRow): Updated => change(operation, collection, row, { filter, ...compiled });
  if (isMulti) {
    let modified = 0;
    const matched = await changeEach(operation, collection, { query, filter }, (row) => {
      modified += changeRow(row).modified;
    });
    if (matched > 0 || !isUpsert) return { matched, modified };
  }
  // An upsert has to look and insert in one go, or two of them would both insert.
  return whenFree(operation, () => {
    const [first] = findRows(operation.view, collection, { ...query, limit: 1 });
    if (first) return changeRow(first);
    return isUpsert ? upsert(operation, collection, query.filter, compiled) : { matched: 0, modified: 0 };
  });
}

/**
 * Others are heard between two documents. Not so in a transaction, which may be ended meanwhile, nor in a write that may
 * be sent again, whose answer is kept in one commit with all of it.
 */
const paceOf = ({ transaction, retryNumber, view }: Operation): Pace | undefined =>
  transaction || retryNumber !== undefined ? undefined : view.pace;

/**
 * Changes all matching documents one by one. Which ones is settled before the first is changed, but each is read when
 * its turn comes: others may write in between, and together they may not fit into memory.
 */
async function changeEach(
  operation: Operation,
  collection: Collection,
  { query, filter }: { query: Query; filter: Filter },
  act: (row: StoredRow) => void,
): Promise<number> {
  let done = 0;
  const pace = paceOf(operation);
  const giveWay = async () => {
    await operation.engine.turns.next();
    pace?.begin();
  };
  pace?.begin();
  const rids: number[] = [];
  for (const row of pacedRows({ ...operation.view, pace }, collection, query)) {
    if (row === PAUSE) await giveWay();
    else rids.push(row.rid);
  }
  for (const rid of rids) {
    if (pace?.isOver()) await giveWay();
    await whenFree(operation, () => {
      const row = currentRow(operation, collection, rid);
      if (!row || !filter.matches(decodeFor(filter, row.bytes))) return;
      act(row);
      done += 1;
    });
  }
  return done;
}

type Change = CompiledUpdate & { filter: Filter };

function change(operation: Operation, collection: Collection, row: StoredRow, compiled: Change): Updated {
  const before = decode(row.bytes);
  const position = compiled.filter.arrayIndex(before);
  const context = { ...updateContext(operation), ...(position === undefined ? {} : { arrayIndex: position }) };
  const result = compiled.update.apply(before, context);
  if (!result.changed) return { matched: 1, modified: 0, position, before, after: before };
  writeUpdate(operation, collection, { ...row, doc: before }, result, compiled.isReplacement);
  return { matched: 1, modified: 1, position, before, after: result.doc };
}

export const updateContext = ({ engine }: Operation, isInsert = false) => ({
  isInsert,
  now: new Date(),
  nextTimestamp: () => engine.store.oplog.nextTimestamp(),
});

/** Stores what an update has made of a row, and what change streams are told of it. */
export function writeUpdate(
  operation: Operation,
  collection: Collection,
  row: StoredRow & { doc?: Doc },
  result: UpdateResult,
  isReplacement: boolean,
): void {
  const { updatedFields, removedFields, truncatedArrays } = result;
  const ambiguous = [...updatedFields.keys(), ...removedFields].filter((path) => /(^|\.)\d+(\.|$)/.test(path));
  const disambiguatedPaths = new Map(ambiguous.map((path) => [path, partsOf(result.doc, path)]));
  const updateDescription = docOf({ updatedFields, removedFields, truncatedArrays, disambiguatedPaths });
  const after = prepareDocument(collection, encode(result.doc), result.doc);
  const account = { isReplacement, updateDescription };
  updateIn(operation, collection, row, { after, account, ...(row.doc ? { before: row.doc } : {}) });
}

/** A number in a path is a position in an array or the name of a field, as the document has it. */
function partsOf(doc: Doc, path: string): Value[] {
  let value: Value = doc;
  return path.split(".").map((part) => {
    const isPosition = Array.isArray(value);
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isDoc(value) ? value.get(part) : undefined;
    return isPosition ? Number(part) : part;
  });
}

function upsert(operation: Operation, collection: Collection, filter: Doc, compiled: CompiledUpdate): Updated {
  const base = upsertBase(filter);
  // A replacement takes nothing over from the filter but the id.
  const start = compiled.isReplacement ? new Map([...base].filter(([name]) => name === "_id")) : base;
  const { doc } = compiled.update.apply(start, updateContext(operation, true));
  const dollarName = doc.keys().find((name) => name.startsWith("$"));
  if (dollarName !== undefined)
    throw located(52, `The dollar ($) prefixed field '${dollarName}' is not allowed in an upsert.`);
  const after = doc.has("_id") ? doc : new Map([["_id", new ObjectId()], ...doc]);
  const prepared = prepareDocument(collection, encode(after));
  insertInto(operation, collection, prepared);
  return { matched: 0, modified: 0, upsertedId: prepared.id, after: decode(prepared.bytes) };
}

export type Deleted = { deleted: number; before?: Doc; position?: number | undefined };

/** Deletes the one document or, without a limit, all that the query finds. */
export async function runDelete(operation: Operation, name: string, query: Query): Promise<Deleted> {
  const collection = existingForWrite(operation, name);
  if (!collection) return { deleted: 0 };
  const filter = compileQueryFilter(collection, query);
  if (query.limit === 1) {
    return whenFree(operation, () => {
      const [row] = findRows(operation.view, collection, query);
      if (!row) return { deleted: 0 };
      deleteFrom(operation, collection, row);
      const before = decode(row.bytes);
      return { deleted: 1, before, position: filter.arrayIndex(before) };
    });
  }
  const deleted = await changeEach(operation, collection, { query, filter }, (row) =>
    deleteFrom(operation, collection, row),
  );
  return { deleted };
}
