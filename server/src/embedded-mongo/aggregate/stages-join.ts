// Stages that read other collections.
import { BSONRegExp } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { failedToParse, located, unsupported } from "../bson/fail.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
import { valuesAtPath, MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { compileExpression } from "./expressions.ts";
import type { Variable } from "./expression-types.ts";
import { groupKey } from "./group-key.ts";
import { collect, newMemoryUse } from "./memory.ts";
import { setAt } from "./stages-shape.ts";
import { requireDoc, requirePipeline, requireString } from "./stage-types.ts";
import type { Stage, StageCompiler, StageContext } from "./stage-types.ts";

const REMEMBERED_ROWS = 20_000;

export const lookup: StageCompiler = (argument, context) => {
  const spec = requireDoc(argument, "$lookup", 40319);
  for (const name of spec.keys()) {
    if (!["from", "as", "localField", "foreignField", "let", "pipeline"].includes(name))
      throw failedToParse(`unknown argument to $lookup: ${name}`);
  }
  const as = requireString(spec.get("as"), "$lookup argument 'as'").split(".");
  const join = compileJoin(spec, context);
  return function* (input) {
    for (const doc of input) yield setAt(doc, as, join(doc));
  };
};

type Join = (doc: Doc) => Doc[];

function compileJoin(spec: Doc, context: StageContext): Join {
  const isByField = spec.has("localField") || spec.has("foreignField");
  if (isByField && !(spec.has("localField") && spec.has("foreignField")))
    throw failedToParse("$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
  if (!isByField && !spec.has("pipeline"))
    throw failedToParse("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  if (!spec.has("from")) return joinDocuments(spec, context, isByField);
  if (spec.get("from") instanceof Map) throw unsupported("$lookup from another database");
  const from = requireString(spec.get("from"), "$lookup argument 'from'");
  const bindings = compileLet(spec.get("let"), context);
  const inner: StageContext = { ...context, variables: new Map([...context.variables, ...bindings.cells]) };
  const stages = requirePipeline(spec.get("pipeline") ?? [], "$lookup");
  const run = context.compilePipeline(stages, inner);
  const filterOf = isByField ? compileFieldFilter(spec) : undefined;
  const hint = compileHint(stages, bindings.cells);
  // What does not depend on the document but through one value is read once for each value.
  const remembered = new Map<string, Doc[]>();
  let rowsRemembered = 0;
  const isFree = bindings.cells.size === 0;
  return (doc) => {
    bindings.bind(doc);
    const filter = filterOf?.(doc);
    const key = filter ? groupKey(filter, undefined) : "";
    const known = isFree ? remembered.get(key) : undefined;
    if (known) return known;
    const rows = collect(run(context.readCollection(from, filter ?? hint())), "$lookup");
    if (isFree && (rowsRemembered < REMEMBERED_ROWS || key === "")) {
      remembered.set(key, rows);
      rowsRemembered += rows.length + 1;
    }
    return rows;
  };
}

/** Without `from` the pipeline brings its own rows with $documents. */
function joinDocuments(spec: Doc, context: StageContext, isByField: boolean): Join {
  const stages = requirePipeline(spec.get("pipeline") ?? [], "$lookup");
  if (isByField || !stages[0]?.has("$documents"))
    throw failedToParse("must specify 'pipeline' with $documents as the first stage when 'from' is empty");
  const bindings = compileLet(spec.get("let"), context);
  const run = context.compilePipeline(stages, {
    ...context,
    variables: new Map([...context.variables, ...bindings.cells]),
  });
  return (doc) => {
    bindings.bind(doc);
    return collect(run([]), "$lookup");
  };
}

function compileLet(value: Value, context: StageContext): { cells: Map<string, Variable>; bind(doc: Doc): void } {
  const spec: Doc = value === undefined ? new Map() : requireDoc(value, "$lookup let", 9);
  const bindings = [...spec].map(([name, item]) => ({
    name,
    cell: newCell(),
    expression: compileExpression(item, context),
  }));
  return {
    cells: new Map(bindings.map(({ name, cell }) => [name, cell])),
    bind(doc) {
      for (const { cell, expression } of bindings) cell.value = expression(doc);
    },
  };
}

const newCell = (): Variable => ({ value: MISSING });

function compileFieldFilter(spec: Doc): (doc: Doc) => Doc {
  const local = requireString(spec.get("localField"), "$lookup argument 'localField'");
  const foreign = requireString(spec.get("foreignField"), "$lookup argument 'foreignField'");
  return (doc) => equalsAny(foreign, valuesAtPath(doc, local));
}

/** A filter for documents whose field equals one of the values; none at all stands for null. */
function equalsAny(field: string, values: Value[]): Doc {
  const known = values.length === 0 ? [null] : values.map((value) => value ?? null);
  const equals = (value: Value): Doc => new Map([[field, new Map([["$eq", value]])]]);
  if (known.length === 1) return equals(known[0]);
  if (known.some((value) => value instanceof BSONRegExp)) return new Map([["$or", known.map(equals)]]);
  return new Map([[field, new Map([["$in", known]])]]);
}

/**
 * A filter that lets an index narrow what a pipeline's leading $match will keep: its plain conditions, and
 * `$expr: { $eq: ["$field", "$$variable"] }` with the variable's value. The $match itself still decides.
 */
function compileHint(stages: Doc[], cells: Map<string, Variable>): () => Doc | undefined {
  const match = stages[0]?.get("$match");
  if (!(match instanceof Map)) return () => undefined;
  const plain = [...match].filter(([name]) => name !== "$expr" && !name.startsWith("$"));
  const pairs = equalityPairs(match.get("$expr"), cells);
  if (plain.length + pairs.length === 0) return () => undefined;
  return () => {
    const conditions: Value[] = plain.map(([name, value]) => new Map([[name, value]]));
    for (const { field, cell } of pairs) {
      if (cell.value !== MISSING && cell.value !== undefined)
        conditions.push(new Map([[field, new Map([["$eq", cell.value]])]]));
    }
    return conditions.length === 0 ? undefined : new Map([["$and", conditions]]);
  };
}

function equalityPairs(expression: Value, cells: Map<string, Variable>): { field: string; cell: Variable }[] {
  if (!(expression instanceof Map)) return [];
  const all = expression.get("$and");
  if (Array.isArray(all)) return all.flatMap((item) => equalityPairs(item, cells));
  const sides = expression.get("$eq");
  if (!Array.isArray(sides) || sides.length !== 2) return [];
  const names = sides.filter((side) => typeof side === "string");
  const field = names.find((name) => /^\$[^$]/.test(name));
  const cell = names
    .map((name) => (name.startsWith("$$") ? cells.get(name.slice(2)) : undefined))
    .find((found) => found);
  return field !== undefined && cell ? [{ field: field.slice(1), cell }] : [];
}

export const unionWith: StageCompiler = (argument, context) => {
  const spec: Doc =
    typeof argument === "string" ? new Map([["coll", argument]]) : requireDoc(argument, "$unionWith", 9);
  const stages = requirePipeline(spec.get("pipeline") ?? [], "$unionWith");
  const run: Stage = context.compilePipeline(stages, context);
  const name = spec.has("coll") ? requireString(spec.get("coll"), "$unionWith coll") : undefined;
  if (name === undefined && !stages[0]?.has("$documents"))
    throw failedToParse("$unionWith needs a collection or a pipeline that starts with $documents");
  const hint = compileHint(stages, new Map());
  return function* (input) {
    yield* input;
    yield* run(name === undefined ? [] : context.readCollection(name, hint()));
  };
};

const GRAPH_OPTIONS = [
  "from",
  "startWith",
  "connectFromField",
  "connectToField",
  "as",
  "maxDepth",
  "depthField",
  "restrictSearchWithMatch",
];

export const graphLookup: StageCompiler = (argument, context) => {
  const spec = requireDoc(argument, "$graphLookup", 40327);
  for (const key of spec.keys())
    if (!GRAPH_OPTIONS.includes(key)) throw located(40104, `Unknown argument to $graphLookup: ${key}`);
  const [from = "", connectFrom = "", connectTo = "", as = ""] = [
    "from",
    "connectFromField",
    "connectToField",
    "as",
  ].map((key) => requireString(spec.get(key), `$graphLookup '${key}'`));
  const startWith = compileExpression(spec.get("startWith"), context);
  const maxDepth = spec.get("maxDepth");
  const deepest = maxDepth === undefined ? Infinity : isNumber(maxDepth) ? toNumber(maxDepth) : Number.NaN;
  if (!(deepest >= 0)) throw located(40101, "maxDepth requires a nonnegative argument");
  const depthField = spec.get("depthField");
  const restriction = spec.get("restrictSearchWithMatch");
  const search = (start: Found): Doc[] => {
    const memory = newMemoryUse("$graphLookup");
    const found = new Map<string, Doc>();
    const asked = new Set<string>();
    let frontier = Array.isArray(start) ? start : [start === MISSING ? null : start];
    for (let depth = 0; frontier.length > 0 && depth <= deepest; depth++) {
      const filter = equalsAny(connectTo, frontier);
      const next: Value[] = [];
      for (const doc of context.readCollection(
        from,
        restriction instanceof Map ? new Map([["$and", [filter, restriction]]]) : filter,
      )) {
        const id = groupKey(doc.get("_id"));
        if (found.has(id)) continue;
        memory.hold(doc);
        found.set(id, typeof depthField === "string" ? new Map(doc).set(depthField, BigInt(depth)) : doc);
        for (const value of valuesAtPath(doc, connectFrom)) next.push(value);
      }
      frontier = next.filter((value) => !asked.has(groupKey(value)));
      for (const value of frontier) asked.add(groupKey(value));
    }
    return [...found.values()];
  };
  return function* (input) {
    for (const doc of input) yield setAt(doc, as.split("."), search(startWith(doc)));
  };
};
