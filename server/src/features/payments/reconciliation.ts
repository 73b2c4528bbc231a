// Compares what the practice has recorded with what the provider has, every night and whenever somebody asks, and puts
// right what differs: an event that never came, or a process that died between the provider's answer and ours.
import type { Reconciliation } from "@app/shared/payments";
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { owned } from "../../core/owned.ts";
import { fromStripe } from "../../core/stripe.ts";
import { settings } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineWorkTurns } from "../../core/work-turns.ts";
import { cardAccountOf } from "../payment-accounts/payment-accounts.service.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";
import { askForRefund } from "./refunds.ts";
import { syncPayment } from "./settle-payment.ts";

const LOOKED_BACK_MS = 4 * DAY_MS;
const EVERY_MS = DAY_MS;
const PAYMENTS_MAX = 500;
const SESSIONS_MAX = 100;
/** What was asked for just now is still being answered. */
const ANSWERED_MS = MINUTE_MS;

type Repaired = Reconciliation["repaired"];

interface Run {
  ownerId: string;
  checked: number;
  unread: number;
  repaired: Repaired;
  log: Logger;
  /** Somebody waits, and has waited long enough: the rest is looked at at night. */
  isOver: () => boolean;
}

/** Every payment by card that may still change, or changed of late, and every page that the provider was asked for. */
export async function reconcile(ownerId: string, log: Logger, forMs = Infinity): Promise<Reconciliation> {
  const end = performance.now() + forMs;
  const isOver = () => performance.now() > end;
  const run: Run = { ownerId, checked: 0, unread: 0, repaired: [], log, isOver };
  await findLostSessions(run);
  const since = new Date(now().getTime() - LOOKED_BACK_MS);
  const mayChange = { status: mongoose.trusted({ $in: ["created", "pending", "failed"] as const }) };
  const isAsked = { "refunds.status": mongoose.trusted({ $in: ["asked", "pending"] as const }) };
  const isByLink = { attempt: mongoose.trusted({ $ne: null }) };
  const isPaid = { intentId: mongoose.trusted({ $type: "string" as const }) };
  const isNew = { createdAt: mongoose.trusted({ $gte: since }) };
  const docs = await PaymentModel.find({
    ownerId,
    $and: [{ $or: [isByLink, isPaid] }, { $or: [mayChange, isAsked, isNew] }],
  })
    .sort({ createdAt: -1 })
    .limit(PAYMENTS_MAX)
    .lean();
  for (const doc of docs) await attempt(run, () => reconcileOne(run, doc));
  const at = now();
  await ReconciliationModel.updateOne(
    { ownerId, _id: ownerId },
    { $set: { at, checked: run.checked, unread: run.unread, repaired: run.repaired.slice(0, 100) } },
    { upsert: true },
  );
  if (run.repaired.length > 0) log.warn({ ownerId, repaired: run.repaired }, "payments differed from the provider");
  return { at: at.toISOString(), checked: run.checked, unread: run.unread, repaired: run.repaired };
}

/** One that cannot be read does not stop the others. */
async function attempt(run: Run, work: () => Promise<void>): Promise<void> {
  if (run.isOver()) return void (run.unread += 1);
  try {
    await work();
  } catch (error) {
    run.unread += 1;
    run.log.error({ err: error, ownerId: run.ownerId }, "a payment could not be compared with the provider");
  }
}

async function reconcileOne(run: Run, { _id: id, refunds }: PaymentDoc): Promise<void> {
  const ref = { ownerId: run.ownerId, id };
  run.checked += 1;
  const before = now().getTime() - ANSWERED_MS;
  const words = await syncPayment(ref);
  for (const refund of refunds)
    if (refund.status === "asked" && refund.at.getTime() < before) {
      await askForRefund(ref, refund.id);
      words.push("refund asked for again");
    }
  run.repaired.push(...words.map((each) => ({ paymentId: id, words: each })));
}

/** Pages that were made, and whose making we did not live to store. */
async function findLostSessions(run: Run): Promise<void> {
  const account = await cardAccountOf(run.ownerId);
  if (!account) return;
  const gte = Math.floor((now().getTime() - LOOKED_BACK_MS) / 1000);
  await attempt(run, async () => {
    const { data } = await fromStripe(
      ({ checkout }) => checkout.sessions.list({ created: { gte }, limit: SESSIONS_MAX }),
      account.account,
    );
    for (const { id: sessionId, metadata } of data) {
      const { paymentId = "", ownerId } = metadata ?? {};
      if (ownerId !== run.ownerId) continue;
      const doc = await PaymentModel.findOne({ ownerId, _id: paymentId }).lean();
      if (!doc || doc.sessionIds.includes(sessionId)) continue;
      const words = await syncPayment({ ownerId, id: paymentId }, [sessionId]);
      run.repaired.push({ paymentId, words: ["page found", ...words].join(", ") });
    }
  });
}

interface ReconciliationDoc {
  _id: string;
  ownerId: string;
  at: Date;
  checked: number;
  unread: number;
  repaired: Repaired;
}

const reconciliationMongooseSchema = new mongoose.Schema<ReconciliationDoc>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    checked: { type: Number, required: true },
    unread: { type: Number, required: true },
    repaired: [{ _id: false, paymentId: String, words: String }],
  },
  { collection: "payment_reconciliations", versionKey: false },
);
reconciliationMongooseSchema.plugin(owned);

/** The last one, by owner. */
const ReconciliationModel = mongoose.model("PaymentReconciliation", reconciliationMongooseSchema);

export const lastReconciliation = async ({ ownerId }: Scope): Promise<Reconciliation | null> => {
  const doc = await ReconciliationModel.findOne({ ownerId, _id: ownerId }).lean();
  return doc && { at: doc.at.toISOString(), checked: doc.checked, unread: doc.unread, repaired: doc.repaired };
};

/** Practices that were paid by link, and whose last comparison is a day old. */
async function dueOwners(): Promise<string[]> {
  if (settings().STRIPE_MODE === "none") return [];
  const owners = await PaymentModel.distinct("ownerId", { attempt: mongoose.trusted({ $ne: null }) }).setOptions({
    anyOwner: true,
  });
  const since = mongoose.trusted({ $gt: new Date(now().getTime() - EVERY_MS), $lte: now() });
  const done = new Set(await ReconciliationModel.distinct("_id", { at: since }).setOptions({ anyOwner: true }));
  return owners.filter((ownerId) => !done.has(ownerId));
}

export const nightly = defineWorkTurns({
  name: "compare payments with the provider",
  everyMs: HOUR_MS,
  atOnce: 1,
  ofPractice: 1,
  find: async () => (await dueOwners()).map((ownerId) => ({ ownerId, id: "" })),
  async work({ ownerId }, _turn, log) {
    await reconcile(ownerId, log);
    return null;
  },
});
