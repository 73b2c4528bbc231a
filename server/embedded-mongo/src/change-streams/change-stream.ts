// A tail of the log of changes, run event by event through the rest of its pipeline.
import { compilePipeline, type PipelineContext } from "../aggregate/pipeline.ts";
import { encode } from "../bson/encode.ts";
import { located, typeMismatch } from "../bson/fail.ts";
import type { TailableSource } from "../cursors/cursors.ts";
import { equalValues } from "../keys/compare.ts";
import { PAUSE, type Pause, withoutPauses } from "../pace.ts";
import type { Store } from "../store/documents.ts";
import type { LoggedChange } from "../store/oplog.ts";
import { type Bytes, type Doc, MongoError, Timestamp } from "../values.ts";
import { eventFor, invalidateEvent, isLast, isVisible, type Scope } from "./change-event.ts";
import { fatal, type Position, positionOf, type StreamOptions, tokenFor } from "./resume-token.ts";

const PAGE = 200;
const ALLOWED = new Set("$match $project $addFields $set $unset $replaceRoot $replaceWith".split(" "));

const historyLost = (): MongoError =>
  fatal(286, "Resume of change stream was not possible, as the resume point may no longer be in the oplog.");

function startPosition(store: Store, options: StreamOptions): Position {
  const { oplog } = store;
  const token = options.resumeAfter ?? options.startAfter;
  if (token !== undefined) {
    const position = positionOf(token);
    if (position.isInvalidate && options.resumeAfter !== undefined) {
      throw located(
        260,
        "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
      );
    }
    if (position.seq < oplog.oldestPosition() || position.seq > oplog.committedPosition()) throw historyLost();
    return position;
  }
  if (options.startAt === undefined) return { seq: oplog.committedPosition(), isInvalidate: false };
  if (!(options.startAt instanceof Timestamp))
    throw typeMismatch("BSON field '$changeStream.startAtOperationTime' is the wrong type, expected type 'timestamp'");
  const seq = oplog.positionBefore(options.startAt);
  if (seq === undefined) throw historyLost();
  return { seq, isInvalidate: false };
}

function checkStages(stages: Doc[]): void {
  for (const stage of stages) {
    const [name = ""] = stage.keys();
    if (!ALLOWED.has(name)) throw located(20, `${name} is not permitted in a $changeStream pipeline`);
  }
}

function checkToken(event: Doc, position: Position): void {
  if (equalValues(event.get("_id"), tokenFor(position))) return;
  throw fatal(
    280,
    "Encountered an event whose _id field, which contains the resume token, was modified by the pipeline. Modifying the _id field of an event makes it impossible to resume the stream from that point.",
  );
}

export type ChangeStream = { rows: Iterator<Bytes | Pause>; stream: TailableSource };

export function openChangeStream(
  store: Store,
  scope: Scope,
  options: StreamOptions,
  stages: Doc[],
  context: PipelineContext,
): ChangeStream {
  const run = compilePipeline(stages, context);
  checkStages(stages);
  let position = startPosition(store, options);
  let sent = position;
  let page: LoggedChange[] = [];
  const pending: { event: Doc; position: Position }[] = [];
  let isOver = false;

  const fill = (): boolean => {
    if (position.seq < store.oplog.oldestPosition()) throw historyLost();
    if (page.length === 0) page = store.oplog.readAfter(position.seq, PAGE);
    const change = page.shift();
    if (!change) return false;
    position = { seq: change.seq, isInvalidate: false };
    if (!isVisible(change, scope, options)) return true;
    pending.push({ event: eventFor(store, change, options), position });
    if (isLast(change, scope))
      pending.push({ event: invalidateEvent(change), position: { seq: change.seq, isInvalidate: true } });
    return true;
  };

  const next = (): IteratorResult<Bytes | Pause> => {
    while (!isOver) {
      if (context.pace?.isOver()) return { done: false, value: PAUSE };
      const item = pending.shift();
      if (!item) {
        if (fill()) continue;
        break;
      }
      position = item.position;
      if (item.position.isInvalidate) isOver = true;
      for (const event of withoutPauses(run([item.event]))) {
        checkToken(event, item.position);
        const bytes = encode(event);
        sent = item.position;
        return { done: false, value: bytes };
      }
    }
    return { done: true, value: undefined };
  };

  const stream: TailableSource = {
    isAwaiting: true,
    onMore: (wake) => store.oplog.onCommit(wake),
    // Up to the last event that was sent, or to the end of the log when nothing is left to send.
    resumeToken: (hasMore) => tokenFor(hasMore || pending.length > 0 || page.length > 0 ? sent : position),
    isOver: () => isOver,
  };
  return { rows: { next }, stream };
}
