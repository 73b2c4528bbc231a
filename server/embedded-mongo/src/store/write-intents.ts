// Who is about to change what. Two writers of one key never both win.
import { located } from "../bson/fail.ts";
import { MongoError } from "../values.ts";

/** A transaction, as far as others wait for it. */
export type IntentHolder = { startedAt: number; intents: Set<string>; ended: Promise<void> };

/** Thrown to a plain write that has to wait until the transaction holding the key has ended. */
export class Blocked extends MongoError {
  holder: IntentHolder;

  constructor(holder: IntentHolder) {
    super(112, "WriteConflict", "waiting for a transaction");
    this.holder = holder;
  }
}

const writeConflict = (): MongoError =>
  located(
    112,
    "Write conflict during plan execution and yielding is disabled. Please retry your operation or multi-document transaction.",
    "TransientTransactionError",
  );

export type WriteIntents = ReturnType<typeof createWriteIntents>;

export function createWriteIntents() {
  const holders = new Map<string, IntentHolder>();
  const lastWrites = new Map<string, number>();
  let open = 0;
  let writes = 0;

  return {
    /** Counts every change; snapshots remember where they began. */
    now: (): number => writes,
    advance: (): number => (writes += 1),
    hasOpenTransactions: (): boolean => open > 0,
    opened: (): void => void (open += 1),
    ended(transaction: IntentHolder): void {
      for (const key of transaction.intents) holders.delete(key);
      transaction.intents.clear();
      open -= 1;
      if (open === 0) lastWrites.clear();
    },
    /** For a plain write: throws `Blocked` when a transaction holds the key. */
    checkFree(key: string): void {
      const holder = open > 0 ? holders.get(key) : undefined;
      if (holder) throw new Blocked(holder);
    },
    written(keys: string[]): void {
      writes += 1;
      if (open > 0) for (const key of keys) lastWrites.set(key, writes);
    },
    /** For a write inside a transaction: takes the key or throws 112. */
    take(key: string, transaction: IntentHolder): void {
      const holder = holders.get(key);
      if (holder === transaction) return;
      if (holder || (lastWrites.get(key) ?? 0) > transaction.startedAt) throw writeConflict();
      holders.set(key, transaction);
      transaction.intents.add(key);
    },
    hasChangedSince: (key: string, startedAt: number): boolean => (lastWrites.get(key) ?? 0) > startedAt,
    holdersOn(prefix: string): IntentHolder | undefined {
      for (const [key, holder] of holders) if (key.startsWith(prefix)) return holder;
      return undefined;
    },
  };
}
