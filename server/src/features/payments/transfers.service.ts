// Bank transfers, for the feature that reads statements of the bank.
import type { Payment, RecordPayment } from "@app/shared/payments";
import { RECEIVED_STATES } from "@app/shared/payment-states";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { confirmPayment, recordPayment } from "./manual-payments.ts";
import { PaymentModel } from "./payments.model.ts";

const FOUND_MAX = 500;

/** Money that stands on a statement: what was announced for the invoice came, or a payment of its own is recorded. */
export async function receiveTransfer(scope: Scope, transfer: Omit<RecordPayment, "method">): Promise<Payment> {
  const { invoiceId, ...money } = transfer;
  const announced = await PaymentModel.findOne({
    ownerId: scope.ownerId,
    invoiceId,
    status: "pending",
    isOnItsWay: true,
    method: "bank_transfer",
  }).lean();
  return announced && announced.tokenHash === undefined
    ? confirmPayment(scope, { id: announced._id, version: announced.version, ...money })
    : recordPayment(scope, { ...transfer, method: "bank_transfer" });
}

export interface TransferLike {
  id: string;
  amountMinor: number;
  currency: string;
  receivedOn: string;
  receiptNumber: string;
  invoiceNumber: string;
  payerName: string;
}

/** Those that came between these days with one of these amounts. */
export async function transfersLike(
  ownerId: string,
  { amounts, from, to }: { amounts: readonly number[]; from: string; to: string },
): Promise<TransferLike[]> {
  const docs = await PaymentModel.find({
    ownerId,
    method: "bank_transfer",
    status: mongoose.trusted({ $in: [...RECEIVED_STATES] }),
    amountMinor: mongoose.trusted({ $in: [...amounts] }),
    receivedOn: mongoose.trusted({ $gte: from, $lte: to }),
  })
    .limit(FOUND_MAX)
    .lean();
  return docs.map(({ _id: id, amountMinor, currency, receivedOn, receiptNumber, invoiceNumber, payerName }) => ({
    id,
    amountMinor,
    currency,
    receivedOn,
    receiptNumber,
    invoiceNumber,
    payerName,
  }));
}

/** What these payments are called, by their id. */
export async function paymentsByIds(
  ownerId: string,
  ids: readonly string[],
): Promise<Map<string, { invoiceNumber: string; receiptNumber: string }>> {
  const docs = await PaymentModel.find({ ownerId, _id: mongoose.trusted({ $in: [...ids] }) }).lean();
  return new Map(docs.map(({ _id, invoiceNumber, receiptNumber }) => [_id, { invoiceNumber, receiptNumber }]));
}
