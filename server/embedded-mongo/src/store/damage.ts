// What is said of a document that is not as it was written.
import { decodeFields } from "../bson/decode.ts";
import { located } from "../bson/fail.ts";
import { showValue } from "../bson/show.ts";
import { typeTag } from "../bson/types.ts";
import type { MongoError, Value } from "../values.ts";
import { sumOfDocument } from "./checksum.ts";
import type { Collection } from "./collection.ts";
import { idKey } from "./prepared-document.ts";
import { blob, type Row } from "./sqlite-file.ts";

const STRING_TAG = typeTag("");
const ID_ONLY = new Set(["_id"]);

/** A row without a sum was written before there were any. */
export const isAsWritten = ({ d, s }: Row): boolean =>
  d instanceof Uint8Array && (s === null || s === undefined || s === sumOfDocument(d));

/** The document by its collection and _id, as far as they can be made out. */
export function placeOf(collection: Collection, row: Row): string {
  const id = idFromDocument(collection, row) ?? idFromKey(row["k"]);
  const which = id === undefined ? `in row ${String(row["rid"])}` : `{ _id: ${showValue(id)} }`;
  return `${collection.ns}: document ${which}`;
}

/** Only where the key of its row, if that was read, says the same. */
function idFromDocument(collection: Collection, row: Row): Value {
  try {
    const id = decodeFields(blob(row, "d"), ID_ONLY).get("_id");
    const key = row["k"];
    return !(key instanceof Uint8Array) || idKey(collection, id).equals(key) ? id : undefined;
  } catch (error) {
    // It is for the caller to say what is wrong with it.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function idFromKey(key: Row[string] | undefined): string | undefined {
  if (!(key instanceof Uint8Array) || key[0] !== STRING_TAG) return undefined;
  return Buffer.from(key.subarray(1, -2)).toString().replaceAll("\0\ufffd", "\0");
}

export const damagedDocument = (collection: Collection, row: Row): MongoError =>
  located(8, `the data file is damaged: ${placeOf(collection, row)} is not as it was written; restore a backup`);
