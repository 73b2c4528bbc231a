// The work on a mailing: whoever holds it sends; what is done is stored at once, so that another can go on.
import mongoose from "mongoose";
import { z } from "zod";
import { idSchema } from "@app/shared/ids";
import { now, SECOND_MS } from "../../core/clock.ts";
import { isDatabaseFailure } from "../../core/database.ts";
import { defineDueTime, TOLERANCE_MS } from "../../core/due-times.ts";
import { abandonedAmong, type Hold, whileHeld } from "../../core/holding.ts";
import { defineJob, defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openCarrier } from "./mailing-carrier.ts";
import { claimerOf } from "./mailing-claims.ts";
import { forgetCounts, withCounts } from "./mailing-counts.ts";
import { templateOf } from "./mailing-letters.ts";
import { LATER_MAX_MS } from "./mailing-outcomes.ts";
import { paced } from "./mailing-pace.ts";
import { NotAllowedError, senderOf } from "./mailing-sender.ts";
import { sendDue } from "./mailing-sending.ts";
import { asHeld, type MailingDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

const LOOK_MS = SECOND_MS;
const RESUMED_AT_ONCE = 50;
const FAILURE =
  "Something went wrong while the mails were sent. Those that were sent are marked. Go on when you are ready.";

const jobSchema = z.strictObject({ ownerId: idSchema, mailingId: idSchema });

export const mailingJob = defineJob({
  name: "send mailing",
  data: jobSchema,
  run: ({ ownerId, mailingId }, log) => runMailing(ownerId, mailingId, log),
});

const due = () => ({ state: "sending" as const, dueAt: mongoose.trusted({ $lte: now() }) });

/** Goes on with mailings that nobody works on: their process died, or they wait for another try. */
defineRepeatedJob({
  name: "resume mailings",
  everyMs: 3 * SECOND_MS,
  takenOverAfterMs: 5 * SECOND_MS,
  async run() {
    const open = await MailingModel.find(due(), { ownerId: 1, heldBy: 1 }).setOptions({ anyOwner: true }).lean();
    const left = (await abandonedAmong(open)).slice(0, RESUMED_AT_ONCE);
    for (const { _id, ownerId } of left) await mailingJob.enqueue({ ownerId, mailingId: _id });
  },
});

defineDueTime({
  of: "mailings",
  aheadMs: LATER_MAX_MS,
  bringBack: (latest, at) =>
    MailingModel.updateMany(
      { state: "sending", dueAt: mongoose.trusted({ $gt: latest }) },
      { $set: { dueAt: at } },
    ).setOptions({ anyOwner: true }),
});

/** Sends until everybody has it, somebody stops it, or what is left must wait; does nothing where another works on it. */
export const runMailing = (ownerId: string, mailingId: string, log: Logger): Promise<void> =>
  whileHeld(async (hold) => {
    const mailing = await take(ownerId, mailingId, hold);
    if (!mailing) return;
    try {
      await workOn(mailing, hold, log);
    } catch (error) {
      if (isDatabaseFailure(error)) throw error;
      if (error instanceof NotAllowedError)
        return void (await change(mailing, { state: "paused", reason: error.message }));
      log.error({ err: error, mailingId }, "mailing failed");
      await change(mailing, { state: "paused", reason: FAILURE });
    } finally {
      await MailingModel.updateOne({ ownerId, _id: mailingId, heldBy: hold.by }, { $set: { heldBy: "" } });
    }
  });

async function take(ownerId: string, _id: string, { by }: Hold): Promise<MailingDoc | null> {
  const found = await MailingModel.findOne({ ownerId, _id, ...due() }, { heldBy: 1 }).lean();
  const [free] = await abandonedAmong(found ? [found] : []);
  if (!free) return null;
  return MailingModel.findOneAndUpdate(
    { ownerId, _id, heldBy: free.heldBy, ...due() },
    { $set: { heldBy: by }, $inc: { runs: 1 } },
    { returnDocument: "after", lean: true },
  );
}

/** Changes the mailing where this process still holds it; false where it does not. */
async function change(mailing: MailingDoc, to: Partial<MailingDoc>): Promise<boolean> {
  const { matchedCount } = await MailingModel.updateOne(asHeld(mailing), { $set: to });
  return matchedCount > 0;
}

async function workOn(mailing: MailingDoc, hold: Hold, log: Logger): Promise<void> {
  await bringBackItems(mailing);
  const template = await templateOf(mailing);
  const carrier = await openCarrier(mailing);
  const watch = watchHold(mailing, hold, log);
  try {
    await sendDue(mailing, {
      log,
      template,
      carrier,
      isHeld: watch.isHeld,
      turn: paced(mailing.perMinute, watch.signal),
      claim: await claimerOf(mailing),
      sender: senderOf(mailing, carrier.from, log),
    });
    await putAside(mailing, log);
  } finally {
    watch.end();
    carrier.close();
  }
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

/** Done, or left alone until the next one is due. */
async function putAside(mailing: MailingDoc, log: Logger): Promise<void> {
  const { ownerId, _id: mailingId } = mailing;
  const next = await MailingItemModel.findOne({ ownerId, mailingId, state: "waiting" }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean();
  const wasHeld = await change(mailing, next ? { dueAt: next.dueAt } : { state: "done", endedAt: now() });
  // Somebody else ended it, and what was on its way then may have been stored after they counted.
  if (!wasHeld) return forgetCounts(mailing);
  if (next) return;
  log.info({ mailingId }, "mailing sent");
  const ended = await MailingModel.findOne({ ownerId, _id: mailingId }).lean();
  if (ended) await withCounts([ended]);
}
