// Which top-level fields a pipeline needs of its input, so that the rest is not decoded.
import { compileFilter } from "../query/matcher.ts";
import { type Doc, isDoc, type Value } from "../values.ts";

const NEEDS_ALL = new Set(["$getField", "$setField", "$unsetField", "$$ROOT", "$$CURRENT"]);

/** False when an expression may read anything. */
function collectPaths(value: Value, fields: Set<string>): boolean {
  if (typeof value === "string") {
    if (NEEDS_ALL.has(value.split(".", 1)[0] ?? "")) return false;
    if (value.startsWith("$") && !value.startsWith("$$")) fields.add(value.slice(1).split(".", 1)[0] ?? "");
    return true;
  }
  if (Array.isArray(value)) return value.every((item) => collectPaths(item, fields));
  if (!isDoc(value)) return true;
  return [...value].every(([name, item]) => !NEEDS_ALL.has(name) && collectPaths(item, fields));
}

function collectFilter(filter: Value, vars: Map<string, Value>, fields: Set<string>): boolean {
  if (!isDoc(filter)) return false;
  const read = compileFilter(filter, { vars }).fields;
  for (const field of read ?? []) fields.add(field);
  return read !== undefined;
}

/** The fields, or undefined for all of them. Only looks as far as the first stage that starts from scratch. */
export function fieldsOfPipeline(stages: Doc[], vars: Map<string, Value>): ReadonlySet<string> | undefined {
  const fields = new Set<string>();
  for (const stage of stages) {
    const [entry] = stage;
    if (!entry) return undefined;
    const [name, argument] = entry;
    switch (name) {
      case "$count":
        return fields;
      case "$group":
      case "$sortByCount":
        return collectPaths(argument, fields) ? fields : undefined;
      case "$limit":
      case "$skip":
        break;
      case "$match":
        if (!collectFilter(argument, vars, fields)) return undefined;
        break;
      case "$sort":
        for (const path of isDoc(argument) ? argument.keys() : []) fields.add(path.split(".", 1)[0] ?? path);
        break;
      case "$unwind":
      case "$addFields":
      case "$set":
        if (!collectPaths(argument, fields)) return undefined;
        // A field that is set inside a document keeps the rest of that document.
        for (const path of name === "$unwind" || !isDoc(argument) ? [] : argument.keys())
          fields.add(path.split(".", 1)[0] ?? path);
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}
