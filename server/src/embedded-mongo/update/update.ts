import { MongoError, Timestamp } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { badValue, failedToParse } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { compileStages } from "../aggregate/pipeline.ts";
import { toVariables } from "../aggregate/expression-types.ts";
import type { Variable } from "../aggregate/expression-types.ts";
import type { Collation } from "../keys/collation.ts";
import { equalValues } from "../keys/compare.ts";
import { compileFilter } from "../query/matcher.ts";
import { applyModifiers, checkConflicts, isArrayUpdatePart } from "./apply.ts";
import type { ArrayFilters } from "./apply.ts";
import { describeChanges, describeDifference, emptyDescription } from "./diff.ts";
import type { Description } from "./diff.ts";
import type { Modifier, UpdateContext } from "./modifier.ts";
import { compileModifiers } from "./operators.ts";

export type { UpdateContext } from "./modifier.ts";
export type UpdateResult = Description & { doc: Doc; changed: boolean };
export type Update = { apply(doc: Doc, context: UpdateContext): UpdateResult };
export type UpdateOptions = {
  arrayFilters?: Doc[] | undefined;
  collation?: Collation | undefined;
  isReplacement?: boolean;
  /** The variables of `let`, for a pipeline. */
  vars?: Map<string, Value>;
};

/** Compiles an update: operators, a pipeline (an array), or a replacement document. */
export function compileUpdate(update: Doc | Doc[], options: UpdateOptions = {}): Update {
  if (Array.isArray(update)) return compilePipelineUpdate(update, options);
  if (options.isReplacement) return compileReplacement(update);
  return compileOperatorUpdate(update, options);
}

function unchanged(doc: Doc): UpdateResult {
  return { doc, changed: false, ...emptyDescription() };
}

function compileOperatorUpdate(update: Doc, options: UpdateOptions): Update {
  const modifiers = compileModifiers(update, options.collation);
  for (const modifier of modifiers) checkPath(modifier);
  checkConflicts(modifiers.map((modifier) => modifier.parts));
  modifiers.sort((left, right) => compareParts(left.parts, right.parts));
  const filters = compileArrayFilters(options, modifiers);
  return {
    apply(doc, context) {
      const result = applyModifiers(doc, modifiers, filters, context);
      if (result.changes.length === 0) return unchanged(doc);
      checkId(doc, result.doc, "Performing an update on the path '_id' would modify the immutable field '_id'");
      return { doc: withIdFirst(result.doc), changed: true, ...describeChanges(result.changes, result.doc) };
    },
  };
}

