// getMore and killCursors.
import { typeMismatch } from "../bson/fail.ts";
import type { Cursor } from "../cursors/cursors.ts";
import { MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import { nextBatch } from "./cursor-reply.ts";
import { failure } from "./failpoints.ts";
import { type Command, countField, numberField, type Operation, reply } from "./operation.ts";

const AWAIT_MS = 1_000;

function cursorNamespace({ command, db }: Operation, field: string): string {
  const name = command.get(field);
  if (typeof name !== "string") throw new MongoError(73, "InvalidNamespace", `collection name has invalid type`);
  return `${db}.${name}`;
}

const idOf = (value: Value): bigint => {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  throw typeMismatch("BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
};

const getMore: Command = {
  fields: ["collection", "batchSize", "maxAwaitTimeMS", "term", "lastKnownCommittedOpTime"],
  isAllowedInTransaction: true,
  async run(operation) {
    const { command, engine, session, transaction } = operation;
    const id = idOf(command.get("getMore"));
    const owner = { sessionKey: session?.key, transaction: transaction?.number };
    const cursor = engine.cursors.find(id, cursorNamespace(operation, "collection"), owner);
    const injected = engine.hasTestCommands ? engine.failpoints.take("failGetMoreAfterCursorCheckout") : undefined;
    const batchSize = countField(command, "batchSize") ?? 0;
    const error = injected && failure(injected);
    try {
      if (error) throw error;
      if (!cursor.stream) return nextBatch(operation, cursor, batchSize === 0 ? Infinity : batchSize);
      return await awaitBatch(operation, cursor, batchSize === 0 ? Infinity : batchSize);
    } catch (problem) {
      if (cursor.stream && problem instanceof MongoError) labelResumable(problem);
      // A generator that has thrown is finished, so the cursor is of no more use.
      engine.cursors.close(cursor);
      throw problem;
    }
  },
};

const RESUMABLE = new Set([6, 7, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436]);

function labelResumable(error: MongoError): void {
  if (RESUMABLE.has(error.code) && !error.details.has("labelsAreFinal"))
    error.labels.push("ResumableChangeStreamError");
}

/** A change stream answers when there is something, or empty-handed when its time is up. */
async function awaitBatch(operation: Operation, cursor: Cursor, batchSize: number): Promise<Reply> {
  const { engine, command, client } = operation;
  const until = Date.now() + (numberField(command, "maxTimeMS") ?? AWAIT_MS);
  cursor.isBusy = true;
  try {
    for (;;) {
      const found = nextBatch(operation, cursor, batchSize);
      const isEmpty = found.cursor?.batch.length === 0 && found.cursor.id !== 0n;
      if (!isEmpty || !cursor.stream?.isAwaiting || Date.now() >= until || client.isClosed()) return found;
      await somethingNew(operation, cursor, until);
      if (!engine.cursors.isOpen(cursor))
        throw new MongoError(237, "CursorKilled", `cursor id ${cursor.id} was killed`);
    }
  } finally {
    cursor.isBusy = false;
    cursor.usedAt = Date.now();
  }
}

async function somethingNew({ client }: Operation, cursor: Cursor, until: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, until - Date.now()));
  const forgetMore = cursor.stream?.onMore(resolve);
  const forgetClose = client.onClose(resolve);
  await promise;
  clearTimeout(timer);
  forgetMore?.();
  forgetClose();
}

const killCursors: Command = {
  fields: ["cursors"],
  isAllowedInTransaction: true,
  run(operation) {
    const ns = cursorNamespace(operation, "killCursors");
    const ids = operation.command.get("cursors");
    if (!Array.isArray(ids))
      throw typeMismatch("BSON field 'killCursors.cursors' is the wrong type, expected type 'array'");
    const wanted = ids.map(idOf);
    const killed = wanted.filter((id) => operation.engine.cursors.kill(id, ns));
    const missing = wanted.filter((id) => !killed.includes(id));
    return reply({ cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] });
  },
};

export const cursorCommands: Record<string, Command> = { getMore, killCursors };
