import { docOf } from "../bson/doc-of.ts";
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
