import { BSONRegExp, type Doc, type Value } from "../values.ts";
import { located } from "../bson/fail.ts";
import { setAt } from "../fields/paths.ts";
import { isOperatorDoc } from "../fields/value-tests.ts";

/** The document that an upsert starts from: what the filter says a field equals. */
export function upsertBase(filter: Doc): Doc {
  let base: Doc = new Map();
  const equalities = equalitiesOf(filter);
  const paths = equalities.map(([path]) => path);
  for (const [index, [path, value]] of equalities.entries()) {
    if (path.split(".").some((part) => part.startsWith("$") && !REFERENCE.includes(part)))
      throw located(52, `The dollar ($) prefixed field in '${path}' is not valid for storage.`);
    const other = paths.find((known, at) => known.startsWith(`${path}.`) || (known === path && at !== index));
    if (other !== undefined)
      throw located(54, `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`);
    base = setAt(base, path.split("."), value);
  }
  return base;
}

const REFERENCE = ["$ref", "$id", "$db"];

const equalitiesOf = (filter: Doc): [string, Value][] =>
  [...filter].flatMap(([name, value]) => {
    if (!name.startsWith("$")) return fieldEquality(name, value);
    const isCertain = Array.isArray(value) && (name === "$and" || (name === "$or" && value.length === 1));
    return isCertain ? value.flatMap((item) => (item instanceof Map ? equalitiesOf(item) : [])) : [];
  });

function fieldEquality(path: string, value: Value): [string, Value][] {
  if (value instanceof BSONRegExp) return [];
  if (!(value instanceof Map) || !isOperatorDoc(value)) return [[path, value]];
  return [...value].flatMap(([operator, operand]): [string, Value][] => {
    if (operator === "$eq") return [[path, operand]];
    const isList = operator === "$in" || operator === "$all";
    const [only, ...others] = isList && Array.isArray(operand) ? operand : [undefined, undefined];
    if (others.length > 0 || only === undefined || only instanceof BSONRegExp || isOperatorDoc(only)) return [];
    return [[path, only]];
  });
}
