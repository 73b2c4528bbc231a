// Writes of one loop turn share one SQLite transaction, so many writers cost one fsync.
import { located } from "../bson/fail.ts";
import type { MongoError } from "../values.ts";
import { type Connection, storageError } from "./sqlite-file.ts";

export type CommitGroup = {
  /** Runs a change inside the group. A failure of SQLite undoes the whole group, for nothing may be half-written. */
  write<T>(change: () => T): T;
  /** Resolves when everything written so far is on the disk. */
  durable(): Promise<void>;
  flush(): void;
  isOpen(): boolean;
  /** Resolves when the open group has ended, well or badly. */
  ended(): Promise<void>;
  /** How many groups were undone so far; a write during which this changed may be lost. */
  failures(): number;
  /** Why the last of them was, for all whose writes are lost with it. */
  failure(): MongoError;
};

type Waiter = { resolve(): void; reject(error: MongoError): void };

function rollBack(main: Connection, reason: MongoError): void {
  try {
    main.exec("ROLLBACK");
  } catch (rollbackError) {
    // SQLite rolls back by itself when the disk is full; then there is nothing left to undo.
    reason.details.set("rollback", String(rollbackError));
  }
}

export function createCommitGroup(main: Connection, events: { committed(): void; rolledBack(): void }): CommitGroup {
  let isOpen = false;
  let waiters: Waiter[] = [];
  let failures = 0;
  let failure: MongoError | undefined;

  const settle = (error?: MongoError): void => {
    const settled = waiters;
    isOpen = false;
    waiters = [];
    if (error) events.rolledBack();
    else events.committed();
    for (const waiter of settled) {
      if (error) waiter.reject(error);
      else waiter.resolve();
    }
  };
  const undo = (error: unknown): MongoError => {
    const reason = storageError(error, main.path);
    failures += 1;
    failure = reason;
    rollBack(main, reason);
    settle(reason);
    return reason;
  };
  const flush = (): void => {
    if (!isOpen) return;
    try {
      main.run("COMMIT");
    } catch (error) {
      return void undo(error);
    }
    settle();
  };
  const begin = (): void => {
    if (isOpen) return;
    main.run("BEGIN IMMEDIATE");
    isOpen = true;
    setImmediate(flush);
  };

  return {
    write(change) {
      try {
        begin();
        return change();
      } catch (error) {
        // A refusal (a duplicate key, say) is thrown before anything is changed, so the group may stay.
        const reason = storageError(error, main.path);
        throw reason === error ? reason : isOpen ? undo(error) : reason;
      }
    },
    durable: () => (isOpen ? new Promise((resolve, reject) => waiters.push({ resolve, reject })) : Promise.resolve()),
    flush,
    isOpen: () => isOpen,
    ended: () => new Promise((resolve) => waiters.push({ resolve, reject: () => resolve() })),
    failures: () => failures,
    failure: () => located(failure?.code ?? 8, `a commit failed during this write: ${failure?.message ?? "unknown"}`),
  };
}
