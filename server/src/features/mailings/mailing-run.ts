// The work on a mailing: whoever holds it sends; what is done is stored at once, so that another can go on.
import mongoose from "mongoose";
import { now, SECOND_MS } from "../../core/clock.ts";
import { isDatabaseFailure } from "../../core/database.ts";
import { defineDueTime, TOLERANCE_MS } from "../../core/due-times.ts";
import { isBusy } from "../../core/errors.ts";
import { abandonedAmong, type Hold, whileHeld } from "../../core/holding.ts";
import type { Logger } from "../../core/logger.ts";
import { defineWorkTurns, type Task, type Turn } from "../../core/work-turns.ts";
import { endPause, pauseCarrier, pausedUntil, pauseReason } from "../mail/carrier-pauses.service.ts";
import { carrierBy, type MailFrom } from "../mail/mail-from.service.ts";
import { type Carrier, mailboxOfSender, openCarrier } from "./mailing-carrier.ts";
import { bringBackClaimed, claimerOf } from "./mailing-claims.ts";
import { forgetCounts, withCounts } from "./mailing-counts.ts";
import { templateOf } from "./mailing-letters.ts";
import { LATER_MAX_MS } from "./mailing-outcomes.ts";
import { madeReady } from "./mailing-outset.ts";
import { paced } from "./mailing-pace.ts";
import { assertMailbox, NotAllowedError, senderOf, writerOf } from "./mailing-sender.ts";
import { sendDue } from "./mailing-sending.ts";
import { asHeld, type MailingDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

const LOOK_MS = SECOND_MS;
/** What was busy, such as a name server, is asked again after this. */
const BUSY_MS = 30 * SECOND_MS;
const DEADLY =
  "The server stopped three times while it worked on this mailing, so it does not go on by itself. Those that were sent are marked. Tell whoever runs this installation before you go on.";
const FAILURE =
  "Something went wrong while the mails were sent. Those that were sent are marked. Go on when you are ready.";

const due = () => ({ state: "sending" as const, dueAt: mongoose.trusted({ $lte: now() }) });

/** Also goes on with those whose process died, or who wait for another try. */
export const mailingTurns = defineWorkTurns({
  name: "resume mailings",
  everyMs: 3 * SECOND_MS,
  takenOverAfterMs: 5 * SECOND_MS,
  atOnce: 6,
  ofPractice: 2,
  ofPerson: 1,
  async find() {
    const open = await MailingModel.find(due(), { ownerId: 1, heldBy: 1, startedBy: 1, createdBy: 1 })
      .sort({ dueAt: 1 })
      .setOptions({ anyOwner: true })
      .lean();
    return (await abandonedAmong(open)).map((mailing) => ({ id: mailing._id, ...writerOf(mailing) }));
  },
  work: sendSome,
  setAside: pauseLeft,
});

defineDueTime({
  of: "mailings",
  times: ["Mailing.dueAt"],
  aheadMs: LATER_MAX_MS,
  bringBack: (latest, at) =>
    MailingModel.updateMany(
      { state: "sending", dueAt: mongoose.trusted({ $gt: latest }) },
      { $set: { dueAt: at } },
    ).setOptions({ anyOwner: true }),
});

/** Sends until everybody has it, somebody stops it, or what is left must wait; does nothing where another works on it. */
export const runMailing = (ownerId: string, id: string, log: Logger): Promise<void> =>
  mailingTurns.untilDone({ ownerId, id }, log);

function sendSome({ ownerId, id: mailingId }: Task, turn: Turn, log: Logger): Promise<number | null> {
  return whileHeld(async (hold) => {
    const mailing = await take(ownerId, mailingId, hold);
    if (!mailing) return null;
    try {
      return await workOn(mailing, { hold, turn, log });
    } catch (error) {
      if (isDatabaseFailure(error)) throw error;
      if (isBusy(error)) {
        await change(mailing, { dueAt: new Date(now().getTime() + BUSY_MS) });
        return null;
      }
      const reason = error instanceof NotAllowedError ? error.message : FAILURE;
      if (reason === FAILURE) log.error({ err: error, mailingId }, "mailing failed");
      await change(mailing, { state: "paused", reason });
      return null;
    } finally {
      await MailingModel.updateOne({ ownerId, _id: mailingId, heldBy: hold.by }, { $set: { heldBy: "" } });
    }
  });
}

async function take(ownerId: string, _id: string, { by }: Hold): Promise<MailingDoc | null> {
  const found = await MailingModel.findOne({ ownerId, _id, ...due() }, { heldBy: 1 }).lean();
  const [free] = await abandonedAmong(found ? [found] : []);
  if (!free) return null;
  return MailingModel.findOneAndUpdate(
    { ownerId, _id, heldBy: free.heldBy, ...due() },
    { $set: { heldBy: by } },
    { returnDocument: "after", lean: true },
  );
}

/** No process survived it. */
async function pauseLeft({ ownerId, id: _id }: Task): Promise<void> {
  const found = await MailingModel.find({ ownerId, _id, state: "sending" }, { heldBy: 1 }).lean();
  for (const { heldBy } of await abandonedAmong(found)) {
    const left = { ownerId, _id, state: "sending" as const, heldBy };
    await MailingModel.updateOne(left, { $set: { state: "paused", reason: DEADLY, heldBy: "" } });
  }
}

/** Changes the mailing where this process still holds it; false where it does not. */
async function change(mailing: MailingDoc, to: Partial<MailingDoc>): Promise<boolean> {
  const { matchedCount } = await MailingModel.updateOne(asHeld(mailing), { $set: to });
  return matchedCount > 0;
}

interface Working {
  hold: Hold;
  turn: Turn;
  log: Logger;
}

/** Gives in how many milliseconds it goes on where only its pace keeps it waiting, or somebody else's turn. */
async function workOn(mailing: MailingDoc, { hold, turn, log }: Working): Promise<number | null> {
  await bringBackClaimed(mailing);
  await bringBackItems(mailing);
  const from = await mailboxOfSender(mailing);
  if (await rests(mailing, from)) return null;
  const template = await templateOf(mailing);
  const carrier = await openCarrier(from);
  const sender = senderOf(mailing, carrier.from, log);
  const watch = watchHold(mailing, hold, log);
  const pace = paced(mailing.perMinute, watch.signal);
  try {
    if (!(await madeReady(mailing, (await sender()).userName, turn))) return 0;
    await sendDue(mailing, {
      log,
      template,
      carrier,
      isHeld: watch.isHeld,
      isOver: () => turn.isOver() || carrier.has.notAnswered,
      step: turn.step,
      pace,
      claim: claimerOf(mailing, () => assertMailbox(mailing, carrier.from)),
      sender,
    });
    // Whoever held it before may have claimed one after this process began, and does not send it.
    const hasClaimed = (await bringBackClaimed(mailing)) > 0;
    if (await restsAfter(mailing, carrier)) return null;
    if (hasClaimed) return 0;
    return await putAside(mailing, pace.nextInMs(), log);
  } finally {
    watch.end();
    carrier.close();
  }
}

/** Together with all other mail that waits for a server which did not answer: it says so, and until when. */
async function rests(mailing: MailingDoc, from: MailFrom): Promise<boolean> {
  const carrier = carrierBy(mailing.ownerId, from);
  const until = await pausedUntil(carrier);
  const reason = until ? await pauseReason(carrier, until) : "";
  if (until || mailing.reason) await change(mailing, { reason, ...(until ? { dueAt: until } : {}) });
  return until !== null;
}

async function restsAfter(mailing: MailingDoc, { from, has }: Carrier): Promise<boolean> {
  const carrier = carrierBy(mailing.ownerId, from);
  if (has.notAnswered) await pauseCarrier(carrier);
  else if (has.taken) await endPause(carrier);
  return has.notAnswered && rests(mailing, from);
}

const bringBackItems = ({ ownerId, _id: mailingId }: MailingDoc) =>
  MailingItemModel.updateMany(
    {
      ownerId,
      mailingId,
      state: "waiting",
      dueAt: mongoose.trusted({ $gt: new Date(now().getTime() + LATER_MAX_MS + TOLERANCE_MS) }),
    },
    { $set: { dueAt: now() } },
  );

/** Sees within a moment that another took it, or that somebody paused or cancelled it, whatever its pace. */
function watchHold(mailing: MailingDoc, hold: Hold, log: Logger) {
  const lost = new AbortController();
  const look = async () => {
    try {
      if (!hold.isHeld() || !(await MailingModel.exists(asHeld(mailing)))) lost.abort();
    } catch (error) {
      log.warn({ err: error, mailingId: mailing._id }, "mailing could not be looked at");
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    signal: lost.signal,
    isHeld: () => !lost.signal.aborted && hold.isHeld(),
    end: () => clearInterval(timer),
  };
}

/** Done, or left alone until the next one is due and may go. */
async function putAside(mailing: MailingDoc, nextInMs: number, log: Logger): Promise<number | null> {
  const { ownerId, _id: mailingId } = mailing;
  const next = await MailingItemModel.findOne({ ownerId, mailingId, state: "waiting" }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean();
  const at = now().getTime();
  const dueAt = new Date(Math.max(next?.dueAt.getTime() ?? 0, at + nextInMs));
  const wasHeld = await change(mailing, next ? { dueAt } : { state: "done", endedAt: now() });
  // Somebody else ended it, and what was on its way then may have been stored after they counted.
  if (!wasHeld) {
    await forgetCounts(mailing);
    return null;
  }
  if (next) return next.dueAt.getTime() <= at ? nextInMs : null;
  log.info({ mailingId }, "mailing sent");
  const ended = await MailingModel.findOne({ ownerId, _id: mailingId }).lean();
  if (ended) await withCounts([ended]);
  return null;
}
