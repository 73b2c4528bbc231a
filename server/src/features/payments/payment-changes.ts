// The one way in which a payment changes its state: from one that may lead there, with a line in the history.
import { formatMoney } from "@app/shared/money";
import { paymentStatesBefore, type PaymentState, whyPaymentNotBecome } from "@app/shared/payment-states";
import { type Attention, ATTENTION_WORDS } from "@app/shared/payments";
import { REGIONS } from "@app/shared/regions";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose, { type UpdateQuery } from "mongoose";
import { assertInTransaction } from "../../core/database.ts";
import { notFound, stale, wrongState } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvent } from "../history/history.service.ts";
import { type Applied, applyPayment } from "../invoices/invoices.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { goesByItself } from "./receipt-settings.ts";
import { type PaymentDoc, PaymentModel, ReceiptNumberModel } from "./payments.model.ts";

export async function findPaymentDoc(ownerId: string, id: string): Promise<PaymentDoc> {
  const doc = await PaymentModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Payment");
  return doc;
}

interface Move {
  to: PaymentState;
  /** From where, if not from any state that leads there. */
  from?: PaymentState;
  set?: UpdateQuery<PaymentDoc>["$set"];
  /** Only while this version is the newest, where a person decided by what they saw. */
  version?: number;
  /** For the history. */
  words: string;
  /** What the history names, where it is not all of the payment. */
  amountMinor?: number;
  /** Why somebody did it, as they wrote it. */
  reason?: string;
}

/** In the transaction of what it means; refuses with what may follow where it stands otherwise by now. */
export async function move(
  scope: Scope,
  id: string,
  { to, from, set = {}, version, words, amountMinor, reason = "" }: Move,
): Promise<PaymentDoc> {
  assertInTransaction();
  const { ownerId } = scope;
  const doc = await PaymentModel.findOneAndUpdate(
    {
      ownerId,
      _id: id,
      status: mongoose.trusted({ $in: from === undefined ? paymentStatesBefore(to) : [from] }),
      ...(version === undefined ? {} : { version }),
    },
    { $set: { ...set, status: to }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) {
    const refusal = whyPaymentNotBecome((await findPaymentDoc(ownerId, id)).status, to);
    throw refusal === null ? stale("payment") : wrongState(refusal);
  }
  await tellOfPayment(scope, amountMinor === undefined ? doc : { ...doc, amountMinor }, words, reason);
  return doc;
}

/** In the transaction in which it is received. */
export async function applyReceived(doc: PaymentDoc): Promise<Applied> {
  const { ownerId, _id, invoiceId, method, amountMinor, receivedOn: on } = doc;
  const applied = await applyPayment(ownerId, { invoiceId, paymentId: _id, method, amountMinor, on });
  await PaymentModel.updateOne({ ownerId, _id }, { $set: { ...applied, isReceiptDue: await goesByItself(doc) } });
  return applied;
}

/** For the practice: what a payer does or owes is told to nobody else. */
export async function tellOfPayment(scope: Scope, doc: PaymentDoc, words: string, reason = ""): Promise<void> {
  const said = `${words}: ${await amountOf(doc)} for ${forWhat(doc)}`;
  await recordEvent(scope, {
    kind: "payment",
    text: reason === "" ? said : `${said}. Why: ${reason}`,
    caseId: doc.caseId,
    clientIds: doc.payer.kind === "party" ? [doc.payer.clientId] : [],
    visibility: PRACTICE_ONLY,
    needs: "payments.read",
  });
}

export const forWhat = ({ invoiceNumber }: Pick<PaymentDoc, "invoiceNumber">): string =>
  invoiceNumber === "" ? "a booking" : `invoice ${invoiceNumber}`;

export const amountOf = async ({
  ownerId,
  amountMinor,
  currency,
}: Pick<PaymentDoc, "ownerId" | "amountMinor" | "currency">): Promise<string> =>
  formatMoney({ amountMinor, currency }, REGIONS[await practiceRegion(ownerId)].locale);

/** Marks what somebody has to look at, once for each reason, and asks somebody to. */
export async function needsLook(doc: PaymentDoc, attention: Attention): Promise<void> {
  assertInTransaction();
  const { ownerId, _id, caseId, payer } = doc;
  const { modifiedCount } = await PaymentModel.updateOne(
    { ownerId, _id, attentions: mongoose.trusted({ $ne: attention }) },
    { $push: { attentions: attention }, $inc: { version: 1 } },
  );
  if (modifiedCount === 0) return;
  const scope = systemScope(ownerId);
  await createTasks(scope, [
    {
      title: `Look at the payment for ${forWhat(doc)}: ${SHORT[attention]}`,
      dueOn: null,
      assigneeId: ownerId,
      caseId,
      clientId: payer.kind === "party" ? payer.clientId : null,
      needs: "payments.read",
    },
  ]);
}

const SHORT = {
  late: "it came late",
  paid_twice: "it was paid twice",
  amount_differs: "another amount or currency came",
  more_than_due: "more came than was due",
  refunded_elsewhere: "it was refunded with the provider",
  refund_failed: "a refund came back",
  refund_waits: "a refund does not go",
  credit_was_used: "it went back, and had been used for another invoice",
  disputed: "the payer disputes it",
  not_booked: "what it was paid for is not booked",
  booking_cancelled: "the booking was cancelled",
  dispute_lost: "the payer's bank took it back",
} as const satisfies Record<keyof typeof ATTENTION_WORDS, string>;

/** The next of the practice's own, in the transaction that gives it: none is left out, and none is given twice. */
export async function nextReceiptNumber(ownerId: string): Promise<string> {
  assertInTransaction();
  const counter = await ReceiptNumberModel.findOneAndUpdate(
    { _id: ownerId },
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: "after", lean: true },
  );
  if (!counter) throw new Error("no receipt number was given");
  return `R-${String(counter.last).padStart(5, "0")}`;
}
