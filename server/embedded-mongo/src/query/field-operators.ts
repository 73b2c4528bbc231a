// The conditions of a query on one path.
import { BSONRegExp, type Doc, type Value } from "../values.ts";
import { isTruthy, type Reads, type Variables } from "../expressions/expression-types.ts";
import { badValue, failedToParse, unsupported } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { typeName } from "../bson/types.ts";
import type { Collation } from "../keys/collation.ts";
import { type compilePathTest, type Found, MATCH, MISSING, NO_MATCH, wholePathTest } from "../fields/paths.ts";
import { equality, isOperatorDoc, readRegex, regexTest, VALUE_TESTS } from "../fields/value-tests.ts";

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

/** For what stands among conditions and is none. */
export const ALWAYS: MatchNode = () => MATCH;

export const negate =
  (node: MatchNode): MatchNode =>
  (doc) =>
    node(doc) === NO_MATCH ? MATCH : NO_MATCH;

/** Compiles `{ path: condition }`. */
export function compileField(path: string, condition: Value, context: MatchContext): MatchNode {
  if (condition instanceof BSONRegExp) return context.pathTest(path, regexTest(condition));
  if (condition instanceof Map && isOperatorDoc(condition)) return compileOperators(path, condition, context);
  return context.pathTest(path, equality(condition, context.collation));
}

function compileOperators(path: string, condition: Doc, context: MatchContext): MatchNode {
  const nodes: MatchNode[] = [];
  for (const name of condition.keys()) nodes.push(compileOperator(path, name, condition, context));
  return combineAll(nodes);
}

const UNSUPPORTED = new Set(["$near", "$nearSphere", "$geoWithin", "$geoIntersects", "$within"]);
const PATH_OPERATORS = new Map<string, (path: string, value: Value, context: MatchContext) => MatchNode>([
  ["$ne", compileUnequal],
  ["$nin", (path, value, context) => negate(compileOperators(path, new Map([["$in", value]]), context))],
  ["$not", compileNot],
  ["$exists", compileExists],
  ["$size", compileSize],
  ["$all", compileAll],
  ["$elemMatch", compileElemMatch],
  ["$comment", () => ALWAYS],
]);

function compileOperator(path: string, name: string, condition: Doc, context: MatchContext): MatchNode {
  const value = condition.get(name);
  const test = VALUE_TESTS.get(name);
  if (test) return context.pathTest(path, test(value, context.collation));
  const compile = PATH_OPERATORS.get(name);
  if (compile) return compile(path, value, context);
  if (name === "$regex") return context.pathTest(path, regexTest(readRegex(value, condition.get("$options"))));
  if (name === "$options" && condition.has("$regex")) return ALWAYS;
  if (name === "$options") throw badValue("$options needs a $regex");
  if (name === "$expr") throw badValue("$expr can only be applied to the top-level document");
  throw UNSUPPORTED.has(name) ? unsupported(name) : badValue(`unknown operator: ${name}`);
}

function compileUnequal(path: string, value: Value, context: MatchContext): MatchNode {
  if (value instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
  return negate(context.pathTest(path, equality(value, context.collation)));
}

function compileExists(path: string, value: Value, context: MatchContext): MatchNode {
  const exists = context.pathTest(path, (found) => found !== MISSING, true);
  return isTruthy(value) ? exists : negate(exists);
}

function compileNot(path: string, value: Value, context: MatchContext): MatchNode {
  if (value instanceof BSONRegExp) return negate(context.pathTest(path, regexTest(value)));
  if (!(value instanceof Map)) throw badValue("$not needs a regex or a document");
  if (value.size === 0) throw badValue("$not cannot be empty");
  if (!isOperatorDoc(value)) throw badValue(`unknown operator: ${value.keys().toArray()[0] ?? ""}`);
  return negate(compileOperators(path, value, context));
}

function compileAll(path: string, value: Value, context: MatchContext): MatchNode {
  if (!Array.isArray(value)) throw badValue("$all needs an array");
  if (value.length === 0) return () => NO_MATCH;
  const isElemMatch = (item: Value) => item instanceof Map && item.has("$elemMatch");
  const isOfElements = value.some(isElemMatch);
  if (value.some((item) => isElemMatch(item) !== isOfElements || (isOperatorDoc(item) && !isElemMatch(item))))
    throw badValue("no $ expressions in $all");
  return combineAll(value.map((item) => compileField(path, item, context)));
}

const LOGICAL = new Set(["$and", "$or", "$nor", "$where", "$expr"]);

/** Whether a condition is about an array's elements themselves; otherwise it is a query on documents in the array. */
export function isElementCondition(condition: Doc): boolean {
  const [first = ""] = condition.keys();
  return isOperatorDoc(condition) && !LOGICAL.has(first);
}

function compileElemMatch(path: string, value: Value, context: MatchContext): MatchNode {
  if (!(value instanceof Map)) throw badValue("$elemMatch needs an Object");
  const test = isElementCondition(value) ? elementTest(value, context) : objectTest(value, context);
  let position = MATCH;
  const isMatch = (array: Found): boolean => {
    if (!Array.isArray(array)) return false;
    position = array.findIndex(test);
    return position >= 0;
  };
  const found = context.pathTest(path, isMatch, true);
  // The outermost array wins; the position inside this array counts only when there is no other around it.
  return (doc) => {
    const outer = found(doc);
    return outer === MATCH ? position : outer;
  };
}

function elementTest(condition: Doc, context: MatchContext): (item: Value) => boolean {
  const node = compileOperators("v", condition, { ...context, pathTest: wholePathTest });
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
  if (!isNumber(value)) throw failedToParse(`Failed to parse $size. Expected a number, but found ${typeName(value)}`);
  const size = toNumber(value);
  if (!Number.isInteger(size) || size < 0)
    throw failedToParse(`Failed to parse $size. Expected a non-negative integer, but found ${size}`);
  return context.pathTest(path, (found) => Array.isArray(found) && found.length === size, true);
}
