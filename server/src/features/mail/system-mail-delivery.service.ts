import { setTimeout as sleep } from "node:timers/promises";
import mongoose, { type QueryFilter } from "mongoose";
import { z } from "zod";
import { cutText } from "@app/shared/cut-text";
import { foldEmail } from "@app/shared/email-address";
import { PRODUCT_NAME } from "@app/shared/product";
import { apart } from "../../core/apart.ts";
import { outOfTurn } from "../../core/call-turns.ts";
import { withoutCaller } from "../../core/caller.ts";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { decrypt } from "../../core/crypto.ts";
import { counted, DiedOverError, forgetDeaths, NotNowError } from "../../core/deaths.ts";
import { isBusy } from "../../core/errors.ts";
import { fairTurns, inTurn } from "../../core/fair-turns.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { abandonedAmong, type Hold, whileHeld } from "../../core/holding.ts";
import { defineJob, defineRepeatedJob, defineWorker } from "../../core/jobs.ts";
import type { Logger } from "../../core/logger.ts";
import { afterCommit } from "../../core/open-transaction.ts";
import { SendError } from "./senders/sender.service.ts";
import { type SystemMailDoc, SystemMailBodyModel, SystemMailModel } from "./system-mail.model.ts";
import { canLeave, sendSystemMailTo } from "./system-mail-senders.service.ts";
import { bodyPlace, storeSystemMail, type SystemMail } from "./system-mail.service.ts";

const ATTEMPTS_MAX = 3;
const RETRY_MS = [MINUTE_MS, 10 * MINUTE_MS];
const LATER_MAX_MS = 10 * MINUTE_MS;
// Whoever waits for a mail to leave waits so long, and hears of the rest in the outbox.
const PATIENCE_MS = 6000;
const REASON_MAX_LENGTH = 300;
const AT_ONCE = 100;

/** Mail to addresses without an account, whose servers may keep us waiting, takes no place of those that have one. */
const takeTurn = {
  ofPractices: fairTurns({ atOnce: 12, ofOne: 3 }),
  ofNoAccount: fairTurns({ atOnce: 8, ofOne: 2 }),
};
const begun = new Map<string, Promise<unknown>>();

const deliverOne = defineJob({
  name: "deliver system mail",
  data: z.object({ id: z.string() }),
  run: ({ id }, log) => beginThose({ _id: id }, log),
});

/** What was begun when the server stops comes to its end, within the time that stopping takes. */
defineWorker({ start: () => undefined, stop: async () => void (await Promise.allSettled(begun.values())) });

/** Begins a try of each in its turn; nobody waits for those that are slow. */
async function beginThose(filter: QueryFilter<SystemMailDoc>, log: Logger): Promise<void> {
  const mails = await SystemMailModel.find(filter, { owner_id: 1, to: 1 }).sort({ due_at: 1 }).limit(AT_ONCE).lean();
  for (const mail of mails) begin(mail, log);
}

function begin({ _id, owner_id, to }: Pick<SystemMailDoc, "_id" | "owner_id" | "to">, log: Logger): void {
  if (begun.has(_id)) return;
  const domain = foldEmail(to).split("@").at(-1) ?? "";
  const [take, asker] = owner_id
    ? [takeTurn.ofPractices, { group: owner_id, one: "" }]
    : [takeTurn.ofNoAccount, { group: "", one: domain }];
  // Its next try brings it back; what it says of itself stands in the outbox.
  const setAside = () => Promise.resolve();
  const work = () => apart(() => deliver(_id, log), { item: { mailId: _id }, log, setAside, putBack: setAside });
  const done = withoutCaller(() => inTurn(take, asker, work))
    .catch((error: unknown) => log.error({ err: error, mailId: _id }, "system mail failed"))
    .finally(() => begun.delete(_id));
  begun.set(_id, done);
}

defineRepeatedJob({ name: "deliver waiting system mails", everyMs: MINUTE_MS, run: deliverWaiting });

defineDueTime({
  of: "system mail",
  times: ["SystemMail.due_at"],
  aheadMs: LATER_MAX_MS,
  bringBack: (latest, at) =>
    SystemMailModel.updateMany(
      { state: "queued", due_at: mongoose.trusted({ $gt: latest }) },
      { $set: { due_at: at } },
    ),
});

/** Stores a mail of the product itself and has it delivered in the background. */
export async function queueSystemMail(mail: SystemMail, log: Logger): Promise<void> {
  const isLeaving = await canLeave(mail);
  const { id } = await storeSystemMail(mail, isLeaving, log);
  if (isLeaving) await afterCommit(() => deliverOne.enqueue({ id }));
}

/** Stores a mail and tries to deliver it at once; `outcomeOf` says what became of it so far. */
export async function sendSystemMail(mail: SystemMail, log: Logger): Promise<void> {
  const isLeaving = await canLeave(mail);
  const { id } = await storeSystemMail(mail, isLeaving, log);
  if (isLeaving) await outOfTurn(() => Promise.race([deliver(id, log), sleep(PATIENCE_MS, false, { ref: false })]));
}

export interface Outcome {
  /** A try is over, or was never to be made. */
  isTried: boolean;
  isSent: boolean;
  /** About when it is tried for the last time; null where it is sent or given up. */
  triedUntil: Date | null;
}

