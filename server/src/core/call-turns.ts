// In whose turn a call is worked on: few calls of one person at once, and few in all, so that nobody waits for another's many.
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { bodyRoomOf } from "./body-room.ts";
import { callerGone } from "./caller.ts";
import { askedTooMuch, busy } from "./errors.ts";
import { type Asker, fairTurns, inTurn, turnOf } from "./fair-turns.ts";
import { count } from "./giving-way.ts";
import { isInTransaction } from "./open-transaction.ts";
import { networkOf } from "./rate-limit.ts";
import { type Context, isSignedIn } from "./trpc.ts";

/** Worked on in this process. */
const TURNS = { atOnce: 6, ofOne: 2 };
/** Begun: they also wait for bodies, mail servers and workers, while others have the turn. */
const BEGUN = { atOnce: 1000, ofOne: 30 };
/** A page of ours asks for some dozens at the most. */
const WAITING = { inAll: 3000, ofGroup: 1000, ofOne: 300 };
/** Answers that somebody has asked for and does not take. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024;
const ALL_BUSY = "The server is busy with many requests. Wait a moment and try again.";

const PROBE: Asker = { group: "probe", one: "" };

const takePlace = fairTurns({
  ...BEGUN,
  waiting: WAITING,
  refuse: (isOfAll) => (isOfAll ? busy(ALL_BUSY) : askedTooMuch()),
});
const takeTurn = fairTurns(TURNS);
const turns = new AsyncLocalStorage<Turn>();
const unread = new Map<string, number>();

/** The person who is signed in; before that their network, and all networks together have the turns of one person. */
export const askerOf = ({ actor, ip }: Pick<Context, "actor" | "ip">): Asker =>
  isSignedIn(actor) ? { group: `person ${actor.scope.userId}`, one: "" } : { group: "anonymous", one: networkOf(ip) };

/** A call that was begun ends before those of very many networks begin: they stand in another line. */
const goingOn = (asker: Asker): Asker =>
  asker.one === "" ? asker : { group: `${asker.group} going on`, one: asker.one };

/** Works on a call in its asker's turn, or not at all where nobody waits for it any more. Refuses where too many wait. */
export function inCallTurn<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
  const gone = callerGone();
  return inTurn(
    takePlace,
    asker,
    async () => {
      const turn = aTurn(asker);
      await turn.begin(gone);
      try {
        if ((unread.get(keyOf(asker)) ?? 0) > UNREAD_MAX_BYTES) throw askedTooMuch();
        return await turns.run(turn, work);
      } finally {
        turn.end();
      }
    },
    gone,
  );
}

/**
 * Waits for what others do, such as a mail server, a worker or whoever sends a body, and takes a turn again after that.
 * Meanwhile others have it. Whoever waits for a turn must hold nothing that those who have one may wait for: a call in
 * a transaction goes on without, and what several calls wait for together runs wholly within this.
 */
export async function outOfTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = turns.getStore();
  if (!turn) return work();
  turn.pause();
  try {
    return await work();
  } finally {
    if (!isInTransaction()) await turn.resume();
  }
}

/** Whether a call of somebody who has none under way would be worked on within this time. */
export async function turnsComeWithin(ms: number): Promise<boolean> {
  try {
    (await turnOf(takeTurn, PROBE, AbortSignal.timeout(ms)))();
    return true;
  } catch {
    return false;
  }
}

/** Holds room for so much of the body of the call that this is part of, until the call has ended. */
export const holdRoom = (bytes: number): void => turns.getStore()?.room.holdUpTo(bytes);

/** For work of ours in the middle of what `outOfTurn` waits for, such as the next piece of a file that somebody takes. */
export function backInTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const turn = turns.getStore();
  return async (work) => {
    if (!turn) return work();
    await turn.resume();
    try {
      return await turns.run(turn, work);
    } finally {
      turn.pause();
    }
  };
}

/** Counts an answer until it was taken, so that nobody lets very many wait for them. */
export function followAnswer(asker: Asker, res: ServerResponse, bytes: number): void {
  const key = keyOf(asker);
  count(unread, key, bytes);
  res.once("close", () => count(unread, key, -bytes));
}

const keyOf = ({ group, one }: Asker): string => `${group} ${one}`;

type Turn = ReturnType<typeof aTurn>;

/** One turn, which can be left to others for a time; what goes on after its end goes on without. */
function aTurn(asker: Asker) {
  const room = bodyRoomOf(asker);
  let leave = NOTHING;
  let isOver = false;
  let away = 0;
  const leaveNow = () => {
    // Others are heard before the next one begins: calls that wait for nothing would else keep everybody waiting.
    setImmediate(leave);
    leave = NOTHING;
  };
  const enter = async (as: Asker, gone?: AbortSignal) => {
    const end = await turnOf(takeTurn, as, gone);
    leaveNow();
    leave = end;
    if (isOver || away > 0) leaveNow();
  };
  return {
    room,
    begin: (gone?: AbortSignal) => enter(asker, gone),
    pause(): void {
      away += 1;
      leaveNow();
    },
    // Also where whoever asked is gone: what was sent meanwhile still has to be written down.
    async resume(): Promise<void> {
      away -= 1;
      if (away === 0 && !isOver) await enter(goingOn(asker));
    },
    end(): void {
      isOver = true;
      room.leave();
      leaveNow();
    },
  };
}

const NOTHING = () => {};
