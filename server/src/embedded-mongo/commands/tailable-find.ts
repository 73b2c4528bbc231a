// A find that stays open at the end of a capped collection.
import { badValue } from "../bson/fail.ts";
import type { TailableSource } from "../cursors/cursors.ts";
import { compileQueryFilter, decodeFor, type Query } from "../plan/find-rows.ts";
import type { Collection } from "../store/catalogue.ts";
import { blob } from "../store/sqlite-file.ts";
import type { Bytes } from "../values.ts";
import { flagField, type Operation } from "./operation.ts";

export function tailOf(
  operation: Operation,
  collection: Collection | undefined,
  query: Query,
): { rows: Iterator<Bytes>; source: TailableSource } {
  const { engine, command, transaction } = operation;
  if (!collection?.capped || transaction || (query.sort?.size ?? 0) > 0 || command.has("projection")) {
    throw badValue("error processing query: tailable cursors are for capped collections, without sort and projection");
  }
  const { main, oplog } = engine.store;
  const filter = compileQueryFilter(collection, query);
  let position = -1;
  const next = (): IteratorResult<Bytes> => {
    while (!collection.isDropped) {
      const row = main.get(`SELECT rid, d FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT 1`, position);
      if (!row) break;
      position = Number(row["rid"]);
      const value = blob(row, "d");
      if (filter.matches(decodeFor(filter, value))) return { done: false, value };
    }
    return { done: true, value: undefined };
  };
  const source: TailableSource = {
    isAwaiting: flagField(command, "awaitData"),
    onMore: (wake) => oplog.onCommit(wake),
    isOver: () => collection.isDropped || position === -1,
  };
  return { rows: { next }, source };
}
