// What is remembered of the database for a moment, so that the calls of one click read it once. Everything that this
// process writes is known here before whoever wrote it goes on; what others write shows when the moment is over.
import type { mongo } from "mongoose";
import { withoutCaller } from "./caller.ts";

const MEMORY_MS = 900;
const KEYS_MAX = 10_000;

interface Remembered {
  collections: ReadonlySet<string>;
  forget: () => void;
}

export interface Memory<Value> {
  /** What `read` answers; nothing found is not remembered, and neither is a failure. */
  recall(key: string): Promise<Value | null>;
  forget: () => void;
}

const memories: Remembered[] = [];

/** Remembers what `read` makes of these collections; each write of this process into one of them makes it forget. */
export function memoryOf<Value>(
  collections: readonly string[],
  read: (key: string) => Promise<Value | null>,
): Memory<Value> {
  let kept = new Map<string, { at: number; value: Promise<Value | null> }>();
  const forget = () => {
    // What is being read meanwhile goes with the old one: nobody who asks from now on gets it.
    kept = new Map();
  };
  memories.push({ collections: new Set(collections), forget });
  return {
    forget,
    recall(key) {
      const at = performance.now();
      const found = kept.get(key);
      if (found && at - found.at < MEMORY_MS) return found.value;
      if (kept.size >= KEYS_MAX) forget();
      const mine = kept;
      // Others may wait for it too.
      const value = withoutCaller(() => read(key));
      const entry = { at, value };
      const drop = () => mine.get(key) === entry && mine.delete(key);
      mine.set(key, entry);
      value.then((found) => found === null && drop(), drop);
      return value;
    },
  };
}

const NAMED_WRITES = new Set(["insert", "update", "delete", "findAndModify", "findandmodify"]);
// These do not name one collection: a commit may make anything seen.
const OTHER_WRITES = new Set(["commitTransaction", "bulkWrite", "dropDatabase", "drop"]);

/** Listens to what this process writes, however it does so. The client must have been made with `monitorCommands`. */
export function forgetWhatIsWritten(client: mongo.MongoClient): void {
  const underWay = new Map<number, Remembered[]>();
  client.on("commandStarted", ({ requestId, commandName, command }) => {
    const isNamed = NAMED_WRITES.has(commandName);
    if (!isNamed && !OTHER_WRITES.has(commandName)) return;
    const touched = isNamed ? memories.filter(({ collections }) => collections.has(command[commandName])) : memories;
    if (touched.length > 0) underWay.set(requestId, touched);
  });
  const done = ({ requestId }: { requestId: number }) => {
    for (const { forget } of underWay.get(requestId) ?? []) forget();
    underWay.delete(requestId);
  };
  client.on("commandSucceeded", done);
  // It may have been written all the same.
  client.on("commandFailed", done);
}
