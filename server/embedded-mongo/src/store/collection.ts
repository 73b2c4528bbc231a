// What the engine knows of one collection.
import { randomUUID } from "node:crypto";
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { type Collation, parseCollation } from "../keys/collation.ts";
import { compileFilter, type Filter } from "../query/matcher.ts";
import { Binary, type Doc, isDoc } from "../values.ts";
import { type Index, indexFromSpec, numberOf } from "./index-spec.ts";

/** What a collection's options make of it. */
type CollectionTraits = {
  collation: Collation | undefined;
  /** Change streams get the documents before and after each change. */
  keepsImages: boolean;
  validator: Filter | undefined;
  /** A view has no documents of its own. */
  view: { on: string; pipeline: Doc[] } | undefined;
  /** A capped collection lets its oldest documents go. */
  capped: { bytes: number; documents: number } | undefined;
};

export type Collection = CollectionTraits & {
  /** Negative while it only exists inside an open transaction. */
  id: number;
  db: string;
  name: string;
  ns: string;
  uuid: Binary;
  options: Doc;
  /** The _id index comes first. */
  indexes: Index[];
  /** The write number of its last change of shape; older snapshots cannot see it as it is now. */
  changedAt: number;
  isDropped: boolean;
};

const MAX_NAMESPACE_BYTES = 255;

export function checkDatabaseName(db: string): void {
  if (db === "" || db.length >= 64 || /[/\\. "$\0]/.test(db)) throw located(73, `Invalid database name: '${db}'`);
}

export function checkCollectionName(db: string, name: string): void {
  checkDatabaseName(db);
  const isValid = name !== "" && !name.startsWith(".") && !name.endsWith(".") && !/[$\0]/.test(name);
  if (!isValid || Buffer.byteLength(`${db}.${name}`) > MAX_NAMESPACE_BYTES)
    throw located(73, `Invalid namespace specified '${db}.${name}'`);
}

export function traitsOf(options: Doc): CollectionTraits {
  const spec = options.get("collation");
  const images = options.get("changeStreamPreAndPostImages");
  const validator = options.get("validator");
  const on = options.get("viewOn");
  const pipeline = options.get("pipeline");
  const limits = { bytes: numberOf(options.get("size")) ?? 0, documents: numberOf(options.get("max")) ?? Infinity };
  return {
    collation: isDoc(spec) ? parseCollation(spec) : undefined,
    keepsImages: isDoc(images) && images.get("enabled") === true,
    validator: isDoc(validator) && validator.size > 0 ? compileFilter(validator) : undefined,
    view: typeof on === "string" ? { on, pipeline: Array.isArray(pipeline) ? pipeline.filter(isDoc) : [] } : undefined,
    capped: options.get("capped") === true ? limits : undefined,
  };
}

let nextDraftId = -1;

/** A collection that is not in any file yet. */
export function draftCollection(db: string, name: string, options: Doc): Collection {
  checkCollectionName(db, name);
  const traits = traitsOf(options);
  const idSpec = docOf({ v: 2, key: docOf({ _id: 1 }), name: "_id_" });
  if (traits.collation) idSpec.set("collation", traits.collation.spec);
  return {
    ...traits,
    id: nextDraftId--,
    db,
    name,
    ns: `${db}.${name}`,
    uuid: new Binary(Buffer.from(randomUUID().replaceAll("-", ""), "hex"), Binary.SUBTYPE_UUID),
    options,
    indexes: [indexFromSpec(0, "", idSpec, [])],
    changedAt: 0,
    isDropped: false,
  };
}
