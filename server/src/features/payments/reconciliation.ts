// Compares what the practice has recorded with what the provider has, every night and whenever somebody asks, and puts
// right what differs: an event that never came, or a process that died between the provider's answer and ours.
import type { Reconciliation } from "@app/shared/payments";
import mongoose from "mongoose";
import type Stripe from "stripe";
import { DAY_MS, HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import { owned } from "../../core/owned.ts";
import { everyPage, fromStripe } from "../../core/stripe.ts";
import { settings } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineWorkTurns } from "../../core/work-turns.ts";
import { cardAccountOf } from "../payment-accounts/payment-accounts.service.ts";
import { findPaymentDoc } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";
import { disputeOf, stateOf } from "./provider-refunds.ts";
import { askOnceMore } from "./refunds.ts";
import { syncPayment } from "./settle-payment.ts";

/** What was paid of late is read again, whatever was told of it. */
const LOOKED_BACK_MS = 4 * DAY_MS;
/** So old the provider's pages may be that are looked through: a bank debit takes weeks at most. */
const SESSIONS_BACK_MS = 35 * DAY_MS;
/** A refund fails, and a dispute is lost, months after it was paid. */
const REFUNDS_BACK_MS = 180 * DAY_MS;
const EVERY_MS = DAY_MS;
const READ_MAX = 20_000;
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
  /** Those that were read in this run. */
  done: Set<string>;
}

/** Every payment by card that may still change, however old, and whatever the provider did of late. */
export async function reconcile(ownerId: string, log: Logger, forMs = Infinity): Promise<Reconciliation> {
  const end = performance.now() + forMs;
  const isOver = () => performance.now() > end;
  const run: Run = { ownerId, checked: 0, unread: 0, repaired: [], log, isOver, done: new Set() };
  await findLostSessions(run);
  for (const id of await idsToCompare(ownerId)) await attempt(run, () => reconcileOne(run, id));
  for (const account of await accountsOf(ownerId)) await attempt(run, () => findLostMoney(run, account));
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

async function idsToCompare(ownerId: string): Promise<string[]> {
  const since = new Date(now().getTime() - LOOKED_BACK_MS);
  const mayChange = { status: mongoose.trusted({ $in: ["created", "pending", "failed"] as const }) };
  const isAsked = { "refunds.status": mongoose.trusted({ $in: ["asked", "pending"] as const }) };
  const isByLink = { attempt: mongoose.trusted({ $ne: null }) };
  const isPaid = { intentId: mongoose.trusted({ $type: "string" as const }) };
  const isNew = { createdAt: mongoose.trusted({ $gte: since }) };
  const found = await PaymentModel.find(
    { ownerId, $and: [{ $or: [isByLink, isPaid] }, { $or: [mayChange, isAsked, isNew] }] },
    { _id: 1 },
  )
    .sort({ createdAt: -1 })
    .lean();
  return found.map(({ _id }) => _id);
}

async function reconcileOne(run: Run, id: string): Promise<void> {
  if (run.done.has(id)) return;
  run.done.add(id);
  const ref = { ownerId: run.ownerId, id };
  run.checked += 1;
  const before = now().getTime() - ANSWERED_MS;
  const words = await syncPayment(ref);
  const { refunds } = await findPaymentDoc(run.ownerId, id);
  for (const refund of refunds)
    if (refund.status === "asked" && refund.at.getTime() < before) {
      await askOnceMore(ref, refund);
      words.push("refund asked for again");
    }
  run.repaired.push(...words.map((each) => ({ paymentId: id, words: each })));
}

/** Where it is paid now, and was before. */
async function accountsOf(ownerId: string): Promise<string[]> {
  const current = await cardAccountOf(ownerId);
  const paid = { ownerId, intentId: mongoose.trusted({ $type: "string" as const }) };
  const before = await PaymentModel.distinct("account", paid);
  return [...new Set([...(current ? [current.account] : []), ...before])];
}

const sinceSeconds = (ms: number): number => Math.floor((now().getTime() - ms) / 1000);

/** Pages that were made and whose making we did not live to store, and those that were paid though nobody waited for it. */
async function findLostSessions(run: Run): Promise<void> {
  const account = await cardAccountOf(run.ownerId);
  if (!account) return;
  const created = { gte: sinceSeconds(SESSIONS_BACK_MS) };
  await attempt(run, async () => {
    const data = await fromStripe(
      ({ checkout }) => everyPage((page) => checkout.sessions.list({ created, ...page }), READ_MAX),
      account.account,
    );
    for (const session of data) await attempt(run, () => takeInSession(run, session));
  });
}

async function takeInSession(run: Run, { id: sessionId, status, metadata }: Stripe.Checkout.Session): Promise<void> {
  const { paymentId = "", ownerId } = metadata ?? {};
  if (ownerId !== run.ownerId) return;
  const doc = await PaymentModel.findOne({ ownerId, _id: paymentId }).lean();
  if (!doc) return;
  const isKnown = doc.sessionIds.includes(sessionId);
  // What nobody waits for any more can have been paid late.
  const isOver = doc.status === "cancelled" || doc.status === "expired";
  if (isKnown && !(isOver && status === "complete")) return;
  const words = await syncPayment({ ownerId, id: paymentId }, [sessionId]);
  if (!isKnown || words.length > 0)
    run.repaired.push({ paymentId, words: [...(isKnown ? [] : ["page found"]), ...words].join(", ") });
}

/** Refunds and disputes that stand otherwise here, whenever their payment was made. */
async function findLostMoney(run: Run, account: string): Promise<void> {
  const created = { gte: sinceSeconds(REFUNDS_BACK_MS) };
  const found = await fromStripe(
    async ({ refunds, disputes }) => [
      ...(await everyPage((page) => refunds.list({ created, ...page }), READ_MAX)),
      ...(await everyPage((page) => disputes.list({ created, ...page }), READ_MAX)),
    ],
    account,
  );
  for (const one of found)
    await attempt(run, async () => {
      const { payment_intent: intent } = one;
      const intentId = typeof intent === "string" ? intent : (intent?.id ?? "");
      const doc = await PaymentModel.findOne({ ownerId: run.ownerId, account, intentId }).lean();
      if (doc && isOtherwiseHere(doc, one)) await reconcileOne(run, doc._id);
    });
}

function isOtherwiseHere(doc: PaymentDoc, one: Stripe.Refund | Stripe.Dispute): boolean {
  const known = doc.refunds.find(({ providerId }) => providerId === one.id);
  if (one.object === "refund") return known ? known.status !== stateOf(one) : stateOf(one) !== "failed";
  return doc.dispute !== disputeOf([one]) || (one.status === "lost" && known?.status !== "succeeded");
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
