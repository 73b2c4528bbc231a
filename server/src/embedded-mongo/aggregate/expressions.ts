import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { getField, MISSING } from "../query/paths.ts";
import type { Found } from "../query/paths.ts";
import { orNull } from "./expression-types.ts";
import type { Expression, ExpressionContext, Operator, Variables } from "./expression-types.ts";
import { OPERATORS } from "./operators.ts";

export type { ExpressionContext, ExpressionScope } from "./expression-types.ts";

const NO_VARIABLES: Variables = new Map();

/** Compiles an aggregation expression once, to be evaluated on many documents. */
export function compileExpression(spec: Value, context: ExpressionContext = { variables: NO_VARIABLES }): Expression {
  if (typeof spec === "string") return spec.startsWith("$") ? compilePath(spec, context) : () => spec;
  if (Array.isArray(spec)) {
    const items = spec.map((item) => compileExpression(item, context));
    return (root) => items.map((item) => orNull(item(root)));
  }
  if (!(spec instanceof Map)) return () => spec;
  const [name] = spec.keys();
  if (name === undefined || !name.startsWith("$")) return compileObject(spec, context);
  if (spec.size > 1) {
    throw located(15983, `an object representing an expression must have exactly one field, found ${spec.size}`);
  }
  return compileOperator(name, spec.get(name), context);
}

function compileOperator(name: string, argument: Value, context: ExpressionContext): Expression {
  const operator: Operator | undefined = OPERATORS.get(name);
  if (!operator) throw new MongoError(168, "InvalidPipelineOperator", `Unrecognized expression '${name}'`);
  return operator(argument, context, compileExpression, name);
}

function compileObject(spec: Doc, context: ExpressionContext): Expression {
  const fields = [...spec].map(([name, value]): [string, Expression] => {
    if (name.includes("."))
      throw located(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    if (name.startsWith("$"))
      throw located(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
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
  const parts = checkParts(text.slice(1));
  const [first = ""] = parts;
  context.reads?.fields.add(first);
  if (parts.length === 1) return (root) => getField(root, first);
  return (root) => readPath(root, parts, 0);
}

function checkParts(path: string): string[] {
  if (path === "") throw located(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.split(".");
  for (const part of parts) {
    if (part === "") throw located(15998, "FieldPath field names may not be empty strings.");
    if (part.startsWith("$"))
      throw located(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return parts;
}

function compileVariable(text: string, context: ExpressionContext): Expression {
  const [name = "", ...path] = text.split(".");
  const variable = context.variables.get(name);
  if (!variable && (name === "ROOT" || name === "CURRENT")) {
    if (path.length === 0) {
      if (context.reads) context.reads.all = true;
      return (root) => root;
    }
    return compilePath(`$${path.join(".")}`, context);
  }
  if (!variable && name === "REMOVE") return () => MISSING;
  if (!variable) throw located(17276, `Use of undefined variable: ${name}`);
  if (path.length === 0) return () => variable.value;
  const parts = checkParts(path.join("."));
  return () => readPath(variable.value, parts, 0);
}

/** Follows a path; an array on the way gives the array of what its documents hold there. */
export function readPath(value: Found, parts: string[], at: number): Found {
  if (at === parts.length) return value;
  if (value instanceof Map) return readPath(getField(value, parts[at] ?? ""), parts, at + 1);
  if (!Array.isArray(value)) return MISSING;
  const results: Value[] = [];
  for (const item of value) {
    const found = item instanceof Map ? readPath(item, parts, at) : MISSING;
    if (found !== MISSING) results.push(found);
  }
  return results;
}
