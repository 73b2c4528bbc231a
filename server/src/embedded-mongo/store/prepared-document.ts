import { decode, decodeFields } from "../bson/decode.ts";
import { encodeKey } from "../keys/encode-key.ts";
import { type Bytes, type Doc, isDoc, MongoError, BSONRegExp, ObjectId, type Value } from "../values.ts";
import { withIdFirst } from "../wire/raw-document.ts";
import type { Collection } from "./catalogue.ts";
import { indexKeys } from "./index-keys.ts";
import type { Index } from "./index-spec.ts";

export type IndexEntry = { index: Index; keys: Buffer[]; arrays: string[] };

/** A document with everything that storing it needs. */
export type PreparedDocument = { bytes: Buffer; id: Value; key: Buffer; fields: Doc; entries: IndexEntry[] };

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const ID_ONLY: ReadonlySet<string> = new Set(["_id"]);
const makeId = (): Buffer => Buffer.from(new ObjectId().id);

export const idOf = (bytes: Bytes): Value => decodeFields(bytes, ID_ONLY).get("_id");

export const idKey = (collection: Collection, id: Value): Buffer => encodeKey([id], [false], collection.collation);

export function prepareDocument(collection: Collection, document: Bytes): PreparedDocument {
  const bytes = withIdFirst(document, makeId);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new MongoError(
      10334,
      "BSONObjectTooLarge",
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
    );
  }
  // Read whole, although few fields are needed: what cannot be read must never be stored.
  const fields = decode(bytes);
  const id = fields.get("_id");
  checkId(id);
  const entries: IndexEntry[] = [];
  for (const index of collection.indexes) if (!index.isId) entries.push({ index, ...indexKeys(index, fields) });
  return { bytes, id, key: idKey(collection, id), fields, entries };
}

function checkId(id: Value): void {
  if (Array.isArray(id) || id instanceof BSONRegExp || id === undefined) {
    const kind = Array.isArray(id) ? "array" : id === undefined ? "undefined" : "regex";
    throw new MongoError(53, "InvalidIdField", `The '_id' value cannot be of type ${kind}`);
  }
  if (!isDoc(id)) return;
  for (const name of id.keys()) {
    if (name.startsWith("$"))
      throw new MongoError(
        52,
        "DollarPrefixedFieldName",
        `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
      );
  }
}
