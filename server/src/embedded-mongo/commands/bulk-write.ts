// The bulkWrite command: inserts, updates and deletes over several collections in one message.
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { checkCollectionName } from "../store/catalogue.ts";
import { prepareDocument } from "../store/prepared-document.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { openCursor } from "./cursor-reply.ts";
import {
  type Command,
  collationField,
  countField,
  docField,
  docsField,
  flagField,
  numberField,
  type Operation,
  varsOf,
  whenFree,
} from "./operation.ts";
import { answeredBefore, remember } from "./retry.ts";
import { checkHint, runDelete, runUpdate } from "./update-step.ts";
import { runStatements } from "./write-commands.ts";
import { collectionForWrite, insertInto } from "./write-target.ts";

type Totals = { nInserted: number; nMatched: number; nModified: number; nUpserted: number; nDeleted: number };
type Target = { db: string; coll: string };

const KINDS = ["insert", "update", "delete"];

function targetsOf(command: Doc): Target[] {
  return docsField(command, "nsInfo").map((info) => {
    const ns = info.get("ns");
    const dot = typeof ns === "string" ? ns.indexOf(".") : -1;
    if (typeof ns !== "string" || dot < 1)
      throw new MongoError(73, "InvalidNamespace", `Invalid namespace specified for bulkWrite: '${showValue(ns)}'`);
    const target = { db: ns.slice(0, dot), coll: ns.slice(dot + 1) };
    checkCollectionName(target.db, target.coll);
    return target;
  });
}

async function runOne(outer: Operation, spec: Doc, targets: Target[], totals: Totals): Promise<Doc> {
  const kind = KINDS.find((name) => spec.has(name)) ?? "";
  const target = targets[numberField(spec, kind) ?? -1];
  if (!target) throw badValue("BulkWrite ops entry has an invalid nsInfo index or is of no known kind");
  const operation = { ...outer, db: target.db };
  if (kind === "insert") {
    const document = docField(spec, "document") ?? new Map<string, Value>();
    await whenFree(operation, () => {
      const collection = collectionForWrite(operation, target.coll);
      insertInto(operation, collection, prepareDocument(collection, encode(document)));
    });
    totals.nInserted += 1;
    return docOf({ n: 1 });
  }
  const vars = new Map([...varsOf(outer.command), ...(docField(spec, "constants") ?? [])]);
  const statement = {
    filter: docField(spec, "filter") ?? new Map(),
    isMulti: flagField(spec, "multi"),
    hint: checkHint(spec.get("hint")),
    collation: collationField(spec),
    vars,
  };
  if (kind === "delete") {
    const { deleted } = await runDelete(operation, target.coll, { ...statement, isUpsert: false });
    totals.nDeleted += deleted;
    return docOf({ n: deleted });
  }
  const arrayFilters = spec.has("arrayFilters") ? { arrayFilters: docsField(spec, "arrayFilters") } : {};
  const more = {
    update: spec.get("updateMods"),
    isUpsert: flagField(spec, "upsert"),
    sort: docField(spec, "sort"),
    ...arrayFilters,
  };
  const done = await runUpdate(operation, target.coll, { ...statement, ...more });
  totals.nMatched += done.matched;
  totals.nModified += done.modified;
  if (!("upsertedId" in done)) return docOf({ n: done.matched, nModified: done.modified });
  totals.nUpserted += 1;
  return docOf({ n: 1, nModified: 0, upserted: docOf({ _id: done.upsertedId }) });
}

function replyFrom(operation: Operation, saved: Doc): Reply {
  const results = saved.get("results");
  const rows = Array.isArray(results) ? results.filter(isDoc).map(encode) : [];
  const batchSize = countField(docField(operation.command, "cursor") ?? new Map(), "batchSize");
  const reply = openCursor(operation, { ns: "admin.$cmd.bulkWrite", rows: rows.values(), batchSize });
  for (const [name, value] of saved) if (name !== "results") reply.fields.set(name, value);
  return reply;
}

const bulkWrite: Command = {
  fields: "ops nsInfo ordered errorsOnly bypassDocumentValidation let cursor".split(" "),
  isWrite: true,
  isAllowedInTransaction: true,
  async run(operation) {
    const { command, db } = operation;
    if (db !== "admin")
      throw new MongoError(13, "Unauthorized", "bulkWrite may only be run against the admin database.");
    const answered = answeredBefore(operation);
    if (answered) return replyFrom(operation, answered.fields);
    const ops = docsField(command, "ops");
    const targets = targetsOf(command);
    const isErrorsOnly = flagField(command, "errorsOnly");
    const totals: Totals = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const results: { index: number; row: Doc }[] = [];
    const errors = await runStatements(operation, ops.length, flagField(command, "ordered", true), async (index) => {
      const done = await runOne(operation, ops[index] ?? new Map(), targets, totals);
      if (!isErrorsOnly) results.push({ index, row: new Map<string, Value>([["ok", 1], ["idx", index], ...done]) });
    });
    for (const { index, error } of errors) {
      const problem: [string, Value][] = [
        ["ok", 0],
        ["idx", index],
        ["n", 0],
        ["code", error.code],
        ["errmsg", error.message],
      ];
      results.push({ index, row: new Map<string, Value>([...problem, ...error.details]) });
    }
    results.sort((a, b) => a.index - b.index);
    const saved: Doc = new Map<string, Value>([
      ["results", results.map(({ row }) => row)],
      ["nErrors", errors.length],
      ...Object.entries(totals),
      ["ok", 1],
    ]);
    return replyFrom(operation, remember(operation, { fields: saved }).fields);
  },
};

export const bulkWriteCommands: Record<string, Command> = { bulkWrite };
