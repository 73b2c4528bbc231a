// What is remembered of the database for a moment, so that the calls of one click read it once. Everything that this
// process writes is known here before whoever wrote it goes on; what others write shows when the moment is over.
import { mongo } from "mongoose";
import { z } from "zod";
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
      // Whoever asks first may be in a transaction, which sees what nobody else does, or may hang up while others wait.
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
// These do not name one collection.
const OTHER_WRITES = new Set(["bulkWrite", "dropDatabase", "drop"]);

const inTransactionSchema = z.object({
  lsid: z.object({ id: z.instanceof(mongo.Binary) }),
  txnNumber: z.unknown(),
  autocommit: z.literal(false),
});

/** Listens to what this process writes, however it does so. The client must have been made with `monitorCommands`. */
export function forgetWhatIsWritten(client: mongo.MongoClient): void {
  const underWay = new Map<number, ReadonlySet<Remembered>>();
  // By its session: a session has one transaction at a time, and there are few sessions.
  const transactions = new Map<string, { number: string; touched: Set<Remembered> }>();
  const transactionOf = (command: object) => {
    const { success, data } = inTransactionSchema.safeParse(command);
    if (!success) return null;
    const session = data.lsid.id.toString("hex");
    const number = String(data.txnNumber);
    const known = transactions.get(session);
    if (known?.number === number) return known;
    const begun = { number, touched: new Set<Remembered>() };
    transactions.set(session, begun);
    return begun;
  };
  client.on("commandStarted", ({ requestId, commandName, command }) => {
    const touched = touchedBy(commandName, command);
    if (commandName === "commitTransaction") {
      underWay.set(requestId, transactionOf(command)?.touched ?? new Set(memories));
    } else if (touched.size > 0) {
      underWay.set(requestId, touched);
      // Others see it when all of it is committed.
      for (const memory of touched) transactionOf(command)?.touched.add(memory);
    }
  });
  const done = ({ requestId }: { requestId: number }) => {
    for (const { forget } of underWay.get(requestId) ?? []) forget();
    underWay.delete(requestId);
  };
  client.on("commandSucceeded", done);
  // It may have been written all the same.
  client.on("commandFailed", done);
}

function touchedBy(commandName: string, command: Record<string, unknown>): ReadonlySet<Remembered> {
  if (OTHER_WRITES.has(commandName)) return new Set(memories);
  if (!NAMED_WRITES.has(commandName)) return new Set();
  const collection = String(command[commandName]);
  return new Set(memories.filter(({ collections }) => collections.has(collection)));
}
