// Reads the fields of a command, and says what is wrong with them as a MongoDB server would.
import { checkOptions } from "../aggregate/stage-types.ts";
import { toVariables } from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { docOf } from "../bson/doc-of.ts";
import { badValue, located, typeMismatch } from "../bson/fail.ts";
import { isNumber } from "../bson/numbers.ts";
import { showValue } from "../bson/show.ts";
import { type Collation, parseCollation } from "../keys/collation.ts";
import type { Query } from "../plan/find-rows.ts";
import { MISSING } from "../fields/paths.ts";
import { checkCollectionName } from "../store/collection.ts";
import { isTrue, numberOf } from "../store/index-spec.ts";
import { type Doc, isDoc, type MongoError, type Value } from "../values.ts";
import type { Operation } from "./operation.ts";

export const wrongType = (name: string, wanted: string): MongoError =>
  typeMismatch(`BSON field '${name}' is the wrong type, expected type '${wanted}'`);

export function doc(source: Doc, name: string): Doc | undefined {
  const value = source.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isDoc(value)) throw wrongType(name, "object");
  return value;
}

export function docs(source: Doc, name: string): Doc[] {
  const value = source.get(name);
  if (!Array.isArray(value)) throw wrongType(name, "array");
  return value.map((item) => {
    if (!isDoc(item)) throw wrongType(name, "object");
    return item;
  });
}

export function number(source: Doc, name: string): number | undefined {
  const value = source.get(name);
  if (value === undefined || value === null) return undefined;
  const found = numberOf(value);
  if (found === undefined) throw wrongType(name, "number");
  return Math.trunc(found);
}

export function count(source: Doc, name: string): number | undefined {
  const value = number(source, name);
  if (value !== undefined && value < 0)
    throw located(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  return value;
}

export function flag(source: Doc, name: string, fallback = false): boolean {
  const value = source.get(name);
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "boolean" && !isNumber(value)) throw wrongType(name, "bool");
  return isTrue(value);
}

/** Null is the simple collation, asked for in so many words; without any, the collection's own applies. */
export function collation(source: Doc): Collation | null | undefined {
  const spec = doc(source, "collation");
  return spec && spec.size > 0 ? (parseCollation(spec) ?? null) : undefined;
}

export function hint(source: Doc): Value {
  const value = source.get("hint");
  if (value === undefined || typeof value === "string" || isDoc(value)) return value;
  throw badValue("hint must be a string or an object");
}

/** How many rows the client wants in the first batch. */
export function batchSize(command: Doc): number | undefined {
  const cursor = doc(command, "cursor") ?? new Map();
  checkOptions(cursor, ["batchSize"], "cursor", 40415);
  return count(cursor, "batchSize");
}

const NO_DOCUMENT: Doc = new Map();

/** The variables of `let`, as filters and expressions see them. */
export function variables(command: Doc): Map<string, Value> {
  const found = docOf({ NOW: new Date() });
  for (const [name, spec] of doc(command, "let") ?? []) {
    const value = compileExpression(spec, { variables: toVariables(found) })(NO_DOCUMENT);
    if (value !== MISSING) found.set(name, value);
  }
  return found;
}

/** What find and its relatives ask for, wherever they have written it down and whatever they call their filter. */
export const query = (
  operation: Operation,
  filter: string,
  source = operation.command,
  vars = variables(operation.command),
): Query => ({
  filter: doc(source, filter) ?? new Map(),
  sort: doc(source, "sort"),
  skip: count(source, "skip") ?? 0,
  limit: Math.abs(number(source, "limit") ?? 0),
  hint: hint(source),
  collation: collation(source),
  vars,
  deadline: operation.deadline,
});

/** The collection that a command is about. */
export function collectionName({ command, db, name }: Operation): string {
  const value = command.get(name);
  if (typeof value !== "string") throw located(73, `collection name has invalid type for ${name}`);
  checkCollectionName(db, value);
  return value;
}

export function namespace(value: Value): { db: string; coll: string } {
  const dot = typeof value === "string" ? value.indexOf(".") : -1;
  if (typeof value !== "string" || dot < 1) throw located(73, `Invalid namespace specified '${showValue(value)}'`);
  const [db, coll] = [value.slice(0, dot), value.slice(dot + 1)];
  checkCollectionName(db, coll);
  return { db, coll };
}
