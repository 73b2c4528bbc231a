import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { badValue, failedToParse, located, typeMismatch } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { showValue } from "../bson/show.ts";
import { type Collation, parseCollation } from "../keys/collation.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import { isOperatorDoc } from "../fields/value-tests.ts";
import { BSONRegExp, type Doc, isDoc, MongoError, type Value } from "../values.ts";

export type IndexField = { path: string; descending: boolean };

export type Index = {
  id: number;
  name: string;
  /** As listIndexes prints it. */
  spec: Doc;
  fields: IndexField[];
  /** The table of its keys; the _id index lives in the collection's own table. */
  table: string;
  isId: boolean;
  unique: boolean;
  sparse: boolean;
  hidden: boolean;
  partial: Filter | undefined;
  partialSpec: Doc | undefined;
  collation: Collation | undefined;
  expireAfterSeconds: number | undefined;
  /** Paths under which some document holds (or held) an array. */
  arrays: Set<string>;
};

const KNOWN = new Set(
  "v key name ns unique sparse background partialFilterExpression collation expireAfterSeconds hidden".split(" "),
);
const MAX_EXPIRY_SECONDS = 2_147_483_647;

const cannot = (message: string): MongoError => located(67, message);

export const numberOf = (value: Value): number | undefined => (isNumber(value) ? toNumber(value) : undefined);

