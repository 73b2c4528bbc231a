// Single update and delete statements, shared by update, delete, findAndModify and bulkWrite.
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, failedToParse, typeMismatch } from "../bson/fail.ts";
import type { Collation } from "../keys/collation.ts";
import { compileQueryFilter, decodeFor, findRows, type Query, queryCollation } from "../plan/find-rows.ts";
import type { Filter } from "../query/matcher.ts";
import type { Collection } from "../store/catalogue.ts";
import type { StoredRow } from "../store/documents.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { compileUpdate, type Update, type UpdateResult } from "../update/update.ts";
import { upsertBase } from "../update/upsert-base.ts";
import { type Doc, isDoc, ObjectId, type Value } from "../values.ts";
import { type Operation, whenFree } from "./operation.ts";
import { collectionForWrite, currentRow, deleteFrom, existingForWrite, insertInto, updateIn } from "./write-target.ts";

export type UpdateStatement = {
  filter: Doc;
  update: Value;
  isMulti: boolean;
  isUpsert: boolean;
  sort?: Doc | undefined;
  hint?: Value;
  collation?: Collation | null | undefined;
  arrayFilters?: Doc[] | undefined;
  vars: Map<string, Value>;
};
export type Updated = {
  matched: number;
  /** Where in an array the filter matched. */
  position?: number | undefined;
  modified: number;
  upsertedId?: Value;
  before?: Doc | undefined;
  after?: Doc | undefined;
};

type CompiledUpdate = { update: Update; isReplacement: boolean };

export function compileStatement(statement: UpdateStatement, collation: Collation | undefined): CompiledUpdate {
  const { update, arrayFilters, vars, isMulti } = statement;
  const options = { vars, ...(arrayFilters ? { arrayFilters } : {}), ...(collation ? { collation } : {}) };
  if (Array.isArray(update)) {
    const stages = update.map((stage) => {
      if (!isDoc(stage)) throw typeMismatch("Each element of the 'pipeline' array must be an object");
      return stage;
    });
    return { update: compileUpdate(stages, options), isReplacement: false };
  }
  if (!isDoc(update)) throw failedToParse("Update argument must be either an object or an array");
  const [first = ""] = update.keys();
  const isReplacement = !first.startsWith("$");
  if (isReplacement && isMulti) throw failedToParse("multi update is not supported for replacement-style update");
  if (isReplacement && arrayFilters) throw failedToParse("Cannot specify arrayFilters with a replacement-style update");
  return { update: compileUpdate(update, { ...options, isReplacement }), isReplacement };
}

const queryOf = (operation: Operation, statement: Omit<UpdateStatement, "update">): Query => ({
  filter: statement.filter,
  sort: statement.sort,
  collation: statement.collation,
  hint: statement.hint,
  vars: statement.vars,
  limit: statement.isMulti ? 0 : 1,
  deadline: operation.deadline,
});

const NO_DOC: Doc = new Map();

export async function runUpdate(operation: Operation, name: string, statement: UpdateStatement): Promise<Updated> {
  const known = existingForWrite(operation, name);
  if (!known && !statement.isUpsert) {
    compileStatement(statement, statement.collation ?? undefined);
    return { matched: 0, modified: 0 };
  }
  const collection = known ?? (await whenFree(operation, () => collectionForWrite(operation, name)));
  const compiled = compileStatement(statement, queryCollation(collection, statement));
  const query = queryOf(operation, statement);
  const matching = compileQueryFilter(collection, query);
  if (statement.isMulti) {
    let modified = 0;
    const matched = await changeEach(operation, collection, { query, filter: matching }, (row) => {
      modified += change(operation, collection, row, { filter: matching, ...compiled }).modified;
    });
    if (matched > 0 || !statement.isUpsert) return { matched, modified };
  }
  // An upsert has to look and insert in one go, or two of them would both insert.
  return whenFree(operation, () => {
    const [first] = findRows(operation.view, collection, { ...query, limit: 1 });
    if (first) return change(operation, collection, first, { filter: matching, ...compiled });
    return statement.isUpsert ? upsert(operation, collection, statement, compiled) : { matched: 0, modified: 0 };
  });
}

