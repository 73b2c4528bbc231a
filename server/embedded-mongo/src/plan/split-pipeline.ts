// What of a pipeline a query can do, and which fields the rest of it reads.
import { docOf } from "../bson/doc-of.ts";
import { compileFilter } from "../query/matcher.ts";
import { firstPart } from "../fields/paths.ts";
import { numberOf } from "../store/index-spec.ts";
import { type Doc, isDoc, type Value } from "../values.ts";
import type { Query } from "./find-rows.ts";

export type SplitPipeline = { query: Query; rest: Doc[] };

/** Takes the leading stages that a query can answer off a pipeline. */
export function splitPipeline(stages: Doc[], base: Omit<Query, "filter">): SplitPipeline {
  const rest = [...stages];
  const peek = (name: string): Value => (rest[0]?.size === 1 ? rest[0].get(name) : undefined);
  const isWhole = (value: Value): boolean => Number.isInteger(numberOf(value)) && (numberOf(value) ?? 0) > 0;
  const filters: Doc[] = [];
  for (let filter = peek("$match"); isDoc(filter); filter = peek("$match")) {
    filters.push(filter);
    rest.shift();
  }
  const [only] = filters;
  const query: Query = { ...base, filter: filters.length > 1 ? docOf({ $and: filters }) : (only ?? new Map()) };
  const sort = peek("$sort");
  if (isDoc(sort) && sort.size > 0) {
    query.sort = sort;
    rest.shift();
  }
  for (const [stage, field] of [
    ["$skip", "skip"],
    ["$limit", "limit"],
  ] satisfies [string, "skip" | "limit"][]) {
    const count = peek(stage);
    if (!isWhole(count)) continue;
    query[field] = numberOf(count) ?? 0;
    rest.shift();
  }
  return { query, rest };
}

const NEEDS_ALL = new Set(["$getField", "$setField", "$unsetField", "$$ROOT", "$$CURRENT"]);

/** False when an expression may read anything. */
function collectPaths(value: Value, fields: Set<string>): boolean {
  if (typeof value === "string") {
    if (NEEDS_ALL.has(firstPart(value))) return false;
    if (value.startsWith("$") && !value.startsWith("$$")) fields.add(firstPart(value.slice(1)));
    return true;
  }
  if (Array.isArray(value)) return value.every((item) => collectPaths(item, fields));
  if (!isDoc(value)) return true;
  return [...value].every(([name, item]) => !NEEDS_ALL.has(name) && collectPaths(item, fields));
}

function collectFilter(filter: Value, vars: Map<string, Value>, fields: Set<string>): boolean {
  if (!isDoc(filter)) return false;
  const read = compileFilter(filter, { vars }).fields;
  for (const field of read ?? []) fields.add(field);
  return read !== undefined;
}

/** The fields, or undefined for all of them. Only looks as far as the first stage that starts from scratch. */
export function fieldsOfPipeline(stages: Doc[], vars: Map<string, Value>): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  for (const stage of stages) {
    const [entry] = stage;
    if (!entry) return undefined;
    const [name, argument] = entry;
    switch (name) {
      case "$count":
        return fields;
      case "$group":
      case "$sortByCount":
        return collectPaths(argument, fields) ? fields : undefined;
      case "$limit":
      case "$skip":
        break;
      case "$match":
        if (!collectFilter(argument, vars, fields)) return undefined;
        break;
      case "$sort":
        for (const path of isDoc(argument) ? argument.keys() : []) fields.add(firstPart(path));
        break;
      case "$unwind":
      case "$addFields":
      case "$set":
        if (!collectPaths(argument, fields)) return undefined;
        // A field that is set inside a document keeps the rest of that document.
        for (const path of name === "$unwind" || !isDoc(argument) ? [] : argument.keys()) fields.add(firstPart(path));
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}
