// Which collections and indexes exist. Held in memory, written through to the file.
import { randomBytes } from "node:crypto";
import { decode } from "../bson/decode.ts";
import { docOf } from "../bson/doc-of.ts";
import { encode } from "../bson/encode.ts";
import { Binary, type Doc, MongoError, type Value } from "../values.ts";
import { type CollectionTraits, traitsOf } from "./collection-traits.ts";
import { type Index, indexFromSpec, indexName } from "./index-spec.ts";
import { blob, type Connection } from "./sqlite-file.ts";

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
  /** Top-level fields that index keys are made of; undefined means any. */
  indexedFields: ReadonlySet<string> | undefined;
  /** The write number of its last change of shape; older snapshots cannot see it as it is now. */
  changedAt: number;
  isDropped: boolean;
};

export type Catalogue = ReturnType<typeof createCatalogue>;

const ID_SPEC: [string, Value][] = [
  ["v", 2],
  ["key", docOf({ _id: 1 })],
  ["name", "_id_"],
];
const MAX_NAMESPACE_BYTES = 255;

const uuidFrom = (bytes: Uint8Array): Binary => new Binary(Buffer.from(bytes), Binary.SUBTYPE_UUID);

function newUuid(): Binary {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidFrom(bytes);
}

export function checkDatabaseName(db: string): void {
  if (db !== "" && db.length < 64 && !/[/\\. "$\0]/.test(db)) return;
  throw new MongoError(73, "InvalidNamespace", `Invalid database name: '${db}'`);
}

export function checkCollectionName(db: string, name: string): void {
  checkDatabaseName(db);
  const isValid =
    name !== "" && !name.startsWith(".") && !name.endsWith(".") && !name.includes("\0") && !name.includes("$");
  if (isValid && Buffer.byteLength(`${db}.${name}`) <= MAX_NAMESPACE_BYTES) return;
  throw new MongoError(73, "InvalidNamespace", `Invalid namespace specified '${db}.${name}'`);
}

let nextDraftId = -1;

/** A collection that is not in any file yet. */
export function draftCollection(db: string, name: string, options: Doc): Collection {
  checkCollectionName(db, name);
  const collection: Collection = {
    ...traitsOf(options),
    id: nextDraftId,
    db,
    name,
    ns: `${db}.${name}`,
    uuid: newUuid(),
    options,
    indexes: [],
    indexedFields: new Set(),
    changedAt: 0,
    isDropped: false,
  };
  nextDraftId -= 1;
  const idSpec = new Map(ID_SPEC);
  if (collection.collation) idSpec.set("collation", collection.collation.spec);
  setIndexes(collection, [indexFromSpec(0, "", idSpec, [])]);
  return collection;
}

export function setIndexes(collection: Collection, indexes: Index[]): void {
  collection.indexes = indexes;
  const fields = new Set<string>();
  let isBounded = true;
  for (const index of indexes) {
    for (const { path } of index.fields) fields.add(path.split(".", 1)[0] ?? path);
    if (!index.partial) continue;
    if (!index.partial.fields) isBounded = false;
    for (const field of index.partial.fields ?? []) fields.add(field);
  }
  collection.indexedFields = isBounded ? fields : undefined;
}

export function createCatalogue(main: Connection, now: () => number) {
  const databases = new Map<string, Map<string, Collection>>();

  const register = (collection: Collection): void => {
    const names = databases.get(collection.db) ?? new Map<string, Collection>();
    names.set(collection.name, collection);
    databases.set(collection.db, names);
  };
  const unregister = (collection: Collection): void => {
    const names = databases.get(collection.db);
    names?.delete(collection.name);
    if (names?.size === 0) databases.delete(collection.db);
  };
  const adopt = (collection: Collection, id: number): void => {
    collection.id = id;
    collection.changedAt = now();
    for (const index of collection.indexes) if (index.isId) index.table = `c${id}`;
  };
  const load = (): void => {
    databases.clear();
    for (const row of main.all("SELECT id, db, name, opts, uuid FROM _coll ORDER BY id")) {
      const collection = draftCollection(String(row["db"]), String(row["name"]), decode(blob(row, "opts")));
      collection.uuid = uuidFrom(blob(row, "uuid"));
      adopt(collection, Number(row["id"]));
      const stored = main.all("SELECT id, spec, multikey FROM _idx WHERE coll = ? ORDER BY id", collection.id);
      const indexes = stored.map((index) => {
        const arrays: string[] = JSON.parse(String(index["multikey"]));
        return indexFromSpec(Number(index["id"]), `i${String(index["id"])}`, decode(blob(index, "spec")), arrays);
      });
      setIndexes(collection, [...collection.indexes, ...indexes]);
      register(collection);
    }
  };
  const insertIndex = (collection: Collection, spec: Doc): Index => {
    main.run(
      "INSERT INTO _idx(coll, name, spec, multikey) VALUES(?, ?, ?, '[]')",
      collection.id,
      indexName(spec),
      encode(spec),
    );
    const id = Number(main.get("SELECT last_insert_rowid() AS id")?.["id"]);
    main.exec(`CREATE TABLE i${id}(k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(k, rid)) WITHOUT ROWID`);
    return indexFromSpec(id, `i${id}`, spec, []);
  };

  load();
  return {
    /** Reads everything again, after a commit that failed. */
    load,
    find: (db: string, name: string): Collection | undefined => databases.get(db)?.get(name),
    findByUuid: (uuid: Binary): Collection | undefined => {
      for (const names of databases.values())
        for (const found of names.values()) if (found.uuid.toString("hex") === uuid.toString("hex")) return found;
      return undefined;
    },
    databaseNames: (): string[] => [...databases.keys()].sort(),
    collections: (db: string): Collection[] => [...(databases.get(db)?.values() ?? [])],
    all: (): Collection[] => [...databases.values()].flatMap((names) => [...names.values()]),

    /** Publishes a draft and gives it tables. Index tables are made for the drafts among its indexes. */
    create(draft: Collection): Collection {
      main.run(
        "INSERT INTO _coll(db, name, opts, uuid) VALUES(?, ?, ?, ?)",
        draft.db,
        draft.name,
        encode(draft.options),
        draft.uuid.value(),
      );
      adopt(draft, Number(main.get("SELECT last_insert_rowid() AS id")?.["id"]));
      main.exec(`CREATE TABLE c${draft.id}(rid INTEGER PRIMARY KEY, k BLOB NOT NULL UNIQUE, d BLOB NOT NULL)`);
      const published = draft.indexes.map((index) => (index.isId ? index : insertIndex(draft, index.spec)));
      setIndexes(draft, published);
      register(draft);
      return draft;
    },
    drop(collection: Collection): void {
      for (const index of collection.indexes) if (!index.isId) main.exec(`DROP TABLE ${index.table}`);
      main.exec(`DROP TABLE c${collection.id}`);
      main.run("DELETE FROM _idx WHERE coll = ?", collection.id);
      main.run("DELETE FROM _coll WHERE id = ?", collection.id);
      main.forgetStatements();
      collection.isDropped = true;
      unregister(collection);
    },
    rename(collection: Collection, db: string, name: string): void {
      main.run("UPDATE _coll SET db = ?, name = ? WHERE id = ?", db, name, collection.id);
      unregister(collection);
      Object.assign(collection, { db, name, ns: `${db}.${name}`, changedAt: now() });
      register(collection);
    },
    setOptions(collection: Collection, options: Doc): void {
      main.run("UPDATE _coll SET opts = ? WHERE id = ?", encode(options), collection.id);
      Object.assign(collection, traitsOf(options), { options });
    },
    /** An empty index; the caller fills it and then publishes it with `addIndex`. */
    insertIndex,
    addIndex(collection: Collection, index: Index): void {
      setIndexes(collection, [...collection.indexes, index]);
      collection.changedAt = now();
    },
    dropIndex(collection: Collection, index: Index): void {
      main.exec(`DROP TABLE ${index.table}`);
      main.run("DELETE FROM _idx WHERE id = ?", index.id);
      main.forgetStatements();
      setIndexes(
        collection,
        collection.indexes.filter((other) => other !== index),
      );
      collection.changedAt = now();
    },
    replaceIndexSpec(collection: Collection, index: Index, spec: Doc): void {
      main.run("UPDATE _idx SET spec = ? WHERE id = ?", encode(spec), index.id);
      const changed = indexFromSpec(index.id, index.table, spec, index.arrays);
      setIndexes(
        collection,
        collection.indexes.map((other) => (other === index ? changed : other)),
      );
    },
    noteArrays(index: Index, arrays: string[]): void {
      const before = index.arrays.size;
      for (const path of arrays) index.arrays.add(path);
      if (index.arrays.size > before)
        main.run("UPDATE _idx SET multikey = ? WHERE id = ?", JSON.stringify([...index.arrays]), index.id);
    },
  };
}
