import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { checkFieldName, fieldNames, type Found, getField, MISSING } from "../fields/paths.ts";
import { type Expression, type ExpressionContext, type Operator, orNull } from "./expression-types.ts";
import { ARITHMETIC_OPERATORS } from "./operators-arithmetic.ts";
import { ARRAY_OPERATORS } from "./operators-array.ts";
import { CONVERT_OPERATORS } from "./operators-convert.ts";
import { LOGIC_OPERATORS } from "./operators-logic.ts";
import { OBJECT_OPERATORS } from "./operators-object.ts";
import { STRING_OPERATORS } from "./operators-string.ts";

export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ...ARITHMETIC_OPERATORS,
  ...LOGIC_OPERATORS,
  ...STRING_OPERATORS,
  ...CONVERT_OPERATORS,
  ...ARRAY_OPERATORS,
  ...OBJECT_OPERATORS,
]);

/** Compiles an aggregation expression once, to be evaluated on many documents. */
export function compileExpression(spec: Value, context: ExpressionContext = { variables: new Map() }): Expression {
  if (typeof spec === "string") return spec.startsWith("$") ? compilePath(spec, context) : () => spec;
  if (Array.isArray(spec)) {
    const items = spec.map((item) => compileExpression(item, context));
    return (root) => items.map((item) => orNull(item(root)));
  }
  if (!(spec instanceof Map)) return () => spec;
  const [name] = spec.keys();
  if (name === undefined || !name.startsWith("$")) return compileObject(spec, context);
  if (spec.size > 1)
    throw located(15983, `an object representing an expression must have exactly one field, found ${spec.size}`);
  const operator = OPERATORS.get(name);
  if (!operator) throw located(168, `Unrecognized expression '${name}'`);
  return operator(spec.get(name), context, compileExpression, name);
}

function compileObject(spec: Doc, context: ExpressionContext): Expression {
  const fields = [...spec].map(([name, value]): [string, Expression] => {
    if (name.includes("."))
      throw located(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    checkFieldName(name);
    return [name, compileExpression(value, context)];
  });
  return (root) => {
    const doc: Doc = new Map();
    for (const [name, expression] of fields) {
      const value = expression(root);
      if (value !== MISSING) doc.set(name, value);
    }
    return doc;
  };
}

function compilePath(text: string, context: ExpressionContext): Expression {
  if (text.startsWith("$$")) return compileVariable(text.slice(2), context);
  const parts = fieldNames(text.slice(1), 16872);
  const [first = ""] = parts;
  context.reads?.fields.add(first);
  if (parts.length === 1) return (root) => getField(root, first);
  return (root) => readPath(root, parts, 0);
}

function compileVariable(text: string, context: ExpressionContext): Expression {
  const [name = "", ...path] = text.split(".");
  const variable = context.variables.get(name);
  if (!variable && (name === "ROOT" || name === "CURRENT")) {
    if (path.length > 0) return compilePath(`$${path.join(".")}`, context);
    if (context.reads) context.reads.all = true;
    return (root) => root;
  }
  if (!variable && name === "REMOVE") return () => MISSING;
  if (!variable) throw located(17276, `Use of undefined variable: ${name}`);
  if (path.length === 0) return () => variable.value;
  const parts = fieldNames(path.join("."), 15998);
  return () => readPath(variable.value, parts, 0);
}

/** Follows a path; an array on the way gives the array of what its documents hold there. */
function readPath(value: Found, parts: string[], at: number): Found {
  if (at === parts.length) return value;
  if (value instanceof Map) return readPath(getField(value, parts[at] ?? ""), parts, at + 1);
  if (!Array.isArray(value)) return MISSING;
  return value
    .map((item) => (item instanceof Map ? readPath(item, parts, at) : MISSING))
    .filter((item) => item !== MISSING);
}
