// What the rows of an import were, from one turn of its work to the next.
import type { Seen } from "./importer.ts";
import type { ImportDoc } from "./imports.model.ts";

/** So many keys of rows take some dozens of megabytes; those of further imports are read again. */
const KEYS_MAX = 600_000;

const kept = new Map<string, { at: string; seen: Seen }>();

const placeIn = ({ status, done, startedAt }: ImportDoc): string => `${status} ${startedAt?.getTime()} ${done}`;

export function keepSeen(doc: ImportDoc, seen: Seen): void {
  kept.set(doc._id, { at: placeIn(doc), seen });
  let keys = 0;
  // The newest first: whoever was kept for longest gives way.
  for (const [id, one] of [...kept].toReversed()) if ((keys += one.seen.size) > KEYS_MAX) kept.delete(id);
}

/** None where another process has gone on with it meanwhile. */
export function takeSeen(doc: ImportDoc): Seen | undefined {
  const before = kept.get(doc._id);
  kept.delete(doc._id);
  return before?.at === placeIn(doc) ? before.seen : undefined;
}
