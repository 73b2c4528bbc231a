// insert, update, delete, findAndModify and bulkWrite.
import { checkOptions } from "../aggregate/stage-types.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, failedToParse, located } from "../bson/fail.ts";
import { compileProjection } from "../project/project.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { openCursor } from "./cursor-commands.ts";
import * as field from "./fields.ts";
import { type Command, type Operation, reply, whenFree } from "./operation.ts";
import { runDelete, runUpdate, updateStatement } from "./update-step.ts";
import { collectionForWrite, insertInto } from "./write-target.ts";

type WriteError = { index: number; error: MongoError };

/** The file, the clock and other transactions: such failures concern the whole command, not one of its statements. */
const COMMAND_FAILURES = new Set([8, 50, 112, 175, 246, 14031]);
const MOST_STATEMENTS = 100_000;
const DELETE_FIELDS = "q limit collation hint sampleId".split(" ");
const BULK_FIELDS =
  "insert document update delete filter updateMods multi upsert collation arrayFilters hint constants sort".split(" ");
const UPDATE_FIELDS = "q u c multi upsert collation arrayFilters hint sort sampleId upsertSupplied let".split(" ");

/** Runs statements one after another; an ordered batch ends with the first that fails. */
async function runStatements<T>(
  operation: Operation,
  statements: T[],
  run: (statement: T, index: number) => Promise<void>,
): Promise<WriteError[]> {
  const count = statements.length;
  if (count === 0 || count > MOST_STATEMENTS)
    throw located(21, `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${count} operations.`);
  const isOrdered = field.flag(operation.command, "ordered", true);
  const errors: WriteError[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      await run(statement, index);
    } catch (error) {
      if (!(error instanceof MongoError) || COMMAND_FAILURES.has(error.code)) throw error;
      errors.push({ index, error });
      // A transaction ends with the first error, so nothing after it could be kept.
      if (isOrdered || operation.transaction) break;
    }
  }
  if (errors.length > 0 && operation.transaction) operation.engine.transactions.abort(operation.transaction);
  return errors;
}

const errorDoc = ({ index, error }: WriteError): Doc =>
  new Map([...docOf({ index, code: error.code, errmsg: error.message }), ...error.details]);

const totals = (fields: Record<string, Value>, errors: WriteError[]): Reply =>
  reply(errors.length > 0 ? { ...fields, writeErrors: errors.map(errorDoc) } : fields);

const WRITE = { isWrite: true, isRetryable: true, isAllowedInTransaction: true };

const insert: Command = {
  ...WRITE,
  fields: ["documents", "ordered", "bypassDocumentValidation", "bypassEmptyTsReplacement"],
  async run(operation) {
    const name = field.collectionName(operation);
    let inserted = 0;
    const errors = await runStatements(operation, operation.documents, async (document) => {
      await whenFree(operation, () => {
        const collection = collectionForWrite(operation, name);
        insertInto(operation, collection, prepareDocument(collection, document));
      });
      inserted += 1;
    });
    return totals({ n: inserted }, errors);
  },
};

