import { numberOf } from "../store/index-spec.ts";
import { docOf } from "../bson/doc-of.ts";
import { type Doc, isDoc, type Value } from "../values.ts";
import type { Query } from "./find-rows.ts";

export type SplitPipeline = { query: Query; rest: Doc[] };

/** Takes the leading stages that a query can answer off a pipeline. */
export function splitPipeline(stages: Doc[], base: Omit<Query, "filter">): SplitPipeline {
  const rest = [...stages];
  const take = (name: string): Value => {
    const value = rest[0]?.size === 1 ? rest[0].get(name) : undefined;
    if (value !== undefined) rest.shift();
    return value;
  };
  const filters: Doc[] = [];
  while (isDoc(rest[0]?.get("$match"))) {
    const filter = take("$match");
    if (isDoc(filter)) filters.push(filter);
  }
  const [only] = filters;
  const query: Query = { ...base, filter: filters.length > 1 ? docOf({ $and: filters }) : (only ?? new Map()) };
  const sort = rest[0]?.get("$sort");
  if (isDoc(sort) && sort.size > 0) query.sort = sort;
  if (query.sort) rest.shift();
  const isWhole = (value: Value): boolean => Number.isInteger(numberOf(value)) && (numberOf(value) ?? 0) > 0;
  if (isWhole(rest[0]?.get("$skip"))) query.skip = numberOf(take("$skip")) ?? 0;
  if (isWhole(rest[0]?.get("$limit"))) query.limit = numberOf(take("$limit")) ?? 0;
  return { query, rest };
}
