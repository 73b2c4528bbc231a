import { decode } from "../bson/decode.ts";
import type { Doc } from "../values.ts";
import { insertIndex } from "./catalogue.ts";
import type { Collection } from "./collection.ts";
import { duplicateKey, rowsInOrder, type Store } from "./documents.ts";
import type { Index } from "./index-spec.ts";
import { indexKeys } from "./prepared-document.ts";

/** Makes an index over the documents that are already there, or leaves everything as it was. */
export function buildIndex(store: Store, collection: Collection, spec: Doc): void {
  store.main.attempt(() => {
    const index = insertIndex(store.main, collection, spec);
    for (const { rid, bytes } of rowsInOrder(store.main, collection))
      addKeys(store, collection, index, { rid, doc: decode(bytes) });
    store.catalogue.addIndex(collection, index);
  });
}

function addKeys(
  { main, catalogue }: Store,
  collection: Collection,
  index: Index,
  { rid, doc }: { rid: number; doc: Doc },
): void {
  const { keys, arrays } = indexKeys(index, doc);
  if (arrays.length > 0) catalogue.noteArrays(index, arrays);
  for (const key of keys) {
    const isTaken = index.unique && main.get(`SELECT 1 FROM ${index.table} WHERE k = ? LIMIT 1`, key) !== undefined;
    if (isTaken) throw duplicateKey(collection, index, doc, key);
    main.run(`INSERT INTO ${index.table}(k, rid) VALUES(?, ?)`, key, rid);
  }
}
