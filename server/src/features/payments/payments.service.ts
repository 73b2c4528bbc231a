// What the practice sees of payments: of cases that whoever asks sees.
import { COUNT_MAX } from "@app/shared/pagination";
import { isReceived } from "@app/shared/payment-states";
import { CASE_PAYMENTS_MAX, type ListPayments, type Payment, type paymentPageSchema } from "@app/shared/payments";
import { PAGE_SIZE } from "@app/shared/product";
import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import { missingWith } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { literally } from "../../core/word-search.ts";
import { ofVisibleCases } from "../cases/case-places.service.ts";
import { getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { placeOf } from "../invoices/invoice-reading.service.ts";
import { findPaymentDoc } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel } from "./payments.model.ts";

export function toPayment(doc: PaymentDoc): Payment {
  return {
    ...doc,
    id: doc._id,
    refunds: doc.refunds.map((refund) => ({
      ...refund,
      method: refund.method ?? doc.method,
      on: refund.on ?? "",
      at: refund.at.toISOString(),
    })),
    correction: doc.correction ?? null,
    refundableMinor: refundableOf(doc),
    linkUntil: doc.linkUntil?.toISOString() ?? null,
    receiptSentAt: doc.receiptSentAt?.toISOString() ?? null,
    createdAt: doc.createdAt.toISOString(),
  };
}

/** What neither went back nor is going back. */
export function refundableOf({ status, amountMinor, refunds }: PaymentDoc): number {
  if (!isReceived(status)) return 0;
  const left = refunds.reduce((rest, one) => (one.status === "failed" ? rest : rest - one.amountMinor), amountMinor);
  return Math.max(0, left);
}

async function placesFilter(
  scope: Scope,
  { caseId, clientId }: Pick<ListPayments, "caseId" | "clientId">,
): Promise<QueryFilter<PaymentDoc>> {
  if (caseId !== undefined) return { caseId: (await getCase(scope, caseId)).id };
  if (clientId === undefined) return ofVisibleCases(scope);
  const cases = await listCasesOfClient(scope, clientId);
  return { caseId: mongoose.trusted({ $in: cases.map(({ id }) => id) }) };
}

const SEARCHED = ["payerName", "reference", "invoiceNumber", "receiptNumber"] as const;
const containing = (text: string) => mongoose.trusted({ $regex: literally(text), $options: "i" });

export async function listPayments(scope: Scope, input: ListPayments): Promise<z.infer<typeof paymentPageSchema>> {
  const { invoiceId, status, method, needsAttention, search, page } = input;
  const filter: QueryFilter<PaymentDoc> = {
    ownerId: scope.ownerId,
    ...(await placesFilter(scope, input)),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    ...(status === undefined ? {} : { status }),
    ...(method === undefined ? {} : { method }),
    ...(search === "" ? {} : { $or: SEARCHED.map((field) => ({ [field]: containing(search) })) }),
    ...(needsAttention ? { "attentions.0": mongoose.trusted({ $exists: true }) } : {}),
  };
  const [docs, total] = await Promise.all([
    PaymentModel.find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    PaymentModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return { items: docs.map(toPayment), total: Math.min(total, COUNT_MAX), isTotalExact: total <= COUNT_MAX };
}

/** The newest of a case, beside its invoices. */
export async function paymentsOfCase(
  scope: Scope,
  { caseId }: { caseId: string },
): Promise<{ items: Payment[]; isComplete: boolean }> {
  await getCase(scope, caseId);
  const docs = await PaymentModel.find({ ownerId: scope.ownerId, caseId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(CASE_PAYMENTS_MAX + 1)
    .lean();
  return { items: docs.slice(0, CASE_PAYMENTS_MAX).map(toPayment), isComplete: docs.length <= CASE_PAYMENTS_MAX };
}

/** A payment of a case that this person sees. */
export async function findVisiblePayment(scope: Scope, id: string): Promise<PaymentDoc> {
  const doc = await findPaymentDoc(scope.ownerId, id);
  await missingWith("Payment", placeOf(scope, doc.caseId));
  return doc;
}

export const getPayment = async (scope: Scope, id: string): Promise<Payment> =>
  toPayment(await findVisiblePayment(scope, id));

/** Somebody looked at what needed it. */
export async function setLooked(scope: Scope, id: string): Promise<Payment> {
  await findVisiblePayment(scope, id);
  await PaymentModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { attentions: [] }, $inc: { version: 1 } });
  return getPayment(scope, id);
}
