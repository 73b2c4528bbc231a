// insert, update and delete.
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { failedToParse, located } from "../bson/fail.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { type Doc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import {
  type Command,
  collationField,
  collectionName,
  docField,
  docsField,
  flagField,
  numberField,
  type Operation,
  reply,
  varsOf,
  whenFree,
} from "./operation.ts";
import { answeredBefore, remember } from "./retry.ts";
import { checkHint, runDelete, runUpdate, type UpdateStatement } from "./update-step.ts";
import { collectionForWrite, insertInto } from "./write-target.ts";

export type WriteError = { index: number; error: MongoError };

/** The file, the clock and other transactions: such failures concern the whole command, not one of its statements. */
const COMMAND_FAILURES = new Set([8, 50, 112, 175, 246, 14031]);

const isStatementError = (error: unknown): error is MongoError =>
  error instanceof MongoError && !COMMAND_FAILURES.has(error.code);

const MOST_STATEMENTS = 100_000;

/** Runs statements one after another; an ordered batch ends with the first that fails. */
export async function runStatements(
  operation: Operation,
  count: number,
  isOrdered: boolean,
  run: (index: number) => Promise<void>,
): Promise<WriteError[]> {
  if (count === 0 || count > MOST_STATEMENTS) {
    throw new MongoError(
      21,
      "InvalidLength",
      `Write batch sizes must be between 1 and ${MOST_STATEMENTS}. Got ${count} operations.`,
    );
  }
  const errors: WriteError[] = [];
  for (let index = 0; index < count; index += 1) {
    try {
      await run(index);
    } catch (error) {
      if (!isStatementError(error)) throw error;
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

const finish = (operation: Operation, errors: WriteError[], fields: Record<string, Value>): Reply =>
  remember(operation, reply(errors.length > 0 ? { ...fields, writeErrors: errors.map(errorDoc) } : fields));

const insert: Command = {
  fields: ["documents", "ordered", "bypassDocumentValidation", "bypassEmptyTsReplacement"],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const answered = answeredBefore(operation);
    if (answered) return answered;
    const name = collectionName(operation);
    const { documents } = operation;
    let inserted = 0;
    const errors = await runStatements(
      operation,
      documents.length,
      flagField(operation.command, "ordered", true),
      async (index) => {
        const document = documents[index];
        if (!document) return;
        // What cannot be decoded must not get in, or no query would get past it.
        decode(document);
        await whenFree(operation, () => {
          const collection = collectionForWrite(operation, name);
          insertInto(operation, collection, prepareDocument(collection, document));
        });
        inserted += 1;
      },
    );
    return finish(operation, errors, { n: inserted });
  },
};

function updateStatement(spec: Doc, vars: Map<string, Value>): UpdateStatement {
  const filter = docField(spec, "q");
  if (!filter) throw located(40414, "BSON field 'update.updates.q' is missing but a required field");
  const allowed = "q u c multi upsert collation arrayFilters hint sort sampleId upsertSupplied let".split(" ");
  for (const field of spec.keys()) {
    if (!allowed.includes(field)) throw located(40415, `BSON field 'update.updates.${field}' is an unknown field.`);
  }
  const constants = docField(spec, "c");
  const isMulti = flagField(spec, "multi");
  if (isMulti && spec.has("sort")) throw failedToParse("Cannot specify sort with multi=true");
  return {
    filter,
    update: spec.get("u"),
    isMulti,
    isUpsert: flagField(spec, "upsert"),
    sort: docField(spec, "sort"),
    hint: checkHint(spec.get("hint")),
    collation: collationField(spec),
    ...(spec.has("arrayFilters") ? { arrayFilters: docsField(spec, "arrayFilters") } : {}),
    vars: constants ? new Map([...vars, ...constants]) : vars,
  };
}

const update: Command = {
  fields: ["updates", "ordered", "bypassDocumentValidation", "let", "bypassEmptyTsReplacement"],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const answered = answeredBefore(operation);
    if (answered) return answered;
    const name = collectionName(operation);
    const { command } = operation;
    const updates = docsField(command, "updates");
    const vars = varsOf(command);
    let [matched, modified] = [0, 0];
    const upserted: Value[] = [];
    const errors = await runStatements(
      operation,
      updates.length,
      flagField(command, "ordered", true),
      async (index) => {
        const statement = updateStatement(updates[index] ?? new Map(), vars);
        const done = await runUpdate(operation, name, statement);
        matched += done.matched;
        modified += done.modified;
        if (!("upsertedId" in done)) return;
        matched += 1;
        upserted.push(docOf({ index, _id: done.upsertedId }));
      },
    );
    const totals = { n: matched, nModified: modified };
    return finish(operation, errors, upserted.length > 0 ? { ...totals, upserted } : totals);
  },
};

const remove: Command = {
  fields: ["deletes", "ordered", "let"],
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const answered = answeredBefore(operation);
    if (answered) return answered;
    const name = collectionName(operation);
    const { command } = operation;
    const deletes = docsField(command, "deletes");
    const vars = varsOf(command);
    let deleted = 0;
    const errors = await runStatements(
      operation,
      deletes.length,
      flagField(command, "ordered", true),
      async (index) => {
        const spec = deletes[index] ?? new Map<string, Value>();
        const limit = numberField(spec, "limit");
        const filter = docField(spec, "q");
        if (!filter || limit === undefined) throw located(40414, "BSON field 'delete.deletes' needs q and limit");
        if (limit !== 0 && limit !== 1)
          throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
        const statement = {
          filter,
          isMulti: limit === 0,
          isUpsert: false,
          hint: checkHint(spec.get("hint")),
          collation: collationField(spec),
          vars,
        };
        deleted += (await runDelete(operation, name, statement)).deleted;
      },
    );
    return finish(operation, errors, { n: deleted });
  },
};

export const writeCommands: Record<string, Command> = { insert, update, delete: remove };
