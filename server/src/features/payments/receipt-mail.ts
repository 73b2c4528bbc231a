// The receipt by mail, to whoever paid and nobody else: when somebody sends it, or by itself where the practice chose that.
import { cutText } from "@app/shared/cut-text";
import { isReceived } from "@app/shared/payment-states";
import type { Payment } from "@app/shared/payments";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import mongoose from "mongoose";
import { MINUTE_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { doOnce } from "../../core/once.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { mailToPayer, type Reached, reachedBy, whyNotUnasked } from "../invoices/payer-mail.service.ts";
import { defineLeavingLetter } from "../outbox/leaving-letters.service.ts";
import { type NewMailContent, queueMail } from "../outbox/outbox.service.ts";
import { defineSentLetterFollower } from "../outbox/sent-letters.service.ts";
import { practiceNameOf, practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { type ForParty, mapFor, openFor } from "../visibility/for-party.service.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";
import { findVisiblePayment, getPayment } from "./payments.service.ts";
import { drawReceipt, type Receipt, receiptDocument, receiptOf } from "./receipts.ts";

const MAILS_KEPT = 20;

/** With its paper; drawn before the transaction that stores it. */
export async function receiptMail(scope: Scope, doc: PaymentDoc, to: Reached): Promise<ForParty<NewMailContent>> {
  const sealed = await receiptOf(doc);
  const receipt = openFor(sealed, {});
  const bytes = await drawReceipt(ofPerson(scope), await receiptDocument(doc.ownerId, receipt));
  const text = textOf(receipt, { name: to.name, practiceName: await practiceNameOf(doc.ownerId) });
  const attachment = { name: `receipt-${receipt.number}.pdf`, bytes };
  return mapFor(sealed, () => mailToPayer(scope, doc, { to, subject: `Receipt ${receipt.number}`, text, attachment }));
}

function textOf(
  { amount, receivedOn, invoiceNumber, returned }: Receipt,
  { name, practiceName }: { name: string; practiceName: string },
): string {
  const wentBack = returned === "" ? "" : ` ${returned} of it was returned to you.`;
  return [
    `Dear ${name},`,
    "",
    `thank you. Your payment of ${amount} for invoice ${invoiceNumber} reached us on ${receivedOn}.${wentBack} The receipt is attached.`,
    "",
    "If you have a question, answer this message or phone us.",
    "",
    practiceName,
  ].join("\n");
}

/** In a transaction: stores it for delivery, and keeps what it was. */
async function queueReceipt(scope: Scope, doc: PaymentDoc, content: ForParty<NewMailContent>): Promise<void> {
  const { id } = await queueMail(scope, { purpose: "letter", content });
  await PaymentModel.updateOne(
    { ownerId: scope.ownerId, _id: doc._id },
    { $set: { isReceiptDue: false }, $push: { receiptMailIds: { $each: [id], $slice: -MAILS_KEPT } } },
  );
}

/** Once for each id that its sender chose. It leaves through the outbox and its gate. */
export const sendReceipt = (scope: Scope, { id, changeId }: { id: string; changeId: string }): Promise<Payment> =>
  doOnce(
    scope,
    { id: changeId, input: { id }, what: "payments.sendReceipt" },
    {
      make: async (keep) => {
        const doc = await findVisiblePayment(scope, id);
        if (!isReceived(doc.status)) throw wrongState("Nothing was received by this payment, so it has no receipt.");
        const to = await reachedBy(scope, doc);
        if (to.whyNot) throw wrongState(`This receipt was not sent to ${to.name}: ${to.whyNot}`);
        const mail = await receiptMail(scope, doc, to);
        await inTransaction(async () => {
          await keep(id);
          await queueReceipt(scope, doc, mail);
        });
        return getPayment(scope, id);
      },
      look: (madeId) => getPayment(scope, madeId),
    },
  );

/** Those that go by themselves: each once, in whichever process. */
export const sendDueReceipts = defineDueItems<PaymentDoc>({
  name: "send receipts",
  everyMs: MINUTE_MS,
  owners: () => PaymentModel.distinct("ownerId", { isReceiptDue: true }).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    PaymentModel.find({ ownerId, isReceiptDue: true, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ createdAt: 1, _id: 1 })
      .limit(max)
      .lean<PaymentDoc[]>(),
  work: sendByItself,
  tell: (doc) => askToSend(doc, "look at it: the mail could not be written"),
});

async function sendByItself(doc: PaymentDoc): Promise<void> {
  const { ownerId, _id } = doc;
  const scope = systemScope(ownerId);
  const isWanted = doc.status !== "refunded" && doc.receiptMailIds.length === 0;
  const to = await reachedBy(scope, doc);
  const whyNot = to.whyNot || (await whyNotUnasked(doc, to));
  const mail = isWanted && !whyNot ? await receiptMail(scope, doc, to) : null;
  await inTransaction(async () => {
    const mine = await PaymentModel.updateOne({ ownerId, _id, isReceiptDue: true }, { $set: { isReceiptDue: false } });
    if (mine.modifiedCount === 0 || !isWanted) return;
    if (mail) await queueReceipt(scope, doc, mail);
    else await askToSend(doc, `send it to ${to.name}: ${whyNot}`);
  });
}

async function askToSend(doc: PaymentDoc, what: string): Promise<void> {
  const { ownerId, caseId, payer, receiptNumber } = doc;
  await createTasks(systemScope(ownerId), [
    {
      title: cutText(`Receipt ${receiptNumber}: ${what}`, TASK_TITLE_MAX_LENGTH),
      dueOn: await practiceToday(ownerId),
      assigneeId: doc.createdBy,
      caseId,
      clientId: payer.kind === "party" ? payer.clientId : null,
      needs: "payments.read",
    },
  ]);
}

// Only what has left was sent.
defineSentLetterFollower(async ({ ownerId, mailId, sentAt }) => {
  await PaymentModel.updateOne({ ownerId, receiptMailIds: mailId }, { $set: { receiptSentAt: sentAt } });
});

// For what was all returned while its mail waited nobody is thanked.
defineLeavingLetter(async ({ ownerId, mailId }) => {
  const doc = await PaymentModel.findOne({ ownerId, receiptMailIds: mailId }).lean();
  return doc?.status === "refunded" ? { stays: "superseded", reason: "The payment was returned meanwhile." } : null;
});
