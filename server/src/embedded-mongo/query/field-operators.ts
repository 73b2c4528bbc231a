import { BSONRegExp } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { badValue, failedToParse, located, unsupported } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { resolveTypes, typeName, typeNumber } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import type { Reads, Variables } from "../aggregate/expression-types.ts";
import { compileBitTest } from "./bit-operators.ts";
import { compileComparison, compileEquality, compileIn } from "./comparisons.ts";
import { compilePathTest, MATCH, MISSING, NO_MATCH } from "./paths.ts";
import type { Found, LeafTest } from "./paths.ts";
import { checkRegexOptions, compileRegex } from "./regex.ts";

/** Says whether and where a document matches: NO_MATCH, MATCH or an array position. */
export type MatchNode = (doc: Doc) => number;

export type MatchContext = {
  collation: Collation | undefined;
  variables: Variables;
  reads: Reads;
  /** How a path is followed; inside $elemMatch on plain elements an array is not searched again. */
  pathTest: typeof compilePathTest;
  /** Compiles the conditions of a nested document, whose fields are not fields of the whole. */
  compileNested(filter: Doc): MatchNode;
};

export function combineAll(nodes: MatchNode[]): MatchNode {
  const [only] = nodes;
  if (only && nodes.length === 1) return only;
  return (doc) => {
    let position = MATCH;
    for (const node of nodes) {
      const found = node(doc);
      if (found === NO_MATCH) return NO_MATCH;
      if (found >= 0) position = found;
    }
    return position;
  };
}

const negate =
  (node: MatchNode): MatchNode =>
  (doc) =>
    node(doc) === NO_MATCH ? MATCH : NO_MATCH;

/** A document whose first key is an operator is a set of conditions; any other is a value to be equal to. */
export function isOperatorDoc(value: Value): boolean {
  if (!(value instanceof Map)) return false;
  const [first] = value.keys();
  return first !== undefined && first.startsWith("$") && !(first === "$ref" || first === "$id" || first === "$db");
}

/** Compiles `{ path: condition }`. */
export function compileField(path: string, condition: Value, context: MatchContext): MatchNode {
  if (condition instanceof BSONRegExp) return context.pathTest(path, regexTest(condition));
  if (!(condition instanceof Map) || !isOperatorDoc(condition))
    return context.pathTest(path, compileEquality(condition, context.collation));
  return compileOperators(path, condition, context);
}

function compileOperators(path: string, condition: Doc, context: MatchContext): MatchNode {
  const nodes: MatchNode[] = [];
  for (const [name, value] of condition) {
    if (name === "$options") {
      if (!condition.has("$regex")) throw badValue("$options needs a $regex");
      continue;
    }
    const node = compileOperator(path, name, value, condition, context);
    if (node) nodes.push(node);
  }
  return combineAll(nodes);
}

