// The work on a mailing: whoever holds its lease sends; what is done is stored at once, so that another can go on.
import mongoose from "mongoose";
import { z } from "zod";
import { idSchema } from "@app/shared/ids";
import { now } from "../../core/clock.ts";
import { isDatabaseFailure } from "../../core/database.ts";
import { newId } from "../../core/ids.ts";
import { defineJob, defineRepeatedJob } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { openCarrier } from "./mailing-carrier.ts";
import { forgetCounts, withCounts } from "./mailing-counts.ts";
import { templateOf } from "./mailing-letters.ts";
import { paced } from "./mailing-pace.ts";
import { NotAllowedError, senderOf } from "./mailing-sender.ts";
import { sendDue } from "./mailing-sending.ts";
import { type MailingDoc, MailingItemModel, MailingModel } from "./mailings.model.ts";

const LEASE_MS = 5000;
const BEAT_MS = 1000;
const RESUMED_AT_ONCE = 50;
const FAILURE =
  "Something went wrong while the mails were sent. Those that were sent are marked. Go on when you are ready.";

const jobSchema = z.strictObject({ ownerId: idSchema, mailingId: idSchema });

export const mailingJob = defineJob({
  name: "send mailing",
  data: jobSchema,
  run: ({ ownerId, mailingId }, log) => runMailing(ownerId, mailingId, log),
});

/** Goes on with mailings that nobody works on: their process died, or they wait for another try. */
defineRepeatedJob({
  name: "resume mailings",
  every: "3 seconds",
  takenOverAfterMs: LEASE_MS,
  async run() {
    const left = await MailingModel.find(
      { state: "sending", leaseUntil: mongoose.trusted({ $lt: now() }) },
      { ownerId: 1 },
    )
      .setOptions({ anyOwner: true })
      .limit(RESUMED_AT_ONCE)
      .lean();
    for (const { _id, ownerId } of left) await mailingJob.enqueue({ ownerId, mailingId: _id });
  },
});

/** Sends until everybody has it, somebody stops it, or what is left must wait; does nothing where another works on it. */
export async function runMailing(ownerId: string, mailingId: string, log: Logger): Promise<void> {
  const mailing = await takeLease(ownerId, mailingId);
  if (!mailing) return;
  try {
    await workOn(mailing, log);
  } catch (error) {
    if (isDatabaseFailure(error)) throw error;
    if (error instanceof NotAllowedError)
      return void (await whileHeld(mailing, { state: "paused", reason: error.message }));
    log.error({ err: error, mailingId }, "mailing failed");
    await whileHeld(mailing, { state: "paused", reason: FAILURE });
  }
}

const takeLease = (ownerId: string, _id: string): Promise<MailingDoc | null> =>
  MailingModel.findOneAndUpdate(
    { ownerId, _id, state: "sending", leaseUntil: mongoose.trusted({ $lt: now() }) },
    { $set: { leaseToken: newId(), leaseUntil: leaseEnd() } },
    { returnDocument: "after", lean: true },
  );

const leaseEnd = () => new Date(now().getTime() + LEASE_MS);

/** Changes the mailing where this process still holds it; false where it does not. */
async function whileHeld({ ownerId, _id, leaseToken }: MailingDoc, change: Partial<MailingDoc>): Promise<boolean> {
  const { matchedCount } = await MailingModel.updateOne(
    { ownerId, _id, leaseToken, state: "sending" },
    { $set: change },
  );
  return matchedCount > 0;
}

async function workOn(mailing: MailingDoc, log: Logger): Promise<void> {
  const template = await templateOf(mailing);
  const carrier = await openCarrier(mailing);
  const hold = keepLease(mailing, log);
  const turn = paced(mailing.perMinute);
  const way = { log, template, carrier, turn, isHeld: hold.isHeld, sender: senderOf(mailing, carrier.from, log) };
  try {
    await sendDue(mailing, way);
    await putAside(mailing, log);
  } finally {
    hold.end();
    carrier.close();
  }
}

/** Renews the lease until it is lost: another took it, or somebody paused or cancelled the mailing. */
function keepLease(mailing: MailingDoc, log: Logger) {
  let isHeld = true;
  const renew = async () => {
    try {
      isHeld = await whileHeld(mailing, { leaseUntil: leaseEnd() });
    } catch (error) {
      log.warn({ err: error, mailingId: mailing._id }, "mailing could not be held");
    }
  };
  const beat = setInterval(() => void renew(), BEAT_MS);
  return { isHeld: () => isHeld, end: () => clearInterval(beat) };
}

/** Done, or left alone until the next one is due. */
async function putAside(mailing: MailingDoc, log: Logger): Promise<void> {
  const { ownerId, _id: mailingId } = mailing;
  const next = await MailingItemModel.findOne({ ownerId, mailingId, state: "waiting" }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean();
  const end = { state: "done" as const, endedAt: now(), leaseUntil: now() };
  const wasHeld = await whileHeld(mailing, next ? { leaseUntil: next.dueAt } : end);
  // Somebody else ended it, and what was on its way then may have been stored after they counted.
  if (!wasHeld) return forgetCounts(mailing);
  if (next) return;
  log.info({ mailingId }, "mailing sent");
  const ended = await MailingModel.findOne({ ownerId, _id: mailingId }).lean();
  if (ended) await withCounts([ended]);
}
