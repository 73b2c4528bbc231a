// The simple conditions that a filter puts on single paths, as far as indexes can use them.
import { BSONRegExp, type Doc, isDoc, type Value } from "../values.ts";

export type PredicateKind = "eq" | "in" | "gt" | "gte" | "lt" | "lte" | "regex" | "exists" | "other";
export type Predicate = { path: string; kind: PredicateKind; operator: string; value: Value };
export type Conjunction = {
  predicates: Predicate[];
  /** The branches of each $or. */
  alternatives: Doc[][];
  /** True when the predicates say all that the filter says. */
  isComplete: boolean;
};

const KINDS = new Map<string, PredicateKind>([
  ["$eq", "eq"],
  ["$in", "in"],
  ["$gt", "gt"],
  ["$gte", "gte"],
  ["$lt", "lt"],
  ["$lte", "lte"],
  ["$exists", "exists"],
]);

const isOperatorDoc = (value: Value): value is Doc => {
  if (!isDoc(value) || value.size === 0) return false;
  const [first = ""] = value.keys();
  return first.startsWith("$") && !["$ref", "$id", "$db"].includes(first);
};

export function conjunctionOf(filter: Doc): Conjunction {
  const found: Conjunction = { predicates: [], alternatives: [], isComplete: true };
  collect(filter, "", found);
  return found;
}

function collect(filter: Doc, prefix: string, found: Conjunction): void {
  for (const [name, value] of filter) {
    if (name === "$and" && Array.isArray(value)) {
      for (const part of value) if (isDoc(part)) collect(part, prefix, found);
    } else if (name === "$or" && Array.isArray(value) && prefix === "") {
      found.isComplete = false;
      found.alternatives.push(value.filter(isDoc));
    } else if (name.startsWith("$")) {
      if (name !== "$comment") found.isComplete = false;
    } else {
      collectField(prefix === "" ? name : `${prefix}.${name}`, value, found);
    }
  }
}

function collectField(path: string, value: Value, found: Conjunction): void {
  const add = (kind: PredicateKind, operator: string, operand: Value) =>
    found.predicates.push({ path, kind, operator, value: operand });
  if (value instanceof BSONRegExp) return void add("regex", "$regex", value);
  if (!isOperatorDoc(value)) return void add("eq", "$eq", value);
  for (const [operator, operand] of value) {
    const kind = KINDS.get(operator);
    if (operator === "$regex") {
      add("regex", operator, regexOf(operand, value.get("$options")));
    } else if (operator === "$elemMatch" && isDoc(operand)) {
      // Only narrows: each part has to hold for some element, though not necessarily for the same one.
      found.isComplete = false;
      if (isOperatorDoc(operand)) collectField(path, operand, found);
      else collect(operand, path, found);
    } else if (operator === "$all" && Array.isArray(operand) && operand.length > 0 && !isOperatorDoc(operand[0])) {
      found.isComplete = false;
      add(operand[0] instanceof BSONRegExp ? "regex" : "eq", "$eq", operand[0]);
    } else if (operator !== "$options") {
      add(kind === "eq" && operand instanceof BSONRegExp ? "other" : (kind ?? "other"), operator, operand);
    }
  }
}

function regexOf(pattern: Value, options: Value): Value {
  if (pattern instanceof BSONRegExp)
    return typeof options === "string" ? new BSONRegExp(pattern.pattern, options) : pattern;
  return typeof pattern === "string" ? new BSONRegExp(pattern, typeof options === "string" ? options : "") : null;
}
