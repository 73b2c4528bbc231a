import { decode, decodeFields } from "../bson/decode.ts";
import { type Doc, MongoError } from "../values.ts";
import { type Collection, setIndexes } from "./catalogue.ts";
import type { Store } from "./documents.ts";
import { duplicateKey } from "./duplicate-key.ts";
import { indexKeys } from "./index-keys.ts";
import type { Index } from "./index-spec.ts";
import { blob } from "./sqlite-file.ts";

const PAGE = 500;

/** Makes an index over the documents that are already there, or leaves everything as it was. */
export function buildIndex(store: Store, collection: Collection, spec: Doc): void {
  const { main, catalogue } = store;
  main.exec("SAVEPOINT build_index");
  try {
    const index = catalogue.insertIndex(collection, spec);
    fill(store, collection, index);
    catalogue.addIndex(collection, index);
  } catch (error) {
    if (error instanceof MongoError) {
      main.exec("ROLLBACK TO build_index; RELEASE build_index");
      main.forgetStatements();
    }
    throw error;
  }
  main.exec("RELEASE build_index");
}

function fill(store: Store, collection: Collection, index: Index): void {
  // A collection that is not part of the catalogue, to learn which fields this one index reads.
  const alone: Collection = { ...collection };
  setIndexes(alone, [index]);
  const fields = alone.indexedFields;
  let position = -1;
  for (;;) {
    const rows = store.main.all(
      `SELECT rid, d FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT ?`,
      position,
      PAGE,
    );
    for (const row of rows) {
      const doc = fields ? decodeFields(blob(row, "d"), fields) : decode(blob(row, "d"));
      addKeys(store, { collection, index }, doc, Number(row["rid"]));
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    position = Number(last["rid"]);
  }
}

function addKeys(
  store: Store,
  { collection, index }: { collection: Collection; index: Index },
  doc: Doc,
  rid: number,
): void {
  const { keys, arrays } = indexKeys(index, doc);
  if (arrays.length > 0) store.catalogue.noteArrays(index, arrays);
  for (const key of keys) {
    const isTaken =
      index.unique && store.main.get(`SELECT 1 FROM ${index.table} WHERE k = ? LIMIT 1`, key) !== undefined;
    if (isTaken) throw duplicateKey(collection, index, doc, key);
    store.main.run(`INSERT INTO ${index.table}(k, rid) VALUES(?, ?)`, key, rid);
  }
}
