import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { isOperatorDoc } from "../query/field-operators.ts";
import { BSONRegExp } from "../values.ts";

/** The document that an upsert starts from: what the filter says a field equals. */
export function upsertBase(filter: Doc): Doc {
  const equalities: [string, Value][] = [];
  collect(filter, equalities);
  const base: Doc = new Map();
  const paths = equalities.map(([path]) => path);
  for (const [path, value] of equalities) {
    const other = paths.find((candidate) => candidate.startsWith(`${path}.`));
    if (other !== undefined) throw notSingular(path, other);
    if (paths.indexOf(path) !== paths.lastIndexOf(path)) {
      throw new MongoError(
        54,
        "NotSingleValueField",
        `cannot infer query fields to set, path '${path}' is matched twice`,
      );
    }
    setPath(base, path.split("."), value);
  }
  return base;
}

const notSingular = (path: string, other: string): MongoError =>
  new MongoError(
    54,
    "NotSingleValueField",
    `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
  );

function collect(filter: Doc, out: [string, Value][]): void {
  for (const [name, value] of filter) {
    if (name === "$and" || (name === "$or" && Array.isArray(value) && value.length === 1)) {
      if (Array.isArray(value)) for (const item of value) if (item instanceof Map) collect(item, out);
    } else if (!name.startsWith("$")) collectField(name, value, out);
  }
}

function collectField(path: string, value: Value, out: [string, Value][]): void {
  if (value instanceof BSONRegExp) return;
  if (!(value instanceof Map) || !isOperatorDoc(value)) {
    out.push([path, value]);
    return;
  }
  const isIn = value.has("$in");
  const single = value.get(isIn ? "$in" : "$all");
  if (value.has("$eq")) out.push([path, value.get("$eq")]);
  else if (Array.isArray(single) && single.length === 1 && !(single[0] instanceof BSONRegExp)) {
    const [only] = single;
    if (!(only instanceof Map && isOperatorDoc(only))) out.push([path, only]);
  }
}

function setPath(base: Doc, parts: string[], value: Value): void {
  let container = base;
  for (const part of parts.slice(0, -1)) {
    const next = container.get(part);
    const child: Doc = next instanceof Map ? next : new Map();
    container.set(part, child);
    container = child;
  }
  container.set(parts.at(-1) ?? "", value);
}
