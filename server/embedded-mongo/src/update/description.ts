// What changed between two versions of a document, in the form of a change event's updateDescription.
import type { Doc, Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { type Found, MISSING } from "../fields/paths.ts";
import type { Change } from "./apply.ts";

export type Description = { updatedFields: Doc; removedFields: string[]; truncatedArrays: Doc[] };

export const emptyDescription = (): Description => ({
  updatedFields: new Map(),
  removedFields: [],
  truncatedArrays: [],
});

/** Whether two values are the same to the last byte, so that storing one for the other changes nothing. */
export function isIdentical(left: Found, right: Found): boolean {
  if (Object.is(left, right)) return true;
  if (left instanceof Map && right instanceof Map) {
    const names = right.keys();
    return (
      left.size === right.size &&
      left.entries().every(([name, item]) => names.next().value === name && isIdentical(item, right.get(name)))
    );
  }
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isIdentical(item, right[index]));
  if (left === MISSING || right === MISSING) return false;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return Buffer.compare(encode(docOf({ v: left })), encode(docOf({ v: right }))) === 0;
}

export function describeDifference(before: Doc, after: Doc): Description {
  const description = emptyDescription();
  compareDocs(before, after, "", description);
  return description;
}

function compareDocs(before: Doc, after: Doc, prefix: string, out: Description): void {
  for (const name of before.keys()) if (!after.has(name)) out.removedFields.push(prefix + name);
  for (const [name, value] of after) {
    if (before.has(name)) compareItems(before.get(name), value, prefix + name, out);
    else out.updatedFields.set(prefix + name, value);
  }
}

function compareItems(before: Value, after: Value, path: string, out: Description): void {
  if (isIdentical(before, after)) return;
  if (before instanceof Map && after instanceof Map) return compareDocs(before, after, `${path}.`, out);
  if (!Array.isArray(before) || !Array.isArray(after)) return void out.updatedFields.set(path, after);
  if (after.length < before.length) out.truncatedArrays.push(docOf({ field: path, newSize: after.length }));
  for (const [index, item] of after.entries()) {
    if (index < before.length) compareItems(before[index], item, `${path}.${index}`, out);
    else out.updatedFields.set(`${path}.${index}`, item);
  }
}

/** The description of what update operators changed, path by path. */
export function describeChanges(changes: Change[], after: Doc): Description {
  const description = emptyDescription();
  for (const { parts, isRemoved, appendedFrom } of changes) {
    const path = parts.join(".");
    const value = valueAt(after, parts);
    if (isRemoved && value === undefined) description.removedFields.push(path);
    else if (appendedFrom === undefined || !Array.isArray(value)) description.updatedFields.set(path, value);
    else
      for (const [index, item] of value.entries())
        if (index >= appendedFrom) description.updatedFields.set(`${path}.${index}`, item);
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
