import { type Doc, Timestamp, type Value } from "../values.ts";
import { toVariables, type Variable } from "../expressions/expression-types.ts";
import { compileStages } from "../aggregate/pipeline.ts";
import { badValue, failedToParse, located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import type { Collation } from "../keys/collation.ts";
import { equalValues } from "../keys/compare.ts";
import { withoutPauses } from "../pace.ts";
import { compileFilter } from "../query/matcher.ts";
import { firstPart } from "../fields/paths.ts";
import {
  applyModifiers,
  type ArrayFilters,
  checkConflicts,
  isArrayUpdatePart,
  type Modifier,
  type UpdateContext,
} from "./apply.ts";
import { describeChanges, describeDifference, type Description, emptyDescription, isIdentical } from "./description.ts";
import { compileModifiers } from "./operators.ts";

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
  return options.isReplacement ? compileReplacement(update) : compileOperatorUpdate(update, options);
}

const unchanged = (doc: Doc): UpdateResult => ({ doc, changed: false, ...emptyDescription() });

const NEW_ID = "Performing an update on the path '_id' would modify the immutable field '_id'";

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
      checkId(doc, result.doc, NEW_ID);
      return { doc: withIdFirst(result.doc), changed: true, ...describeChanges(result.changes, result.doc) };
    },
  };
}

function checkPath({ path, parts }: Modifier): void {
  const [first = ""] = parts;
  if (path === "") throw located(56, "An empty update path is not valid.");
  if (parts.includes(""))
    throw located(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (first === "$" || isArrayUpdatePart(first))
    throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  if (first.startsWith("$")) throw dollarPrefixed(first, path);
  if (parts.indexOf("$") !== parts.lastIndexOf("$"))
    throw badValue(`Too many positional (i.e. '$') elements found in path '${path}'`);
}

const dollarPrefixed = (name: string, path: string) =>
  located(
    52,
    `The dollar ($) prefixed field '${name}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );

/** Fields are changed in the order of their names, numbers by amount, as MongoDB does. */
function compareParts(left: string[], right: string[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  const [a, b] = [left[at], right[at]];
  if (a === undefined || b === undefined) return left.length - right.length;
  const isNumeric = /^\d+$/.test(a) && /^\d+$/.test(b);
  return (isNumeric ? Number(a) - Number(b) : 0) || (a < b ? -1 : 1);
}

function compileArrayFilters(options: UpdateOptions, modifiers: Modifier[]): ArrayFilters {
  const filters: ArrayFilters = new Map();
  for (const spec of options.arrayFilters ?? []) {
    const name = filterName(spec);
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    const filter = compileFilter(spec, { collation: options.collation });
    filters.set(name, (value) => filter.matches(new Map([[name, value]])));
  }
  const used = new Set<string>();
  for (const { path, parts } of modifiers) {
    for (const part of parts) {
      if (!isArrayUpdatePart(part)) continue;
      const name = part.slice(2, -1);
      if (name !== "" && !filters.has(name))
        throw badValue(`No array filter found for identifier '${name}' in path '${path}'`);
      used.add(name);
    }
  }
  const unused = filters.keys().find((name) => !used.has(name));
  if (unused === undefined) return filters;
  throw failedToParse(`The array filter for identifier '${unused}' was not used in the update`);
}

/** The one field that an array filter is about. */
function filterName(filter: Doc): string {
  const [name, ...others] = new Set(topLevelFields(filter));
  if (name === undefined)
    throw failedToParse("Cannot use an expression without a top-level field name in arrayFilters");
  if (others.length > 0)
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[name, ...others].join("' and '")}'`,
    );
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
    throw badValue(
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  return name;
}

const topLevelFields = (filter: Doc): string[] =>
  [...filter].flatMap(([name, value]) => {
    if (!name.startsWith("$")) return firstPart(name);
    return Array.isArray(value) ? value.flatMap((item) => (item instanceof Map ? topLevelFields(item) : [])) : [];
  });

const UPDATE_STAGES = new Set(["$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith"]);

function compilePipelineUpdate(pipeline: Doc[], options: UpdateOptions): Update {
  if (options.arrayFilters) throw failedToParse("arrayFilters may not be specified for pipeline-syle updates");
  for (const stage of pipeline) {
    const [name = ""] = stage.keys();
    if (!UPDATE_STAGES.has(name)) throw located(72, `${name} is not allowed to be used within an update`);
  }
  const now: Variable = { value: null };
  const run = compileStages(pipeline, {
    collation: options.collation,
    variables: new Map([...toVariables(options.vars), ["NOW", now]]),
    readCollection: () => [],
    compilePipeline: compileStages,
  });
  return {
    apply(doc, context) {
      now.value = context.now;
      const [result = doc] = withoutPauses(run([doc]));
      const after = withId(result, doc, NEW_ID);
      if (isIdentical(doc, after)) return unchanged(doc);
      return { doc: after, changed: true, ...describeDifference(doc, after) };
    },
  };
}

function compileReplacement(replacement: Doc): Update {
  const dollarName = replacement.keys().find((name) => name.startsWith("$"));
  if (dollarName !== undefined) throw dollarPrefixed(dollarName, dollarName);
  const newId = `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${showValue(replacement.get("_id"))}`;
  return {
    apply(doc, context) {
      const after = withId(fillTimestamps(replacement, context), doc, newId);
      return { doc: after, changed: !isIdentical(doc, after), ...emptyDescription() };
    },
  };
}

/** An empty timestamp at the top of a document that is stored whole stands for the present one. */
function fillTimestamps(doc: Doc, context: UpdateContext): Doc {
  const isEmpty = (value: Value) => value instanceof Timestamp && value.t === 0 && value.i === 0;
  if (!doc.values().some(isEmpty)) return doc;
  return new Map(
    [...doc].map(([name, value]) => [name, isEmpty(value) && name !== "_id" ? context.nextTimestamp() : value]),
  );
}

/** The new document with the old one's _id, which it may repeat but not change. */
function withId(after: Doc, before: Doc, message: string): Doc {
  if (before.has("_id") && !after.has("_id")) return new Map([["_id", before.get("_id")], ...after]);
  checkId(before, after, message);
  return withIdFirst(after);
}

function checkId(before: Doc, after: Doc, message: string): void {
  if (!before.has("_id") || (after.has("_id") && equalValues(before.get("_id"), after.get("_id")))) return;
  throw located(66, message);
}

function withIdFirst(doc: Doc): Doc {
  const [first] = doc.keys();
  return first === "_id" || !doc.has("_id") ? doc : new Map([["_id", doc.get("_id")], ...doc]);
}
