// The next mail: turns go round over practices, in a practice over carriers, by one carrier over people, and notices go
// before letters. What takes it is one change in the database.
import mongoose, { type QueryFilter } from "mongoose";
import { abandonedAmong, hold, type Hold } from "../../core/holding.ts";
import { pausedUntil, pauseReason } from "../mail/carrier-pauses.service.ts";
import { begin, hasRoom, type Lane, mayBegin, underWayOf } from "./outbox-lanes.ts";
import { byTurn, hadTurn } from "./outbox-turns.ts";
import { forgetLook, lastLook, type Look, lookAnew, NOTICE, queuedAndDue, type Waiting } from "./outbox-waiting.ts";
import { type OutboxDoc, OutboxModel } from "./outbox.model.ts";

export interface Taken {
  mail: OutboxDoc;
  lane: Lane;
  hold: Hold;
  /** A process died while it was sending it, in whatever try. */
  wasLeft: boolean;
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** One after the other, so that no two take mails of the same lane. */
export function takeInTurn(): Promise<Taken | null> {
  const turn = lastTurn.then(takeNext);
  lastTurn = turn.catch(() => undefined);
  return turn;
}

async function takeNext(): Promise<Taken | null> {
  if (!hasRoom()) return null;
  const mine = await hold();
  try {
    const known = lastLook();
    const found = (known && (await takeFrom(known, mine))) ?? (await takeFrom(await lookAnew(), mine));
    if (!found) return letGo(mine);
    const { before, lane } = found;
    begin(lane);
    hadTurn(lane.ownerId, lane.key, turnOf(lane, before.createdBy));
    const mail = { ...before, state: "sending" as const, heldBy: mine.by, attempts: before.attempts + 1 };
    return { mail, lane, hold: mine, wasLeft: before.mayHaveLeft === true || before.state === "sending" };
  } catch (error) {
    forgetLook();
    letGo(mine);
    throw error;
  }
}

function letGo(mine: Hold): null {
  mine.release();
  return null;
}

const turnOf = ({ key }: Lane, userId: string) => `${key} ${userId}`;

interface Found {
  before: OutboxDoc;
  lane: Lane;
}

async function takeFrom(look: Look, mine: Hold): Promise<Found | null> {
  const { left, taken } = await underWayNow(look);
  const isFree = (lane: Lane) => mayBegin(lane) && !taken.has(lane.key);
  const found = (await takeLeft(left, { look, isFree, mine })) ?? (await takeDue({ look, isFree, mine }));
  if (!found) return null;
  // Two processes may have taken from one lane at the same moment: whoever sees the other gives theirs back.
  const others = await underWayNow(look, found.before._id);
  if (!others.taken.has(found.lane.key)) return found;
  await giveBack(found.before, mine);
  return null;
}

/** In which lanes a mail is being sent, by whatever process, and those whose process is gone. */
async function underWayNow(look: Look, exceptId = ""): Promise<{ left: Left[]; taken: Set<string> }> {
  const sending = await OutboxModel.find({ state: "sending" }, { ownerId: 1, createdBy: 1, heldBy: 1 })
    .setOptions({ anyOwner: true })
    .lean();
  const left = await abandonedAmong(sending);
  const taken = new Set<string>();
  for (const one of sending)
    if (one._id !== exceptId && !left.includes(one)) taken.add((await look.laneOf(one.ownerId, one.createdBy)).key);
  return { left, taken };
}

const giveBack = ({ _id, ownerId, state, heldBy }: OutboxDoc, { by }: Hold) =>
  OutboxModel.updateOne(
    { _id, ownerId, state: "sending", heldBy: by },
    { $set: { state, heldBy }, $inc: { attempts: -1 } },
  );

interface Taking {
  look: Look;
  /** Neither this process nor another sends in it just now. */
  isFree: (lane: Lane) => boolean;
  mine: Hold;
}

type Left = Pick<OutboxDoc, "_id" | "ownerId" | "createdBy" | "heldBy">;

/** One whose process died while it was sending it. */
async function takeLeft(left: Left[], { look, isFree, mine }: Taking): Promise<Found | null> {
  for (const { _id, ownerId, createdBy, heldBy } of left) {
    const lane = await look.laneOf(ownerId, createdBy);
    const before = isFree(lane) ? await takeOne({ _id, ownerId, heldBy, state: "sending" }, mine, LEFT) : null;
    if (before) return { before, lane };
  }
  return null;
}

async function takeDue({ look, isFree, mine }: Taking): Promise<Found | null> {
  const owners = byTurn(look.ownerIds, (ownerId) => ownerId).toSorted((a, b) => underWayOf(a) - underWayOf(b));
  for (const ownerId of owners) {
    for (const waiting of byTurn(await look.waitingOf(ownerId), ({ lane }) => lane.key)) {
      if ((await isPaused(waiting)) || !isFree(waiting.lane)) continue;
      const before = await takeOf(waiting, mine);
      if (before) return { before, lane: waiting.lane };
    }
  }
  return null;
}

/** Those that wait for its server say so. */
async function isPaused(waiting: Waiting): Promise<boolean> {
  const until = await pausedUntil(waiting.carrier);
  if (!until) return false;
  const { ownerId } = waiting.lane;
  const reason = await pauseReason(waiting.carrier, until);
  if (waiting.said === reason) return true;
  await OutboxModel.updateMany(
    {
      ownerId,
      createdBy: mongoose.trusted({ $in: [...waiting.writers] }),
      reason: mongoose.trusted({ $ne: reason }),
      ...queuedAndDue(),
    },
    { $set: { reason } },
  );
  waiting.said = reason;
  return true;
}

async function takeOf({ lane, writers, ofNotices }: Waiting, mine: Hold): Promise<OutboxDoc | null> {
  for (const [those, what] of [[ofNotices, NOTICE] as const, [writers, {}] as const]) {
    for (const createdBy of byTurn(those, (userId) => turnOf(lane, userId))) {
      const before = await takeOne({ ownerId: lane.ownerId, createdBy, ...queuedAndDue(), ...what }, mine);
      if (before) return before;
      those.delete(createdBy);
    }
  }
  return null;
}

/** Also where this try is put off before anybody looked whether it had left. */
const LEFT = { mayHaveLeft: true };

const takeOne = (filter: QueryFilter<OutboxDoc>, { by }: Hold, found: Partial<OutboxDoc> = {}) =>
  OutboxModel.findOneAndUpdate(
    filter,
    { $set: { state: "sending", heldBy: by, ...found }, $inc: { attempts: 1 } },
    { sort: { dueAt: 1 }, returnDocument: "before", lean: true },
  );
