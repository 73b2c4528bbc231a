// Objects, and accumulators used as plain expressions.
import type { Doc, Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { located } from "../bson/fail.ts";
import { typeName } from "../bson/types.ts";
import { getField, MISSING, setAt } from "../fields/paths.ts";
import { isNullish, namedArguments, type Operator, operator, orNull, requireArray } from "./expression-types.ts";
import { type Fold, type FoldContext, FOLDS } from "./folds.ts";
import { newMemoryUse } from "./memory.ts";

/** An operator over one document, null when there is none. */
const overDocument = (code: number, apply: (doc: Doc) => Value): Operator =>
  operator(1, 1, ([value], name) => {
    if (isNullish(value)) return null;
    if (value instanceof Map) return apply(value);
    throw located(code, `${name} requires a document input, found: ${typeName(value)}`);
  });

const arrayToObject = operator(1, 1, ([value], name) => {
  if (isNullish(value)) return null;
  return new Map(
    requireArray(value, name, 40386).map((pair): [string, Value] => {
      const [key, item] = pair instanceof Map ? [pair.get("k"), pair.get("v")] : requireArray(pair, name, 40398);
      if (typeof key === "string") return [key, item];
      throw located(40395, `$arrayToObject requires keys of type string, found: ${typeName(key)}`);
    }),
  );
});

function fieldName(value: Value, name: string): string {
  const text = value instanceof Map ? value.get("$literal") : value;
  if (typeof text === "string") return text;
  throw located(5654602, `${name} requires 'field' to evaluate to type String`);
}

const readField: Operator = (argument, context, compile, name) => {
  const isNamed = argument instanceof Map && argument.has("field");
  const spec = isNamed ? namedArguments(argument, name, ["field"], ["input"]) : docOf({ field: argument });
  const field = fieldName(spec.get("field"), name);
  const input = compile(spec.has("input") ? spec.get("input") : "$$CURRENT", context);
  return (root) => {
    const doc = input(root);
    if (doc instanceof Map) return getField(doc, field);
    return isNullish(doc) ? orNull(doc) : MISSING;
  };
};

const writeField =
  (hasValue: boolean): Operator =>
  (argument, context, compile, name) => {
    const spec = namedArguments(argument, name, hasValue ? ["field", "input", "value"] : ["field", "input"]);
    const field = fieldName(spec.get("field"), name);
    const input = compile(spec.get("input"), context);
    const value = compile(hasValue ? spec.get("value") : "$$REMOVE", context);
    return (root) => {
      const doc = input(root);
      if (isNullish(doc)) return null;
      if (!(doc instanceof Map)) throw located(4161105, `${name} requires 'input' to evaluate to type Object`);
      return setAt(doc, [field], value(root));
    };
  };

/** One array argument gives its elements; several arguments are taken as they are. */
const folding = (newFold: (context: FoldContext) => Fold): Operator =>
  operator(0, Infinity, (values, name, { collation }) => {
    const fold = newFold({ collation, memory: newMemoryUse(name) });
    for (const value of values.length === 1 && Array.isArray(values[0]) ? values[0] : values) fold.add(value);
    return fold.result();
  });

export const OBJECT_OPERATORS: [string, Operator][] = [
  ...FOLDS.map(([name, newFold]): [string, Operator] => [name, folding(newFold)]),
  ["$objectToArray", overDocument(40390, (doc) => [...doc].map(([k, v]) => docOf({ k, v })))],
  ["$arrayToObject", arrayToObject],
  ["$getField", readField],
  ["$setField", writeField(true)],
  ["$unsetField", writeField(false)],
  ["$bsonSize", overDocument(31393, (doc) => encode(doc).length)],
];
