import { showValue } from "../bson/show.ts";
import { encodeKey } from "../keys/encode-key.ts";
import { type Doc, isDoc, MongoError, type Value } from "../values.ts";
import type { Collection } from "./catalogue.ts";
import type { Index } from "./index-spec.ts";

function valueAt(doc: Doc, path: string): Value {
  let value: Value = doc;
  for (const part of path.split(".")) {
    if (Array.isArray(value)) value = value.find((element) => isDoc(element) && element.has(part));
    value = isDoc(value) ? value.get(part) : null;
  }
  return value ?? null;
}

/** Error 11000. Applications parse both its text and its fields. */
export function duplicateKey(collection: Collection, index: Index, doc: Doc, key: Buffer): MongoError {
  const pattern: Doc = new Map();
  const values: Doc = new Map();
  for (const { path, descending } of index.fields) {
    let value = valueAt(doc, path);
    if (Array.isArray(value) && index.fields.length === 1) {
      value = value.find((element) => encodeKey([element], [descending], index.collation).equals(key)) ?? null;
    }
    pattern.set(path, descending ? -1 : 1);
    values.set(path, value);
  }
  const text = `E11000 duplicate key error collection: ${collection.ns} index: ${index.name} dup key: ${showValue(values)}`;
  const error = new MongoError(11000, "DuplicateKey", text);
  error.details.set("keyPattern", pattern).set("keyValue", values);
  return error;
}
