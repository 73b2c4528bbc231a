import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { compileAccumulators } from "./accumulators.ts";
import type { Accumulation } from "./accumulators.ts";
import { compileExpression } from "./expressions.ts";
import { orNull } from "./expression-types.ts";
import { groupKey } from "./group-key.ts";
import { newMemoryUse } from "./memory.ts";
import { sort } from "./stages-select.ts";
import { requireDoc } from "./stage-types.ts";
import type { StageCompiler } from "./stage-types.ts";

type Group = { id: Value; accumulations: Accumulation[] };

export const group: StageCompiler = (argument, context) => {
  const spec = requireDoc(argument, "$group", 15947);
  if (!spec.has("_id")) throw located(15955, "a group specification must include an _id");
  const id = compileExpression(spec.get("_id"), context);
  const fields = compileAccumulators(
    [...spec].filter(([name]) => name !== "_id"),
    context,
  );
  return function* (input) {
    const memory = newMemoryUse("$group");
    const groups = new Map<string, Group>();
    for (const doc of input) {
      const value = orNull(id(doc));
      const key = groupKey(value, context.collation);
      let entry = groups.get(key);
      if (!entry) {
        memory.hold(value);
        entry = { id: value, accumulations: fields.map(([, create]) => create(memory)) };
        groups.set(key, entry);
      }
      for (const accumulation of entry.accumulations) accumulation.add(doc);
    }
    for (const entry of groups.values()) yield groupResult(entry.id, fields, entry.accumulations);
  };
};

export function groupResult(id: Value, fields: [string, unknown][], accumulations: Accumulation[]): Doc {
  const result: Doc = new Map([["_id", id]]);
  for (const [index, [name]] of fields.entries()) result.set(name, accumulations[index]?.result() ?? null);
  return result;
}

export const sortByCount: StageCompiler = (argument, context, name) => {
  const isExpression = typeof argument === "string" ? argument.startsWith("$") : argument instanceof Map;
  if (!isExpression)
    throw located(
      40149,
      "the sortByCount field must be defined as a $-prefixed path or an expression inside an object",
    );
  const counted = group(
    new Map<string, Value>([
      ["_id", argument],
      ["count", new Map([["$sum", 1]])],
    ]),
    context,
    name,
  );
  const sorted = sort(new Map([["count", -1]]), context, Infinity);
  return (input) => sorted(counted(input));
};
