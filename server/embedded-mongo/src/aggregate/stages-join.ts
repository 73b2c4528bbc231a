// Stages that read other collections.
import { BSONRegExp, type Doc, type Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { failedToParse, unsupported } from "../bson/fail.ts";
import { groupKey } from "../keys/encode-key.ts";
import { PAUSE, type Pause } from "../pace.ts";
import { MISSING, setAt, valuesAtPath } from "../fields/paths.ts";
import { orNull, type Variable } from "../expressions/expression-types.ts";
import { compileExpression } from "../expressions/expressions.ts";
import { collect, newMemoryUse } from "../expressions/memory.ts";
import {
  checkOptions,
  requireDoc,
  requirePipeline,
  requireString,
  type StageCompiler,
  type StageContext,
} from "./stage-types.ts";

const REMEMBERED_ROWS = 20_000;

export const lookup: StageCompiler = (argument, context, name) => {
  const spec = requireDoc(argument, name, 40319);
  checkOptions(spec, ["from", "as", "localField", "foreignField", "let", "pipeline"], name, 9);
  const as = requireString(spec.get("as"), "$lookup argument 'as'").split(".");
  const join = compileJoin(spec, context);
  return function* (input) {
    for (const doc of input) yield doc === PAUSE ? doc : setAt(doc, as, yield* join(doc));
  };
};

function compileJoin(spec: Doc, context: StageContext): (doc: Doc) => Generator<Pause, Doc[]> {
  const filterOf = compileFieldFilter(spec);
  if (!filterOf && !spec.has("pipeline"))
    throw failedToParse("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  const stages = requirePipeline(spec.get("pipeline") ?? [], "$lookup");
  const bindings = compileLet(spec.get("let"), context);
  const run = context.compilePipeline(stages, {
    ...context,
    variables: new Map([...context.variables, ...bindings.cells]),
  });
  const from = requireSource(spec.get("from"), filterOf ? [] : stages);
  const hint = compileHint(stages, bindings.cells);
  // What does not depend on the document but through one value is read once for each value.
  const remembered = new Map<string, Doc[]>();
  let rowsRemembered = 0;
  const isFree = bindings.cells.size === 0;
  return function* (doc) {
    bindings.bind(doc);
    const filter = filterOf?.(doc);
    const key = filter ? groupKey(filter) : "";
    const known = isFree ? remembered.get(key) : undefined;
    if (known) return known;
    const input = from === undefined ? [] : context.readCollection(from, filter ?? hint());
    const rows = yield* collect(run(input), newMemoryUse("$lookup"));
    if (isFree && (rowsRemembered < REMEMBERED_ROWS || key === "")) {
      remembered.set(key, rows);
      rowsRemembered += rows.length + 1;
    }
    return rows;
  };
}

/** The collection to read; there is none when the pipeline brings its own rows with $documents. */
function requireSource(name: Value, stages: Doc[]): string | undefined {
  if (name instanceof Map) throw unsupported("reading another database in a pipeline");
  if (name !== undefined) return requireString(name, "the name of a collection in a pipeline");
  if (stages[0]?.has("$documents")) return undefined;
  throw failedToParse("without a collection the 'pipeline' must have $documents as its first stage");
}

function compileLet(value: Value, context: StageContext): { cells: Map<string, Variable>; bind(doc: Doc): void } {
  const spec: Doc = value === undefined ? new Map() : requireDoc(value, "$lookup let", 9);
  const bindings = [...spec].map(([name, item]) => {
    const cell: Variable = { value: MISSING };
    return { name, cell, expression: compileExpression(item, context) };
  });
  return {
    cells: new Map(bindings.map(({ name, cell }) => [name, cell])),
    bind(doc) {
      for (const { cell, expression } of bindings) cell.value = expression(doc);
    },
  };
}

/** The filter of localField and foreignField: documents whose field equals one of the values, or null if there is none. */
function compileFieldFilter(spec: Doc): ((doc: Doc) => Doc) | undefined {
  if (!spec.has("localField") && !spec.has("foreignField")) return undefined;
  const local = requireString(spec.get("localField"), "$lookup argument 'localField'");
  const foreign = requireString(spec.get("foreignField"), "$lookup argument 'foreignField'");
  const equals = (value: Value): Doc => new Map([[foreign, docOf({ $eq: value })]]);
  return (doc) => {
    const values = valuesAtPath(doc, local).map((value) => value ?? null);
    if (values.length <= 1) return equals(values[0] ?? null);
    if (values.some((value) => value instanceof BSONRegExp)) return docOf({ $or: values.map(equals) });
    return new Map([[foreign, docOf({ $in: values })]]);
  };
}

/**
 * A filter that lets an index narrow what a pipeline's leading $match will keep: its plain conditions, and
 * `$expr: { $eq: ["$field", "$$variable"] }` with the variable's value. The $match itself still decides.
 */
function compileHint(stages: Doc[], cells: Map<string, Variable>): () => Doc | undefined {
  const match = stages[0]?.get("$match");
  if (!(match instanceof Map)) return () => undefined;
  const plain = [...match].filter(([name]) => !name.startsWith("$")).map((condition) => new Map([condition]));
  const pairs = equalityPairs(match.get("$expr"), cells);
  return () => {
    const known = pairs.filter(({ cell }) => cell.value !== MISSING && cell.value !== undefined);
    const conditions = [
      ...plain,
      ...known.map(({ field, cell }) => new Map([[field, docOf({ $eq: orNull(cell.value) })]])),
    ];
    return conditions.length === 0 ? undefined : docOf({ $and: conditions });
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
  const variable = names.find((name) => name.startsWith("$$"));
  const cell = cells.get(variable?.slice(2) ?? "");
  return field !== undefined && cell ? [{ field: field.slice(1), cell }] : [];
}

export const unionWith: StageCompiler = (argument, context, name) => {
  const spec: Doc = typeof argument === "string" ? new Map([["coll", argument]]) : requireDoc(argument, name, 9);
  const stages = requirePipeline(spec.get("pipeline") ?? [], name);
  const run = context.compilePipeline(stages, context);
  const from = requireSource(spec.get("coll"), stages);
  const hint = compileHint(stages, new Map());
  return function* (input) {
    yield* input;
    yield* run(from === undefined ? [] : context.readCollection(from, hint()));
  };
};
