// What changed between two versions of a document, in the form of a change event's updateDescription.
import type { Doc, Value } from "../values.ts";
import type { Change } from "./apply.ts";
import { isIdentical } from "./modifier.ts";

export type Description = { updatedFields: Doc; removedFields: string[]; truncatedArrays: Doc[] };

export const emptyDescription = (): Description => ({
  updatedFields: new Map(),
  removedFields: [],
  truncatedArrays: [],
});

const join = (path: string, name: string | number): string => (path === "" ? String(name) : `${path}.${name}`);

export function describeDifference(before: Doc, after: Doc): Description {
  const description = emptyDescription();
  compareDocs(before, after, "", description);
  return description;
}

function compareDocs(before: Doc, after: Doc, path: string, out: Description): void {
  for (const name of before.keys()) if (!after.has(name)) out.removedFields.push(join(path, name));
  for (const [name, value] of after) {
    if (before.has(name)) compareItems(before.get(name), value, join(path, name), out);
    else out.updatedFields.set(join(path, name), value);
  }
}

function compareItems(before: Value, after: Value, path: string, out: Description): void {
  if (isIdentical(before, after)) return;
  if (before instanceof Map && after instanceof Map) return compareDocs(before, after, path, out);
  if (!Array.isArray(before) || !Array.isArray(after)) {
    out.updatedFields.set(path, after);
    return;
  }
  if (after.length < before.length)
    out.truncatedArrays.push(
      new Map<string, Value>([
        ["field", path],
        ["newSize", after.length],
      ]),
    );
  for (const [index, item] of after.entries()) {
    if (index < before.length) compareItems(before[index], item, join(path, index), out);
    else out.updatedFields.set(join(path, index), item);
  }
}

/** The description of what update operators changed, path by path. */
export function describeChanges(changes: Change[], after: Doc): Description {
  const description = emptyDescription();
  for (const { parts, isRemoved, appendedFrom } of changes) {
    const path = parts.join(".");
    const value = valueAt(after, parts);
    if (isRemoved && value === undefined) description.removedFields.push(path);
    else if (appendedFrom !== undefined && Array.isArray(value)) {
      for (let index = appendedFrom; index < value.length; index++)
        description.updatedFields.set(join(path, index), value[index]);
    } else description.updatedFields.set(path, value);
  }
  return description;
}

function valueAt(doc: Doc, parts: string[]): Value {
  let value: Value = doc;
  for (const part of parts) {
    if (value instanceof Map) value = value.get(part);
    else value = Array.isArray(value) ? value[Number(part)] : undefined;
  }
  return value;
}
