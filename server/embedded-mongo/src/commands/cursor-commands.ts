// Opens cursors, and getMore and killCursors.
import { docOf } from "../bson/doc-of.ts";
import { located } from "../bson/fail.ts";
import { checkOpen, type Cursor, takeBatch } from "../cursors/cursors.ts";
import type { Pause } from "../pace.ts";
import { type Bytes, MongoError, type Value } from "../values.ts";
import type { Reply } from "../wire/message.ts";
import * as field from "./fields.ts";
import { inSlices } from "./in-slices.ts";
import { type Command, type Operation, reply } from "./operation.ts";

export type CursorRequest = {
  ns: string;
  rows: Iterator<Bytes | Pause>;
  batchSize?: number | undefined;
  isSingleBatch?: boolean;
} & Partial<Pick<Cursor, "neverExpires" | "stream">>;

const FIRST_BATCH = 101;
const AWAIT_MS = 1_000;
/** After which a change stream may go on where it was. */
export const RESUMABLE = new Set([
  6, 7, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
]);

/** Answers with the first rows, and keeps the rest for getMore. */
export function openCursor(operation: Operation, request: CursorRequest): Reply | Promise<Reply> {
  return inSlices(operation, firstBatch(operation, request));
}

function* firstBatch(
  { engine, session, transaction, view }: Operation,
  request: CursorRequest,
): Generator<Pause, Reply> {
  const { ns, rows, batchSize = FIRST_BATCH, isSingleBatch = false, neverExpires = false, stream } = request;
  const cursor: Cursor = {
    id: 0n,
    ns,
    rows,
    pace: view.pace,
    waiting: undefined,
    usedAt: Date.now(),
    neverExpires,
    isBusy: false,
    isClosed: false,
    stream,
    sessionKey: session?.key,
    transaction: transaction?.number,
  };
  try {
    const { batch, isFinished } = yield* takeBatch(cursor, batchSize);
    if (isFinished || isSingleBatch) engine.cursors.close(cursor);
    else engine.cursors.keep(cursor);
    return cursorReply(cursor, "firstBatch", batch);
  } catch (error) {
    // Between two slices nobody waits for it any more: what it holds is free again.
    engine.cursors.close(cursor);
    throw error;
  }
}

function* nextBatch({ engine }: Operation, cursor: Cursor, batchSize: number): Generator<Pause, Reply> {
  const { batch, isFinished } = yield* takeBatch(cursor, batchSize);
  if (isFinished) engine.cursors.close(cursor);
  return cursorReply(cursor, "nextBatch", batch);
}

function cursorReply(cursor: Cursor, batchName: "firstBatch" | "nextBatch", batch: Bytes[]): Reply {
  const postBatchResumeToken = cursor.stream?.resumeToken?.(cursor.waiting !== undefined);
  return { fields: docOf({ ok: 1 }), cursor: { id: cursor.id, ns: cursor.ns, batchName, batch, postBatchResumeToken } };
}

function cursorNamespace({ command, db }: Operation, name: string): string {
  const collection = command.get(name);
  if (typeof collection !== "string") throw located(73, "collection name has invalid type");
  return `${db}.${collection}`;
}

function idOf(value: Value): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(value);
  throw field.wrongType("getMore", "long");
}

const getMore: Command = {
  fields: ["collection", "batchSize", "maxAwaitTimeMS", "term", "lastKnownCommittedOpTime"],
  isAllowedInTransaction: true,
  async run(operation) {
    const { command, engine, session, transaction } = operation;
    const owner = { sessionKey: session?.key, transaction: transaction?.number };
    const cursor = engine.cursors.find(idOf(command.get("getMore")), cursorNamespace(operation, "collection"), owner);
    const batchSize = field.count(command, "batchSize") || Infinity;
    try {
      cursor.isBusy = true;
      if (cursor.stream) return await awaitBatch(operation, cursor, batchSize);
      return await more(operation, cursor, batchSize);
    } catch (problem) {
      const isResumable = problem instanceof MongoError && RESUMABLE.has(problem.code);
      if (cursor.stream && isResumable) problem.labels.push("ResumableChangeStreamError");
      // A generator that has thrown is finished, so the cursor is of no more use.
      engine.cursors.close(cursor);
      throw problem;
    } finally {
      cursor.isBusy = false;
      cursor.usedAt = Date.now();
    }
  },
};

/** Its time limit says how long a stream may wait for something new. */
const more = (operation: Operation, cursor: Cursor, batchSize: number): Reply | Promise<Reply> =>
  inSlices({ ...operation, deadline: undefined }, nextBatch(operation, cursor, batchSize), cursor.pace);

/** A change stream answers when there is something, or empty-handed when its time is up. */
async function awaitBatch(operation: Operation, cursor: Cursor, batchSize: number): Promise<Reply> {
  const { command, client } = operation;
  const until = Date.now() + (field.number(command, "maxTimeMS") ?? AWAIT_MS);
  for (;;) {
    const found = await more(operation, cursor, batchSize);
    const isEmpty = found.cursor?.batch.length === 0 && cursor.id !== 0n;
    if (!isEmpty || !cursor.stream?.isAwaiting || Date.now() >= until || client.isClosed()) return found;
    await somethingNew(operation, cursor, until);
    checkOpen(cursor);
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
    if (!Array.isArray(ids)) throw field.wrongType("killCursors.cursors", "array");
    const wanted = ids.map(idOf);
    const killed = wanted.filter((id) => operation.engine.cursors.kill(id, ns));
    const missing = wanted.filter((id) => !killed.includes(id));
    return reply({ cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] });
  },
};

export const cursorCommands: Record<string, Command> = { getMore, killCursors };