/** What became of a mail of this practice; "not yet" is neither sent nor given up. */
export async function outcomeOf(ownerId: string, id: string): Promise<Outcome> {
  const kept = { state: 1, attempts: 1, due_at: 1 };
  const mail = await SystemMailModel.findOne({ _id: id, owner_id: ownerId }, kept).lean();
  if (!mail) return { isTried: false, isSent: false, triedUntil: null };
  const { state, attempts, due_at } = mail;
  const isWaiting = state === "queued" || state === "sending";
  const begun = state === "sending" ? attempts - 1 : attempts;
  const from = state === "sending" ? now() : due_at;
  const leftMs = RETRY_MS.slice(begun).reduce((sum, ms) => sum + ms, 0);
  return {
    isTried: !isWaiting || begun > 0,
    isSent: state === "sent",
    triedUntil: isWaiting ? new Date(from.getTime() + leftMs) : null,
  };
}

async function deliverWaiting(log: Logger): Promise<void> {
  const sending = await SystemMailModel.find({ state: "sending" }, { heldBy: 1 }).limit(AT_ONCE).lean();
  const left = (await abandonedAmong(sending)).map(({ _id }) => _id);
  if (left.length > 0) await beginThose({ _id: mongoose.trusted({ $in: left }) }, log);
  await beginThose(dueNow(), log);
}

const dueNow = () => ({ state: "queued" as const, due_at: mongoose.trusted({ $lte: now() }) });

/** One try, by whoever takes it first; false where it did not leave. */
const deliver = (id: string, log: Logger): Promise<boolean> =>
  whileHeld(async (hold) => {
    const mail = await take(id, hold);
    return mail !== null && deliverTaken(mail, log);
  });

async function take(_id: string, { by }: Hold): Promise<SystemMailDoc | null> {
  const left = await abandonedAmong(await SystemMailModel.find({ _id, state: "sending" }, { heldBy: 1 }).lean());
  const [from = dueNow()] = left.map(({ heldBy }) => ({ state: "sending" as const, heldBy }));
  return SystemMailModel.findOneAndUpdate(
    { _id, ...from },
    { $set: { state: "sending", heldBy: by }, $inc: { attempts: 1 } },
    { returnDocument: "after", lean: true },
  );
}

async function deliverTaken(mail: SystemMailDoc, log: Logger): Promise<boolean> {
  const id = mail._id;
  try {
    await counted(`system mail:${id}`, () => hand(mail));
  } catch (error) {
    const isToWait = isBusy(error) || error instanceof NotNowError;
    await (isToWait ? putBack(mail, log) : noteFailure(mail, error, log));
    if (error instanceof DiedOverError) await forgetDeaths(error);
    return false;
  }
  await SystemMailModel.updateOne({ _id: id }, { $set: { state: "sent", reason: "" } });
  await SystemMailBodyModel.deleteOne({ _id: id });
  log.info({ mailId: id }, "system mail sent");
  return true;
}

async function hand(mail: SystemMailDoc): Promise<void> {
  const body = await SystemMailBodyModel.findById(mail._id).lean();
  if (!body || body.expires_at <= now()) throw new Error("The links in it have expired.");
  const byMailboxOf = mail.by_mailbox_of;
  await sendSystemMailTo(
    {
      ownerId: mail.owner_id ?? null,
      to: mail.to,
      isOfForm: mail.is_of_form ?? false,
      ...(byMailboxOf ? { byMailboxOf } : {}),
    },
    {
      fromName: PRODUCT_NAME,
      toName: "",
      cc: [],
      subject: mail.subject,
      body: decrypt(body.text_enc, bodyPlace(mail._id)),
      isHtml: false,
      attachments: [],
      messageId: mail.message_id,
      headers: { "Auto-Submitted": "auto-generated" },
      calendar: null,
    },
  );
}

/** There was no room for it yet, which is no fault of the mail: no try is counted. */
async function putBack({ _id, heldBy }: SystemMailDoc, log: Logger): Promise<void> {
  const back = { $set: { state: "queued" as const, due_at: now() }, $inc: { attempts: -1 } };
  await SystemMailModel.updateOne({ _id, heldBy, state: "sending" }, back);
  log.warn({ mailId: _id }, "system mail put back, because there was no room for it yet");
}

async function noteFailure(mail: SystemMailDoc, error: unknown, log: Logger): Promise<void> {
  const reason = cutText(error instanceof Error ? error.message : String(error), REASON_MAX_LENGTH);
  // A mail that may have arrived is not sent again by itself.
  const isLost = error instanceof DiedOverError || (error instanceof SendError && error.isUncertain);
  const isOver = mail.attempts >= ATTEMPTS_MAX || isLost;
  const delayMs = RETRY_MS[mail.attempts - 1] ?? LATER_MAX_MS;
  await SystemMailModel.updateOne(
    { _id: mail._id, heldBy: mail.heldBy, state: "sending" },
    { $set: { state: isOver ? "failed" : "queued", reason, due_at: new Date(now().getTime() + delayMs) } },
  );
  log.warn({ mailId: mail._id, attempts: mail.attempts, isOver, err: error }, "system mail not delivered");
}