function checkPath({ path, parts }: Modifier): void {
  if (parts.some((part) => part === "")) {
    const message =
      path === ""
        ? "An empty update path is not valid."
        : `The update path '${path}' contains an empty field name, which is not allowed.`;
    throw new MongoError(56, "EmptyFieldName", message);
  }
  if (parts[0]?.startsWith("$")) {
    if (parts[0] === "$" || isArrayUpdatePart(parts[0]))
      throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    throw new MongoError(
      52,
      "DollarPrefixedFieldName",
      `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  if (parts.filter((part) => part === "$").length > 1)
    throw badValue(`Too many positional (i.e. '$') elements found in path '${path}'`);
}

/** Fields are changed in the order of their names, numbers by amount, as MongoDB does. */
function compareParts(left: string[], right: string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a = "", b = ""] = [left[index], right[index]];
    if (a === b) continue;
    const isNumeric = /^\d+$/.test(a) && /^\d+$/.test(b);
    return (isNumeric ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1);
  }
  return left.length - right.length;
}

function compileArrayFilters(options: UpdateOptions, modifiers: Modifier[]): ArrayFilters {
  const filters: ArrayFilters = new Map();
  for (const spec of options.arrayFilters ?? []) {
    const names = filterNames(spec);
    const [name] = names;
    if (name === undefined)
      throw failedToParse("Cannot use an expression without a top-level field name in arrayFilters");
    if (names.size > 1)
      throw failedToParse(
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
      );
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      throw badValue(
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    const filter = compileFilter(spec, { collation: options.collation });
    filters.set(name, (value) => filter.matches(new Map([[name, value]])));
  }
  const used = new Set(
    modifiers.flatMap(({ parts }) => parts.filter(isArrayUpdatePart).map((part) => part.slice(2, -1))),
  );
  for (const name of used)
    if (name !== "" && !filters.has(name))
      throw badValue(
        `No array filter found for identifier '${name}' in path '${modifiers.find(({ path }) => path.includes(`$[${name}]`))?.path ?? ""}'`,
      );
  for (const name of filters.keys())
    if (!used.has(name)) throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
  return filters;
}

function filterNames(filter: Doc): Set<string> {
  const names = new Set<string>();
  for (const [name, value] of filter) {
    if (!name.startsWith("$")) names.add(name.split(".")[0] ?? name);
    else if (Array.isArray(value))
      for (const item of value) if (item instanceof Map) for (const inner of filterNames(item)) names.add(inner);
  }
  return names;
}

function compilePipelineUpdate(pipeline: Doc[], options: UpdateOptions): Update {
  if (options.arrayFilters) throw failedToParse("arrayFilters may not be specified for pipeline-syle updates");
  const allowed = new Set(["$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith"]);
  for (const stage of pipeline) {
    const [name = ""] = stage.keys();
    if (!allowed.has(name))
      throw new MongoError(72, "InvalidOptions", `${name} is not allowed to be used within an update`);
  }
  const now: Variable = { value: null };
  const variables = new Map([...toVariables(options.vars), ["NOW", now] satisfies [string, Variable]]);
  const run = compileStages(pipeline, {
    collation: options.collation,
    variables,
    readCollection: () => [],
    compilePipeline: compileStages,
  });
  return {
    apply(doc, context) {
      now.value = context.now;
      const [result = doc] = run([doc]);
      const after = withId(result, doc, true);
      if (describeNothing(doc, after)) return unchanged(doc);
      return { doc: after, changed: true, ...describeDifference(doc, after) };
    },
  };
}

function describeNothing(before: Doc, after: Doc): boolean {
  const { updatedFields, removedFields, truncatedArrays } = describeDifference(before, after);
  if (updatedFields.size + removedFields.length + truncatedArrays.length > 0) return false;
  return [...before.keys()].join("\0") === [...after.keys()].join("\0");
}

function compileReplacement(replacement: Doc): Update {
  for (const name of replacement.keys()) {
    if (name.startsWith("$")) {
      throw new MongoError(
        52,
        "DollarPrefixedFieldName",
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return {
    apply(doc, context) {
      const after = withId(fillTimestamps(replacement, context), doc, false);
      return { doc: after, changed: !describeNothing(doc, after), ...emptyDescription() };
    },
  };
}

/** An empty timestamp at the top of a document that is stored whole stands for the present one. */
function fillTimestamps(doc: Doc, context: UpdateContext): Doc {
  const isEmpty = (value: Value) => value instanceof Timestamp && value.t === 0 && value.i === 0;
  if (![...doc.values()].some(isEmpty)) return doc;
  return new Map(
    [...doc].map(([name, value]) => [name, isEmpty(value) && name !== "_id" ? context.nextTimestamp() : value]),
  );
}

/** The new document with the old one's _id, which it may repeat but not change. */
function withId(after: Doc, before: Doc, isPipeline: boolean): Doc {
  if (!before.has("_id")) return withIdFirst(after);
  const id = before.get("_id");
  if (!after.has("_id")) return new Map([["_id", id], ...after]);
  const message = isPipeline
    ? "Performing an update on the path '_id' would modify the immutable field '_id'"
    : `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(after.get("_id"))}`;
  checkId(before, after, message);
  return withIdFirst(after);
}

function checkId(before: Doc, after: Doc, message: string): void {
  if (!before.has("_id") || (after.has("_id") && equalValues(before.get("_id"), after.get("_id")))) return;
  throw new MongoError(66, "ImmutableField", message);
}

function withIdFirst(doc: Doc): Doc {
  const [first] = doc.keys();
  return first === "_id" || !doc.has("_id") ? doc : new Map([["_id", doc.get("_id")], ...doc]);
}
