// Opens cursors and answers with their batches.
import { docOf } from "../bson/doc-of.ts";
import { type Cursor, type TailableSource, takeBatch } from "../cursors/cursors.ts";
import type { Bytes } from "../values.ts";
import type { CursorReply, Reply } from "../wire/message.ts";
import type { Operation } from "./operation.ts";

export type CursorRequest = {
  ns: string;
  rows: Iterator<Bytes>;
  batchSize?: number | undefined;
  isSingleBatch?: boolean;
  neverExpires?: boolean;
  stream?: TailableSource;
};

export function openCursor(operation: Operation, request: CursorRequest): Reply {
  const { engine, session, transaction } = operation;
  const source = { rows: request.rows, waiting: undefined };
  const count = engine.cursors.firstBatchSize(request.batchSize);
  const { batch, isDone } = request.stream ? takeBatch(source, count) : takeFirst(source, count);
  const isFinished = request.stream ? request.stream.isOver() && !source.waiting : isDone;
  if (isFinished || request.isSingleBatch) {
    request.rows.return?.();
    return cursorReply({ id: 0n, ns: request.ns, batchName: "firstBatch", batch }, request.stream, source);
  }
  const cursor = engine.cursors.open({
    ...source,
    ns: request.ns,
    neverExpires: request.neverExpires ?? false,
    stream: request.stream,
    sessionKey: session?.key,
    transaction: transaction?.number,
  });
  return cursorReply({ id: cursor.id, ns: request.ns, batchName: "firstBatch", batch }, request.stream, cursor);
}

function takeFirst(source: Pick<Cursor, "rows" | "waiting">, count: number): { batch: Bytes[]; isDone: boolean } {
  const taken = takeBatch(source, count);
  if (taken.isDone || count === 0) return taken;
  // Looking one row ahead spares the client a round trip that would bring nothing.
  if (!source.waiting) {
    const next = source.rows.next();
    if (next.done) return { ...taken, isDone: true };
    source.waiting = next.value;
  }
  return taken;
}

function cursorReply(cursor: CursorReply, stream: TailableSource | undefined, source: Pick<Cursor, "waiting">): Reply {
  const token = stream?.resumeToken?.(source.waiting !== undefined);
  return {
    fields: docOf({ ok: 1 }),
    cursor: token ? { ...cursor, postBatchResumeToken: token } : cursor,
  };
}

/** The next batch of a cursor that does not wait for anything. */
export function nextBatch(operation: Operation, cursor: Cursor, batchSize: number): Reply {
  const { batch, isDone } = cursor.stream ? takeBatch(cursor, batchSize) : takeFirst(cursor, batchSize);
  const isFinished = cursor.stream ? cursor.stream.isOver() && !cursor.waiting : isDone;
  if (isFinished) operation.engine.cursors.close(cursor);
  return cursorReply(
    { id: isFinished ? 0n : cursor.id, ns: cursor.ns, batchName: "nextBatch", batch },
    cursor.stream,
    cursor,
  );
}
