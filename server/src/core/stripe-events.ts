// What the card payment provider tells, each event once, whatever feature it is for: stored first, then settled until it
// is, by reading anew at the provider what it is about. So neither the order nor the number of events matters.
import mongoose, { type InferSchemaType, Schema } from "mongoose";
import { DAY_MS, HOUR_MS, MINUTE_MS, now, SECOND_MS } from "./clock.ts";
import { isDuplicateKey } from "./database.ts";
import { defineDueTime } from "./due-times.ts";
import type { Logger } from "./logger.ts";
import { defineRemoval, removeFrom } from "./removals.ts";
import { defineWorkTurns } from "./work-turns.ts";

const EVENTS_KEPT_MS = 30 * DAY_MS;
const FIRST_RETRY_MS = MINUTE_MS;
const RETRY_MAX_MS = HOUR_MS;
const DOUBLINGS_MAX = 9;
const FOUND_MAX = 500;
/** For a week: what is wrong for so long is found by comparing with the provider. */
const ATTEMPTS_MAX = 170;

const text = { type: String, default: "" };

const stripeEventSchema = new Schema(
  {
    _id: { type: String, required: true },
    type: { type: String, required: true },
    // The connected account in which it happened; empty for the installation's own.
    account: text,
    object_id: text,
    stripe_customer_id: text,
    state: { type: String, required: true, enum: ["received", "done", "ignored"] },
    attempts: { type: Number, default: 0 },
    retry_at: Date,
    received_at: { type: Date, required: true },
  },
  { collection: "stripe_events", versionKey: false },
);
stripeEventSchema.index({ received_at: 1, _id: 1 });
stripeEventSchema.index({ state: 1, received_at: 1 });
defineRemoval({
  of: "payment events",
  keptMs: EVENTS_KEPT_MS,
  remove: removeFrom("stripe_events", "received_at", { state: { $ne: "received" } }),
});
defineDueTime({
  of: "payment events that are tried again",
  times: ["StripeEvent.retry_at"],
  aheadMs: RETRY_MAX_MS,
  bringBack: (latest, at) =>
    StripeEventModel.updateMany({ retry_at: mongoose.trusted({ $gt: latest }) }, { $set: { retry_at: at } }),
});

/** Every event that was accepted, once: the provider repeats them for days. */
const StripeEventModel = mongoose.model("StripeEvent", stripeEventSchema);
export type StripeEvent = Pick<
  InferSchemaType<typeof stripeEventSchema>,
  "_id" | "type" | "account" | "object_id" | "stripe_customer_id"
>;

interface Settling {
  /** Whether events of this type, in an account of this kind, are this feature's. */
  takes: (event: StripeEvent) => boolean;
  /** Brings what it is about in line with the provider, as often as it is called; false where it is nobody's here. */
  settle: (event: StripeEvent, log: Logger) => Promise<boolean>;
  /** Settled before the provider is answered, which then repeats what failed. */
  isAwaited?: true;
}

const settlings: Settling[] = [];

/** Called once by each feature that hears of such events. */
export const defineStripeEvents = (settling: Settling): void => void settlings.push(settling);

const settlingOf = (event: StripeEvent): Settling | undefined => settlings.find(({ takes }) => takes(event));

const turns = defineWorkTurns({
  name: "settle payment events",
  everyMs: MINUTE_MS,
  atOnce: 4,
  ofPractice: 2,
  find: async () => (await findDue()).map(({ _id: id, account }) => ({ ownerId: account || "installation", id })),
  async work({ id }, _turn, log) {
    const event = await StripeEventModel.findOne({ _id: id, state: "received" }).lean();
    if (event) await settleOrWait(event, log);
    return null;
  },
});

function findDue(): Promise<StripeEvent[]> {
  const at = now();
  const due = { retry_at: mongoose.trusted({ $lte: at }) };
  return StripeEventModel.find({ state: "received", $or: [due, { retry_at: null }] })
    .sort({ received_at: 1 })
    .limit(FOUND_MAX)
    .lean();
}

/** All that is due by now, here and now. */
export const settleDueEvents = (log: Logger): Promise<void> => turns.onAllDue(log);

/** Takes in an event that was signed. Gives whether some feature here hears of it. */
export async function takeEvent(event: StripeEvent, log: Logger): Promise<boolean> {
  const settling = settlingOf(event);
  if (!settling) return false;
  if (!(await isToDo(event))) return true;
  if (settling.isAwaited) await settle(event, log);
  else turns.add({ ownerId: event.account || "installation", id: event._id });
  return true;
}

/** Stores the event before it is settled; one that was settled already is not to be done again. */
async function isToDo(event: StripeEvent): Promise<boolean> {
  const at = now();
  const retryAt = new Date(at.getTime() + FIRST_RETRY_MS);
  try {
    await StripeEventModel.create([{ ...event, state: "received", received_at: at, retry_at: retryAt }]);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await StripeEventModel.exists({ _id: event._id, state: "received" })) !== null;
  }
}

async function settle(event: StripeEvent, log: Logger): Promise<void> {
  const isOurs = (await settlingOf(event)?.settle(event, log)) ?? false;
  if (!isOurs) log.warn({ eventId: event._id, type: event.type }, "payment event of nobody here ignored");
  await StripeEventModel.updateOne({ _id: event._id }, { $set: { state: isOurs ? "done" : "ignored" } });
}

/** What fails is tried again, later each time: the provider may only have been away. */
async function settleOrWait(event: StripeEvent & { attempts?: number }, log: Logger): Promise<void> {
  try {
    await settle(event, log);
  } catch (error) {
    const attempts = (event.attempts ?? 0) + 1;
    if (attempts >= ATTEMPTS_MAX) {
      log.error({ err: error, eventId: event._id, type: event.type, attempts }, "payment event given up");
      return void (await StripeEventModel.updateOne({ _id: event._id }, { $set: { state: "ignored", attempts } }));
    }
    const waitMs = Math.min(10 * SECOND_MS * 2 ** Math.min(attempts, DOUBLINGS_MAX), RETRY_MAX_MS);
    log.error({ err: error, eventId: event._id, type: event.type, attempts }, "payment event could not be settled yet");
    const retryAt = new Date(now().getTime() + waitMs);
    await StripeEventModel.updateOne({ _id: event._id }, { $set: { attempts, retry_at: retryAt } });
  }
}