/**
 * Changes all matching documents one by one. Which ones is settled before the first is changed, but each is read when
 * its turn comes: others may write in between, and together they may not fit into memory.
 */
async function changeEach(
  operation: Operation,
  collection: Collection,
  found: { query: Query; filter: Filter },
  act: (row: StoredRow) => void,
): Promise<number> {
  let done = 0;
  const rids = findRows(operation.view, collection, found.query).map((row) => row.rid);
  for (const rid of rids.toArray()) {
    await whenFree(operation, () => {
      const row = currentRow(operation, collection, rid);
      if (!row || !found.filter.matches(decodeFor(found.filter, row.bytes))) return;
      act(row);
      done += 1;
    });
  }
  return done;
}

type Change = CompiledUpdate & { filter: Filter };

function change(operation: Operation, collection: Collection, row: StoredRow, compiled: Change): Updated {
  const before = decode(row.bytes);
  const arrayIndex = compiled.filter.arrayIndex(before);
  const context = { ...contextFor(operation, false), ...(arrayIndex === undefined ? {} : { arrayIndex }) };
  const result = compiled.update.apply(before, context);
  if (!result.changed) return { matched: 1, modified: 0, position: arrayIndex, before, after: before };
  const after = prepareDocument(collection, encode(result.doc));
  updateIn(operation, collection, row, {
    after,
    account: { isReplacement: compiled.isReplacement, updateDescription: describe(result) },
  });
  return { matched: 1, modified: 1, position: arrayIndex, before, after: result.doc };
}

const contextFor = ({ engine }: Operation, isInsert: boolean) => ({
  isInsert,
  now: new Date(),
  nextTimestamp: () => engine.store.oplog.nextTimestamp(),
});

function describe(result: UpdateResult): Doc {
  const paths = [...result.updatedFields.keys(), ...result.removedFields].filter((path) =>
    /(^|\.)\d+(\.|$)/.test(path),
  );
  return docOf({
    updatedFields: result.updatedFields,
    removedFields: result.removedFields,
    truncatedArrays: result.truncatedArrays,
    disambiguatedPaths: new Map(paths.map((path): [string, Value] => [path, partsOf(result.doc, path)])),
  });
}

/** A number in a path is a position in an array or the name of a field, as the document has it. */
function partsOf(doc: Doc, path: string): Value[] {
  let value: Value = doc;
  return path.split(".").map((part) => {
    const isPosition = Array.isArray(value);
    value = Array.isArray(value) ? value[Number(part)] : isDoc(value) ? value.get(part) : undefined;
    return isPosition ? Number(part) : part;
  });
}

function upsert(
  operation: Operation,
  collection: Collection,
  statement: UpdateStatement,
  compiled: CompiledUpdate,
): Updated {
  const base = upsertBase(statement.filter);
  const start =
    compiled.isReplacement && base.has("_id")
      ? docOf({ _id: base.get("_id") })
      : compiled.isReplacement
        ? NO_DOC
        : base;
  const { doc } = compiled.update.apply(start, contextFor(operation, true));
  const after: Doc = doc.has("_id") ? doc : new Map<string, Value>([["_id", new ObjectId()], ...doc]);
  const prepared = prepareDocument(collection, encode(after));
  insertInto(operation, collection, prepared);
  return { matched: 0, modified: 0, upsertedId: prepared.id, after: decode(prepared.bytes) };
}

export async function runDelete(
  operation: Operation,
  name: string,
  statement: Omit<UpdateStatement, "update">,
): Promise<{ deleted: number; before?: Doc; position?: number | undefined }> {
  const collection = existingForWrite(operation, name);
  if (!collection) return { deleted: 0 };
  const query = queryOf(operation, statement);
  const filter = compileQueryFilter(collection, query);
  if (!statement.isMulti) {
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

export const checkHint = (hint: Value): Value => {
  if (hint === undefined || typeof hint === "string" || isDoc(hint)) return hint;
  throw badValue("hint must be a string or an object");
};