function compileOperator(
  path: string,
  name: string,
  value: Value,
  condition: Doc,
  context: MatchContext,
): MatchNode | undefined {
  const { collation } = context;
  const anyValue = (test: LeafTest) => context.pathTest(path, test);
  switch (name) {
    case "$eq":
      return anyValue(compileEquality(value, collation));
    case "$ne":
      if (value instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
      return negate(anyValue(compileEquality(value, collation)));
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return anyValue(compileComparison(name, value, collation));
    case "$in":
      return anyValue(compileIn(name, value, collation, regexTest));
    case "$nin":
      return negate(anyValue(compileIn(name, value, collation, regexTest)));
    case "$exists":
      return compileExists(path, value, context);
    case "$type":
      return compileType(path, value, context);
    case "$not":
      return compileNot(path, value, context);
    case "$mod":
      return anyValue(compileMod(value));
    case "$regex":
      return anyValue(regexTest(readRegex(value, condition.get("$options"))));
    case "$all":
      return compileAll(path, value, context);
    case "$elemMatch":
      return compileElemMatch(path, value, context);
    case "$size":
      return compileSize(path, value, context);
    case "$bitsAllSet":
    case "$bitsAnySet":
    case "$bitsAllClear":
    case "$bitsAnyClear":
      return anyValue(compileBitTest(name, value, path));
    case "$comment":
      return undefined;
    case "$expr":
      throw badValue("$expr can only be applied to the top-level document");
    case "$near":
    case "$nearSphere":
    case "$geoWithin":
    case "$geoIntersects":
    case "$within":
    case "$_internalSchemaMinLength":
      throw unsupported(name);
  }
  throw badValue(`unknown operator: ${name}`);
}

function regexTest(source: BSONRegExp): LeafTest {
  const regex = compileRegex(source);
  return (value) => {
    if (typeof value === "string") return regex.test(value);
    return value instanceof BSONRegExp && value.pattern === source.pattern && value.options === source.options;
  };
}

export function readRegex(value: Value, options: Value): BSONRegExp {
  if (options !== undefined && typeof options !== "string") throw badValue("$options has to be a string");
  checkRegexOptions(options ?? "");
  if (value instanceof BSONRegExp) {
    if (options !== undefined && value.options !== "") {
      throw located(51075, "options set in both $regex and $options");
    }
    return new BSONRegExp(value.pattern, options ?? value.options);
  }
  if (typeof value !== "string") throw badValue("$regex has to be a string");
  if (value.includes("\0")) throw badValue("Regular expression cannot contain an embedded null byte");
  return new BSONRegExp(value, options ?? "");
}

function compileExists(path: string, value: Value, context: MatchContext): MatchNode {
  const exists = context.pathTest(path, (found) => found !== MISSING, true);
  const isWanted =
    value !== false && value !== null && value !== undefined && !(isNumber(value) && toNumber(value) === 0);
  return isWanted ? exists : negate(exists);
}

function compileType(path: string, value: Value, context: MatchContext): MatchNode {
  const types = resolveTypes(value);
  return context.pathTest(path, (found) => found !== MISSING && types.has(typeNumber(found)));
}

function compileNot(path: string, value: Value, context: MatchContext): MatchNode {
  if (value instanceof BSONRegExp) return negate(context.pathTest(path, regexTest(value)));
  if (!(value instanceof Map)) throw badValue("$not needs a regex or a document");
  if (value.size === 0) throw badValue("$not cannot be empty");
  if (!isOperatorDoc(value)) throw badValue(`unknown operator: ${[...value.keys()][0] ?? ""}`);
  return negate(compileOperators(path, value, context));
}

function compileMod(value: Value): LeafTest {
  if (!Array.isArray(value)) throw badValue("malformed mod, needs to be an array");
  if (value.length < 2) throw badValue("malformed mod, not enough elements");
  if (value.length > 2) throw badValue("malformed mod, too many elements");
  const [divisor, remainder] = value.map((item, index) => {
    const number = isNumber(item) ? toNumber(item) : Number.NaN;
    if (!isNumber(item)) throw badValue(`malformed mod, ${index === 0 ? "divisor" : "remainder"} not a number`);
    if (!Number.isFinite(number))
      throw badValue(`malformed mod, ${index === 0 ? "divisor" : "remainder"} value is invalid`);
    return typeof item === "bigint" ? item : BigInt(Math.trunc(number));
  });
  if (divisor === undefined || divisor === 0n) throw badValue("divisor cannot be 0");
  return (found) => {
    if (found === MISSING || !isNumber(found)) return false;
    if (typeof found === "bigint") return found % divisor === remainder;
    const number = Math.trunc(toNumber(found));
    return Number.isFinite(number) && BigInt(number) % divisor === remainder;
  };
}

function compileAll(path: string, value: Value, context: MatchContext): MatchNode {
  if (!Array.isArray(value)) throw badValue("$all needs an array");
  if (value.length === 0) return () => NO_MATCH;
  const isElemMatch = (item: Value) => item instanceof Map && item.has("$elemMatch");
  const elemMatches = value.filter(isElemMatch).length;
  if (elemMatches > 0 && elemMatches < value.length) throw badValue("no $ expressions in $all");
  return combineAll(
    value.map((item) => {
      if (item instanceof Map && isOperatorDoc(item)) {
        if (!isElemMatch(item)) throw badValue("no $ expressions in $all");
        return compileOperators(path, item, context);
      }
      return item instanceof BSONRegExp
        ? context.pathTest(path, regexTest(item))
        : context.pathTest(path, compileEquality(item, context.collation));
    }),
  );
}

const LOGICAL = new Set(["$and", "$or", "$nor", "$where", "$expr"]);

/** Whether a condition is about an array's elements themselves; otherwise it is a query on documents in the array. */
export function isElementCondition(condition: Doc): boolean {
  const [first] = condition.keys();
  return isOperatorDoc(condition) && first !== undefined && !LOGICAL.has(first);
}

function compileElemMatch(path: string, value: Value, context: MatchContext): MatchNode {
  if (!(value instanceof Map)) throw badValue("$elemMatch needs an Object");
  const test = isElementCondition(value) ? elementTest(value, context) : objectTest(value, context);
  let position = MATCH;
  const found = context.pathTest(
    path,
    (array: Found) => {
      if (!Array.isArray(array)) return false;
      position = array.findIndex((item) => test(item));
      return position >= 0;
    },
    true,
  );
  // The outermost array wins; the position inside this array counts only when there is no other around it.
  return (doc) => {
    const outer = found(doc);
    return outer === MATCH ? position : outer;
  };
}

function elementTest(condition: Doc, context: MatchContext): (item: Value) => boolean {
  const pathTest: typeof compilePathTest = (path, test) => compilePathTest(path, test, true);
  const node = compileOperators("v", condition, { ...context, pathTest });
  return (item) => node(new Map([["v", item]])) !== NO_MATCH;
}

function objectTest(condition: Doc, context: MatchContext): (item: Value) => boolean {
  const node = context.compileNested(condition);
  return (item) => {
    if (item instanceof Map) return node(item) !== NO_MATCH;
    return Array.isArray(item) && node(new Map(item.map((value, index) => [String(index), value]))) !== NO_MATCH;
  };
}

function compileSize(path: string, value: Value, context: MatchContext): MatchNode {
  if (!isNumber(value)) throw failedToParse(`Failed to parse $size. Expected a number in: $size: ${typeName(value)}`);
  const size = toNumber(value);
  if (!Number.isInteger(size)) throw failedToParse(`Failed to parse $size. Expected an integer: $size: ${size}`);
  if (size < 0) throw failedToParse(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return context.pathTest(path, (found) => Array.isArray(found) && found.length === size, true);
}
