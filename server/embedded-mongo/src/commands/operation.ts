// One command on its way through the engine, and how a command is described.
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import type { Engine } from "../engine.ts";
import type { Deadline, ReadView } from "../plan/find-rows.ts";
import type { Session } from "../transactions/sessions.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { Blocked, type IntentHolder } from "../store/write-intents.ts";
import type { Doc, Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";

export type ClientConnection = {
  id: number;
  address: string;
  appName: string | undefined;
  isClosed(): boolean;
  onClose(listener: () => void): () => void;
  close(): void;
};

export type Operation = {
  engine: Engine;
  name: string;
  db: string;
  command: Doc;
  /** Documents of an insert, as bytes. */
  documents: Buffer[];
  session: Session | undefined;
  transaction: Transaction | undefined;
  /** Set for a retryable write. */
  retryNumber: bigint | undefined;
  deadline: Deadline | undefined;
  client: ClientConnection;
  view: ReadView;
  /** How many commits had failed when it began. */
  failures: number;
};

export type Command = {
  /** Fields of the command itself; others are refused by name. */
  fields: readonly string[];
  run(operation: Operation): Reply | Promise<Reply>;
  /** Waits for the disk before it answers. */
  isWrite?: boolean;
  /** Sent again with the same number, it gets the same answer and changes nothing. */
  isRetryable?: boolean;
  /** Makes the reply out of what is kept for that case. */
  present?(operation: Operation, kept: Doc): Reply | Promise<Reply>;
  isAllowedInTransaction?: boolean;
};

export const reply = (fields: Record<string, Value> = {}): Reply => ({ fields: docOf({ ...fields, ok: 1 }) });

/** Runs a write and waits until it is on the disk. Fails when a commit failed meanwhile, for part of it may be lost. */
export async function durably<T>({ store }: Engine, run: () => T | Promise<T>): Promise<T> {
  const failures = store.group.failures();
  const result = await run();
  await store.group.durable();
  if (store.group.failures() !== failures) throw store.group.failure();
  return result;
}

/** Runs a step that a transaction of someone else may hold up, as often as it takes. */
export async function whenFree<T>(operation: Operation, step: () => T): Promise<T> {
  for (;;) {
    // After a failed commit everything this operation has read or written so far may not be so.
    const { group } = operation.engine.store;
    if (group.failures() !== operation.failures) throw group.failure();
    try {
      return step();
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      await waitFor(error.holder, operation.deadline);
    }
  }
}

async function waitFor(holder: IntentHolder, deadline: Deadline | undefined): Promise<void> {
  if (deadline === undefined) return holder.ended;
  const { promise, reject } = Promise.withResolvers<never>();
  const expired = () => reject(located(50, "operation exceeded time limit"));
  const timer = setTimeout(expired, Math.max(0, deadline.at - Date.now()));
  try {
    await Promise.race([holder.ended, promise]);
  } finally {
    clearTimeout(timer);
  }
}
