// Turns an entry of the log into the event that a watcher sees.
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { type Store, storedRow } from "../store/documents.ts";
import type { LoggedChange } from "../store/oplog.ts";
import { idKey } from "../store/prepared-document.ts";
import { type Bytes, type Doc, isDoc, Timestamp, type Value } from "../values.ts";
import { type StreamOptions, tokenFor } from "./resume-token.ts";

export type Scope = { db: string | undefined; coll: string | undefined };

const EXPANDED_ONLY = new Set(["create", "createIndexes", "dropIndexes", "modify"]);
const SYSTEM_DATABASES = new Set(["admin", "config", "local"]);

const isTarget = (change: LoggedChange, scope: Scope): boolean => {
  const to = change.about.get("to");
  return change.kind === "rename" && isDoc(to) && to.get("db") === scope.db && to.get("coll") === scope.coll;
};

export function isVisible(change: LoggedChange, scope: Scope, options: StreamOptions): boolean {
  if (EXPANDED_ONLY.has(change.kind) && !options.showsExpanded) return false;
  if (scope.db === undefined) return !SYSTEM_DATABASES.has(change.db);
  if (scope.coll === undefined) return change.db === scope.db;
  return (change.db === scope.db && change.coll === scope.coll) || isTarget(change, scope);
}

/** After some events there is nothing left to watch. */
export function isLast(change: LoggedChange, scope: Scope): boolean {
  if (scope.coll !== undefined) return change.kind === "drop" || change.kind === "rename";
  return scope.db !== undefined && change.kind === "dropDatabase";
}

export function eventFor(store: Store, change: LoggedChange, options: StreamOptions): Doc {
  const { about, kind, seq, seconds, db, coll } = change;
  const event = headOf(seq, seconds, kind);
  const isDocument = about.has("documentKey");
  if (isDocument) addFullDocument(store, event, change, options);
  event.set("ns", docOf(coll === "" ? { db } : { db, coll }));
  const tell = (name: string, as = name): void => {
    if (about.has(name)) event.set(as, about.get(name));
  };
  tell("to");
  if (options.showsExpanded) {
    tell("uuid", "collectionUUID");
    tell("operationDescription");
  }
  tell("documentKey");
  if (kind === "update") event.set("updateDescription", updateDescription(about, options));
  if (about.has("txnNumber")) {
    tell("lsid");
    tell("txnNumber");
  }
  if (isDocument) addBeforeChange(event, change, options);
  return event;
}

export function invalidateEvent(change: LoggedChange): Doc {
  const event = headOf(change.seq, change.seconds, "invalidate");
  return event.set("_id", tokenFor({ seq: change.seq, isInvalidate: true }));
}

const headOf = (seq: number, seconds: number, operationType: string): Doc =>
  docOf({
    _id: tokenFor({ seq, isInvalidate: false }),
    operationType,
    clusterTime: new Timestamp({ t: seconds, i: seq }),
    wallTime: new Date(seconds * 1_000),
  });

function updateDescription(about: Doc, options: StreamOptions): Value {
  const description = about.get("updateDescription");
  if (!isDoc(description) || options.showsExpanded) return description;
  return new Map([...description].filter(([name]) => name !== "disambiguatedPaths"));
}

function addFullDocument(store: Store, event: Doc, change: LoggedChange, options: StreamOptions): void {
  if (change.kind === "insert" || change.kind === "replace") {
    event.set("fullDocument", change.document ? decode(change.document) : null);
    return;
  }
  if (change.kind !== "update" || options.fullDocument === "default") return;
  if (options.fullDocument === "updateLookup") {
    event.set("fullDocument", currentDocument(store, change));
    return;
  }
  event.set("fullDocument", image(change.document, options.fullDocument === "required", "post-image"));
}

function addBeforeChange(event: Doc, change: LoggedChange, options: StreamOptions): void {
  if (options.beforeChange === "off" || change.kind === "insert") return;
  event.set("fullDocumentBeforeChange", image(change.before, options.beforeChange === "required", "pre-image"));
}

function image(bytes: Bytes | undefined, isRequired: boolean, name: string): Value {
  if (bytes) return decode(bytes);
  if (isRequired)
    throw located(
      47,
      `Change stream was configured to require a ${name} for all events, but the ${name} was not found`,
    );
  return null;
}

function currentDocument(store: Store, change: LoggedChange): Value {
  const collection = store.catalogue.find(change.db, change.coll);
  const key = change.about.get("documentKey");
  if (!collection || !isDoc(key)) return null;
  const row = store.main.get(`SELECT rid, d, s FROM c${collection.id} WHERE k = ?`, idKey(collection, key.get("_id")));
  return row ? decode(storedRow(collection, row).bytes) : null;
}