const update: Command = {
  ...WRITE,
  fields: ["updates", "ordered", "bypassDocumentValidation", "let", "bypassEmptyTsReplacement"],
  async run(operation) {
    const name = field.collectionName(operation);
    const vars = field.variables(operation.command);
    let [matched, modified] = [0, 0];
    const upserted: Value[] = [];
    const errors = await runStatements(operation, field.docs(operation.command, "updates"), async (spec, index) => {
      if (!field.doc(spec, "q")) throw located(40414, "BSON field 'update.updates.q' is missing but a required field");
      checkOptions(spec, UPDATE_FIELDS, "update.updates", 40415);
      if (spec.has("c") && !Array.isArray(spec.get("u")))
        throw located(51198, "Constant values may only be specified for pipeline updates");
      const constants = new Map([...vars, ...(field.doc(spec, "c") ?? [])]);
      const statement = updateStatement(operation, { filter: "q", update: "u" }, spec, constants);
      if (statement.isMulti && spec.has("sort")) throw failedToParse("Cannot specify sort with multi=true");
      const done = await runUpdate(operation, name, statement);
      modified += done.modified;
      matched += "upsertedId" in done ? 1 : done.matched;
      if ("upsertedId" in done) upserted.push(docOf({ index, _id: done.upsertedId }));
    });
    return totals({ n: matched, nModified: modified, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
  },
};

const remove: Command = {
  ...WRITE,
  fields: ["deletes", "ordered", "let"],
  async run(operation) {
    const name = field.collectionName(operation);
    const vars = field.variables(operation.command);
    let deleted = 0;
    const errors = await runStatements(operation, field.docs(operation.command, "deletes"), async (spec) => {
      checkOptions(spec, DELETE_FIELDS, "delete.deletes", 40415);
      const limit = field.number(spec, "limit");
      if (!field.doc(spec, "q") || limit === undefined)
        throw located(40414, "BSON field 'delete.deletes' needs q and limit");
      if (limit !== 0 && limit !== 1)
        throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
      deleted += (await runDelete(operation, name, field.query(operation, "q", spec, vars))).deleted;
    });
    return totals({ n: deleted }, errors);
  },
};

type Modified = { value: Doc | undefined; position: number | undefined; outcome: Doc };

async function removeOne(operation: Operation, name: string): Promise<Modified> {
  const { command } = operation;
  if (command.has("update")) throw failedToParse("Cannot specify both an update and remove=true");
  if (field.flag(command, "upsert")) throw failedToParse("Cannot specify both upsert=true and remove=true");
  if (field.flag(command, "new"))
    throw failedToParse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  const query = { ...field.query(operation, "query"), limit: 1 };
  const { deleted, before, position } = await runDelete(operation, name, query);
  return { value: before, position, outcome: docOf({ n: deleted }) };
}

async function updateOne(operation: Operation, name: string): Promise<Modified> {
  const { command } = operation;
  if (!command.has("update")) throw failedToParse("Either an update or remove=true must be specified");
  const statement = updateStatement(operation, { filter: "query", update: "update" });
  const done = await runUpdate(operation, name, statement);
  const isUpserted = "upsertedId" in done;
  const outcome = docOf({ n: isUpserted ? 1 : done.matched, updatedExisting: done.matched > 0 });
  if (isUpserted) outcome.set("upserted", done.upsertedId);
  return { value: field.flag(command, "new") ? done.after : done.before, position: done.position, outcome };
}

const findAndModify: Command = {
  ...WRITE,
  fields:
    "query sort remove update new fields upsert bypassDocumentValidation collation arrayFilters hint let bypassEmptyTsReplacement".split(
      " ",
    ),
  async run(operation) {
    const { command } = operation;
    const name = field.collectionName(operation);
    const options = { collation: field.collation(command) ?? undefined, vars: field.variables(command) };
    const project = compileProjection(field.doc(command, "fields") ?? new Map(), options);
    const modify = field.flag(command, "remove") ? removeOne : updateOne;
    const { value, position, outcome } = await modify(operation, name);
    return reply({ lastErrorObject: outcome, value: value ? project(value, position) : null });
  },
};

type Target = { db: string; coll: string };

const noCounts = () => ({ nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 });
type Counts = ReturnType<typeof noCounts>;

const KINDS = ["insert", "update", "delete"];

async function runBulkStatement(outer: Operation, spec: Doc, targets: Target[], counts: Counts): Promise<Doc> {
  checkOptions(spec, BULK_FIELDS, "bulkWrite.ops", 40415);
  const kind = KINDS.find((name) => spec.has(name)) ?? "";
  const target = targets[field.number(spec, kind) ?? -1];
  if (!target) throw badValue("BulkWrite ops entry has an invalid nsInfo index or is of no known kind");
  const operation = { ...outer, db: target.db };
  if (kind === "insert") {
    const document = field.doc(spec, "document") ?? new Map();
    await whenFree(operation, () => {
      const collection = collectionForWrite(operation, target.coll);
      insertInto(operation, collection, prepareDocument(collection, encode(document)));
    });
    counts.nInserted += 1;
    return docOf({ n: 1 });
  }
  const vars = new Map([...field.variables(outer.command), ...(field.doc(spec, "constants") ?? [])]);
  const statement = updateStatement(operation, { filter: "filter", update: "updateMods" }, spec, vars);
  if (kind === "delete") {
    const { deleted } = await runDelete(operation, target.coll, statement.query);
    counts.nDeleted += deleted;
    return docOf({ n: deleted });
  }
  const done = await runUpdate(operation, target.coll, statement);
  counts.nMatched += done.matched;
  counts.nModified += done.modified;
  if (!("upsertedId" in done)) return docOf({ n: done.matched, nModified: done.modified });
  counts.nUpserted += 1;
  return docOf({ n: 1, nModified: 0, upserted: docOf({ _id: done.upsertedId }) });
}

/** Inserts, updates and deletes over several collections in one message. */
const bulkWrite: Command = {
  ...WRITE,
  fields: "ops nsInfo ordered errorsOnly bypassDocumentValidation let cursor".split(" "),
  async run(operation) {
    const { command, db } = operation;
    if (db !== "admin") throw located(13, "bulkWrite may only be run against the admin database.");
    const targets = field.docs(command, "nsInfo").map((info) => field.namespace(info.get("ns")));
    const isErrorsOnly = field.flag(command, "errorsOnly");
    const counts = noCounts();
    const results = new Map<number, Doc>();
    const errors = await runStatements(operation, field.docs(command, "ops"), async (spec, index) => {
      const done = await runBulkStatement(operation, spec, targets, counts);
      if (!isErrorsOnly) results.set(index, new Map([...docOf({ ok: 1, idx: index }), ...done]));
    });
    for (const { index, error } of errors) {
      const problem = docOf({ ok: 0, idx: index, n: 0, code: error.code, errmsg: error.message });
      results.set(index, new Map([...problem, ...error.details]));
    }
    const inOrder = [...results].sort(([a], [b]) => a - b).map(([, row]) => row);
    return { fields: docOf({ results: inOrder, nErrors: errors.length, ...counts, ok: 1 }) };
  },
  async present(operation, kept) {
    const results = kept.get("results");
    const rows = Array.isArray(results) ? results.filter(isDoc).map((row) => encode(row)) : [];
    const batchSize = field.batchSize(operation.command);
    const reply = await openCursor(operation, { ns: "admin.$cmd.bulkWrite", rows: rows.values(), batchSize });
    for (const [name, value] of kept) if (name !== "results") reply.fields.set(name, value);
    return reply;
  },
};

export const writeCommands: Record<string, Command> = {
  insert,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
  bulkWrite,
};
