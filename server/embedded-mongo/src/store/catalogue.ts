// Which collections and indexes exist. Held in memory, written through to the file.
import { decode } from "../bson/decode.ts";
import { encode } from "../bson/encode.ts";
import { Binary, type Doc } from "../values.ts";
import { type Collection, draftCollection, traitsOf } from "./collection.ts";
import { type Index, indexFromSpec, indexName } from "./index-spec.ts";
import { sumOf } from "./checksum.ts";
import { collectionTable, hasSums, indexTable, SUMMED_COLUMNS, sumRow } from "./schema.ts";
import { blob, type Connection, type Row } from "./sqlite-file.ts";

export type Catalogue = ReturnType<typeof createCatalogue>;

/** What is not as it was written is not read: an index that is no longer unique would let in what must not be. */
type OnDamage = (problem: string) => void;
const refuse: OnDamage = (problem) => {
  throw new Error(`the data file is damaged: ${problem}; restore it from a backup`);
};

export function createCatalogue(main: Connection, now: () => number, onDamage = refuse) {
  const databases = new Map<string, Map<string, Collection>>();

  const register = (collection: Collection): void => {
    const names = databases.get(collection.db) ?? new Map<string, Collection>();
    databases.set(collection.db, names.set(collection.name, collection));
    collection.changedAt = now();
  };
  const unregister = ({ db, name }: Collection): void => {
    const names = databases.get(db);
    names?.delete(name);
    if (names?.size === 0) databases.delete(db);
  };
  const load = (): void => {
    databases.clear();
    for (const collection of readCollections(main, onDamage)) register(collection);
  };

  load();
  return {
    /** Reads everything again, after a commit that failed. */
    load,
    find: (db: string, name: string): Collection | undefined => databases.get(db)?.get(name),
    databaseNames: (): string[] => [...databases.keys()].sort(),
    collections: (db: string): Collection[] => [...(databases.get(db)?.values() ?? [])],
    all: (): Collection[] => [...databases.values()].flatMap((names) => [...names.values()]),

    /** Publishes a draft and gives it tables. */
    create(draft: Collection): Collection {
      createTables(main, draft);
      register(draft);
      return draft;
    },
    drop(collection: Collection): void {
      dropTables(main, collection);
      collection.isDropped = true;
      unregister(collection);
    },
    rename(collection: Collection, db: string, name: string): void {
      main.run("UPDATE _coll SET db = ?, name = ? WHERE id = ?", db, name, collection.id);
      sumRow(main, "_coll", collection.id);
      unregister(collection);
      register(Object.assign(collection, { db, name, ns: `${db}.${name}` }));
    },
    setOptions(collection: Collection, options: Doc): void {
      main.run("UPDATE _coll SET opts = ? WHERE id = ?", encode(options), collection.id);
      sumRow(main, "_coll", collection.id);
      Object.assign(collection, traitsOf(options), { options });
    },
    ...indexChanges(main, now),
  };
}

function indexChanges(main: Connection, now: () => number) {
  return {
    /** Publishes an index that `insertIndex` has made and its caller has filled. */
    addIndex(collection: Collection, index: Index): void {
      collection.indexes = [...collection.indexes, index];
      collection.changedAt = now();
    },
    dropIndex(collection: Collection, index: Index): void {
      main.exec(`DROP TABLE ${index.table}`);
      main.run("DELETE FROM _idx WHERE id = ?", index.id);
      main.forgetStatements();
      collection.indexes = collection.indexes.filter((other) => other !== index);
      collection.changedAt = now();
    },
    replaceIndexSpec(collection: Collection, index: Index, spec: Doc): void {
      main.run("UPDATE _idx SET spec = ? WHERE id = ?", encode(spec), index.id);
      sumRow(main, "_idx", index.id);
      const changed = indexFromSpec(index.id, index.table, spec, index.arrays);
      collection.indexes = collection.indexes.map((other) => (other === index ? changed : other));
    },
    noteArrays(index: Index, arrays: string[]): void {
      const before = index.arrays.size;
      for (const path of arrays) index.arrays.add(path);
      if (index.arrays.size === before) return;
      main.run("UPDATE _idx SET multikey = ? WHERE id = ?", JSON.stringify([...index.arrays]), index.id);
      sumRow(main, "_idx", index.id);
    },
  };
}

function* readCollections(main: Connection, onDamage: OnDamage): Generator<Collection> {
  const canBeDamaged = hasSums(main);
  const isSound = (table: "_coll" | "_idx", row: Row): boolean =>
    !canBeDamaged || row["s"] === sumOf(SUMMED_COLUMNS[table].map((column) => row[column]));
  for (const row of main.all("SELECT * FROM _coll ORDER BY id")) {
    const ns = `${String(row["db"])}.${String(row["name"])}`;
    if (isSound("_coll", row)) yield readCollection(main, row, onDamage, isSound);
    else onDamage(`what is known of the collection ${ns} is not as it was written`);
  }
}

function readCollection(
  main: Connection,
  row: Row,
  onDamage: OnDamage,
  isSound: (table: "_idx", row: Row) => boolean,
): Collection {
  const collection = draftCollection(String(row["db"]), String(row["name"]), decode(blob(row, "opts")));
  collection.uuid = new Binary(Buffer.from(blob(row, "uuid")), Binary.SUBTYPE_UUID);
  setId(collection, Number(row["id"]));
  for (const stored of main.all("SELECT * FROM _idx WHERE coll = ? ORDER BY id", collection.id)) {
    if (!isSound("_idx", stored)) {
      onDamage(`index ${String(stored["name"])} of ${collection.ns} is not as it was written`);
      continue;
    }
    const arrays: string[] = JSON.parse(String(stored["multikey"]));
    const id = Number(stored["id"]);
    collection.indexes.push(indexFromSpec(id, `i${id}`, decode(blob(stored, "spec")), arrays));
  }
  return collection;
}

/** The _id index lives in the collection's own table. */
function setId(collection: Collection, id: number): void {
  collection.id = id;
  for (const index of collection.indexes) if (index.isId) index.table = `c${id}`;
}

/** Index tables are made for the drafts among its indexes. */
function createTables(main: Connection, draft: Collection): void {
  const { db, name, options, uuid } = draft;
  main.run("INSERT INTO _coll(db, name, opts, uuid) VALUES(?, ?, ?, ?)", db, name, encode(options), uuid.value());
  setId(draft, main.lastRowId());
  sumRow(main, "_coll", draft.id);
  main.exec(collectionTable(draft.id));
  draft.indexes = draft.indexes.map((index) => (index.isId ? index : insertIndex(main, draft, index.spec)));
}

function dropTables(main: Connection, { id, indexes }: Collection): void {
  // The table of the _id index is the collection's own.
  for (const index of indexes) main.exec(`DROP TABLE ${index.table}`);
  main.run("DELETE FROM _idx WHERE coll = ?", id);
  main.run("DELETE FROM _coll WHERE id = ?", id);
  main.forgetStatements();
}

/** An empty index, which is not published yet. */
export function insertIndex(main: Connection, collection: Collection, spec: Doc): Index {
  const [name, bytes] = [indexName(spec), encode(spec)];
  main.run("INSERT INTO _idx(coll, name, spec, multikey) VALUES(?, ?, ?, '[]')", collection.id, name, bytes);
  const id = main.lastRowId();
  sumRow(main, "_idx", id);
  main.exec(indexTable(id));
  return indexFromSpec(id, `i${id}`, spec, []);
}