/** Checks what a client asked for and gives it the form in which it is kept. */
export function normaliseIndexSpec(asked: Doc, collectionCollation: Collation | undefined): Doc {
  const unknown = asked.keys().find((field) => !KNOWN.has(field));
  if (unknown !== undefined) throw located(197, `The field '${unknown}' is not valid for an index specification`);
  const key = asked.get("key");
  const name = asked.get("name");
  if (!isDoc(key)) throw failedToParse("The 'key' field is a required property of an index specification");
  if (typeof name !== "string" || name === "")
    throw failedToParse("The 'name' field is a required property of an index specification");
  indexFields(key);
  const spec: Doc = docOf({ v: 2, key, name });
  for (const flag of ["unique", "sparse", "hidden"]) {
    const value = asked.get(flag) ?? false;
    if (typeof value !== "boolean" && !isNumber(value)) throw typeMismatch(`The field '${flag}' must be a boolean`);
    if (isTrue(value)) spec.set(flag, true);
  }
  if (spec.has("hidden") && key.has("_id") && key.size === 1) throw badValue("can't hide _id index");
  const partial = asked.get("partialFilterExpression");
  if (partial !== undefined) {
    if (!isDoc(partial)) throw cannot("partialFilterExpression must be an object");
    if (spec.has("sparse")) throw cannot('cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(partial);
    checkPartial(partial);
    spec.set("partialFilterExpression", partial);
  }
  addExpiry(spec, asked, key);
  const collation = asked.get("collation");
  if (collation !== undefined && !isDoc(collation)) throw typeMismatch("collation must be an object");
  const parsed = collation ? parseCollation(collation) : collectionCollation;
  if (parsed) spec.set("collation", parsed.spec);
  return spec;
}

const PARTIAL_CONDITIONS = "$eq $gt $gte $lt $lte $in $type $exists".split(" ");

/** Whatever else a condition says, no query could be known to ask for it. */
function checkPartial(filter: Doc): void {
  for (const [name, value] of filter) {
    const operators: Doc | undefined = isDoc(value) && isOperatorDoc(value) ? value : undefined;
    const isJoining = name === "$and" || name === "$or";
    if (isJoining && Array.isArray(value)) for (const part of value) checkPartial(isDoc(part) ? part : new Map());
    const conditions = isJoining ? [] : name.startsWith("$") ? [name] : (operators?.keys() ?? []);
    const refused = [...conditions].find((condition) => !PARTIAL_CONDITIONS.includes(condition));
    const isAbsence = operators?.has("$exists") === true && !isTrue(operators.get("$exists"));
    if (refused !== undefined || isAbsence || value instanceof BSONRegExp)
      throw cannot(`Expression not supported in partial index: ${showValue(new Map([[name, value]]))}`);
  }
}

export const isTrue = (value: Value): boolean => value === true || (numberOf(value) ?? 0) !== 0;

function addExpiry(spec: Doc, asked: Doc, key: Doc): void {
  if (!asked.has("expireAfterSeconds")) return;
  const seconds = numberOf(asked.get("expireAfterSeconds"));
  if (seconds === undefined || !(seconds >= 0 && seconds <= MAX_EXPIRY_SECONDS)) {
    throw cannot("TTL index 'expireAfterSeconds' option must be within an acceptable range of 0 to 2147483647");
  }
  if (key.size !== 1) throw cannot("TTL indexes are single-field indexes, compound indexes do not support TTL");
  if (key.has("_id")) throw cannot("The field 'expireAfterSeconds' is not valid for an _id index specification");
  spec.set("expireAfterSeconds", Math.trunc(seconds));
}

function indexFields(key: Doc): IndexField[] {
  if (key.size === 0) throw cannot("Index keys cannot be empty.");
  return [...key].map(([path, order]) => {
    if (typeof order === "string") throw cannot(`${order} indexes are not supported by the embedded database`);
    const direction = numberOf(order);
    if (direction === undefined || direction === 0 || Number.isNaN(direction)) {
      throw cannot(
        `Values in the index key pattern must be numbers other than 0, got { ${path}: ${showValue(order)} }`,
      );
    }
    if (path.includes("$**")) throw cannot("wildcard indexes are not supported by the embedded database");
    const parts = path.split(".");
    if (parts.includes("")) throw cannot("Index keys cannot contain an empty field.");
    if (parts.some((part) => part.startsWith("$")))
      throw cannot("Index key contains an illegal field name: field name starts with '$'.");
    return { path, descending: direction < 0 };
  });
}

export function indexName(spec: Doc): string {
  const name = spec.get("name");
  return typeof name === "string" ? name : "";
}

/** Builds the working form of a kept specification. */
export function indexFromSpec(id: number, table: string, spec: Doc, arrays: Iterable<string>): Index {
  const key = spec.get("key");
  const partialSpec = spec.get("partialFilterExpression");
  const collationSpec = spec.get("collation");
  const collation = isDoc(collationSpec) ? parseCollation(collationSpec) : undefined;
  const fields = isDoc(key) ? indexFields(key) : [];
  const isId = fields.length === 1 && fields[0]?.path === "_id";
  return {
    id,
    name: indexName(spec),
    spec,
    fields,
    table,
    isId,
    unique: isId || spec.get("unique") === true,
    sparse: spec.get("sparse") === true,
    hidden: spec.get("hidden") === true,
    partial: isDoc(partialSpec) ? compileFilter(partialSpec, collation ? { collation } : {}) : undefined,
    partialSpec: isDoc(partialSpec) ? partialSpec : undefined,
    collation,
    expireAfterSeconds: numberOf(spec.get("expireAfterSeconds")),
    arrays: new Set(arrays),
  };
}

/** Whether the index has exactly this key pattern, in this order. */
export const hasKey = (index: Index, pattern: Doc): boolean => sameBytes(index.spec.get("key"), pattern);

const sameBytes = (a: Value, b: Value): boolean =>
  Buffer.compare(encode(docOf({ "": a ?? null })), encode(docOf({ "": b ?? null }))) === 0;
const KEY_OPTIONS = ["key", "unique", "sparse", "collation", "partialFilterExpression"];
const IDENTITY = ["key", "collation", "partialFilterExpression"];

const differs = (name: string): MongoError =>
  located(85, `An equivalent index already exists with the same name but different options: ${name}`);

/** True when the index is already there; throws 85 or 86 when another one stands in its way. */
export function indexExists(existing: Index[], spec: Doc): boolean {
  const name = indexName(spec);
  for (const index of existing) {
    const agreesOn = (part: string): boolean => sameBytes(index.spec.get(part), spec.get(part));
    if (index.isId && agreesOn("key")) return true;
    const isSame = KEY_OPTIONS.every(agreesOn);
    if (index.name === name) {
      if (!isSame)
        throw located(86, `An existing index has the same name as the requested index. Requested index: ${name}`);
      if (!agreesOn("expireAfterSeconds")) throw differs(name);
      return true;
    }
    if (isSame) throw located(85, `Index already exists with a different name: ${index.name}`);
    if (IDENTITY.every(agreesOn)) throw differs(index.name);
  }
  return false;
}
