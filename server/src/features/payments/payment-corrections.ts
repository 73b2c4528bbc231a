// What was recorded by hand and never was: a slip, or a cheque that the bank did not honour. It is no refund, because nothing
// is given back: the book gets an entry that puts it right, and its receipt is void.
import { correctedState } from "@app/shared/payment-states";
import { CORRECTION_NAMES, type CorrectPayment, type Payment } from "@app/shared/payments";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { correctPayment as bookOut } from "../invoices/money-back.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { findPaymentDoc, move, needsLook } from "./payment-changes.ts";
import type { PaymentDoc } from "./payments.model.ts";
import { findVisiblePayment, getPayment } from "./payments.service.ts";

export async function correctPayment(scope: Scope, input: CorrectPayment): Promise<Payment> {
  const { id, version, why, on, reason } = input;
  const { ownerId, userId: by, userName: byName } = scope;
  const { invoiceId } = await findVisiblePayment(scope, id);
  await assertNotLater(scope, "on", on);
  return inTransaction(async () => {
    await lockInvoice(ownerId, invoiceId);
    const doc = await findPaymentDoc(ownerId, id);
    assertCorrectable(doc);
    const { method, amountMinor, receivedOn } = doc;
    if (on < receivedOn) throw badField("on", "This is before the day on which it was received. Enter a later one.");
    const after = await move(scope, id, {
      to: correctedState(why),
      from: "succeeded",
      version,
      set: { correction: { why, on, reason, by, byName } },
      words: CORRECTION_NAMES[why],
      reason,
    });
    const { lackedMinor } = await bookOut(ownerId, { invoiceId, paymentId: id, method, amountMinor, on });
    if (lackedMinor > 0) await needsLook(after, "credit_was_used");
    return getPayment(scope, id);
  });
}

function assertCorrectable({ intentId, status, refunds }: PaymentDoc): void {
  if (intentId !== undefined)
    throw wrongState("The card payment provider received this, so it is no mistake of yours. Refund it instead.");
  if (refunds.some((refund) => refund.status !== "failed"))
    throw wrongState("Part of this payment was returned, so it was there. Return the rest of it instead.");
  if (status !== "succeeded") throw wrongState("This payment is not received, so there is nothing to take back.");
}
