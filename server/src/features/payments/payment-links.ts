// The link by which an invoice is paid by card: ours, because what the provider opens is over after a day.
import type { InvoiceForPayment } from "@app/shared/invoices";
import { mayPaymentBecome, paymentStatesBefore } from "@app/shared/payment-states";
import { LINK_DAYS_DEFAULT, type PaymentLink } from "@app/shared/payments";
import { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { wrongState } from "../../core/errors.ts";
import { newId, newToken } from "../../core/ids.ts";
import { publicUrl } from "../../core/settings.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { lockInvoice } from "../invoices/invoices.service.ts";
import { definePayLink } from "../invoices/pay-links.service.ts";
import { cardAccountOf, requireCardAccount } from "../payment-accounts/payment-accounts.service.ts";
import { hasOpenPayment, insertPayment, requireInvoice } from "./new-payments.ts";
import { cardMinimum } from "./card-minimums.ts";
import { amountOf, findPaymentDoc, move, tellOfPayment } from "./payment-changes.ts";
import { type PaymentDoc, PaymentModel, sealToken, tokenOf } from "./payments.model.ts";
import { toPayment } from "./payments.service.ts";
import { stopPaying } from "./closing-pages.ts";

const pathOf = (token: string): string => `/pay/${token}`;

/** Where this payment is paid; empty where it is by no link. */
export function payPathOf(doc: PaymentDoc): string {
  const token = tokenOf(doc);
  return token === "" ? "" : pathOf(token);
}

interface Asked {
  invoiceId: string;
  days: number;
}

/** The same link for as long as it is open, with as many days from now. */
export async function checkoutLink(scope: Scope, { invoiceId, days }: Asked): Promise<PaymentLink> {
  const { ownerId } = scope;
  await requireInvoice(scope, invoiceId);
  await requireCardAccount(ownerId);
  const linkUntil = new Date(now().getTime() + days * DAY_MS);
  const doc = await oneOpen(async () => {
    const invoice = await lockInvoice(ownerId, invoiceId);
    await assertByCard(invoice);
    const known = await knownLinkOf(ownerId, invoiceId);
    if (known) return openedAgain(scope, known, linkUntil);
    const _id = newId();
    const token = newToken();
    const made = await insertPayment(scope, invoice, {
      _id,
      method: "card",
      status: "created",
      amountMinor: invoice.dueMinor,
      tokenHash: hashToken(token),
      tokenEnc: sealToken(ownerId, _id, token),
      linkUntil,
    });
    await tellOfPayment(scope, made, "Link to pay made");
    return made;
  });
  return { url: `${publicUrl()}${payPathOf(doc)}`, payment: toPayment(doc) };
}

/** Nobody is given a link that leads nowhere. */
async function assertByCard({ ownerId, dueMinor, currency, payer }: InvoiceForPayment): Promise<void> {
  if (dueMinor === 0) throw wrongState("Nothing is due for this invoice any more.");
  if (payer.kind === "legal_aid" || payer.kind === "voucher")
    throw wrongState("Legal aid and the voucher scheme do not pay by card. Record their money when it comes.");
  const leastMinor = cardMinimum(currency);
  if (dueMinor >= leastMinor) return;
  const least = await amountOf({ ownerId, amountMinor: leastMinor, currency });
  throw wrongState(`No card is charged less than ${least}, and less is due. Take it in another way, or credit it.`);
}

/** For whoever is sent an invoice. One that cannot be paid by card now is sent without. */
definePayLink(async (scope, invoiceId) => {
  if (!(await cardAccountOf(scope.ownerId))) return null;
  try {
    return (await checkoutLink(scope, { invoiceId, days: LINK_DAYS_DEFAULT })).url;
  } catch (error) {
    if (error instanceof TRPCError) return null;
    throw error;
  }
});

/** Refuses where money of this invoice comes in another way by now. */
async function oneOpen(work: () => Promise<PaymentDoc>): Promise<PaymentDoc> {
  try {
    return await inTransaction(work);
  } catch (error) {
    if (isDuplicateKey(error)) throw hasOpenPayment();
    throw error;
  }
}

/** What failed, or was over, is tried again by the same link. */
const knownLinkOf = (ownerId: string, invoiceId: string): Promise<PaymentDoc | null> =>
  PaymentModel.findOne({
    ownerId,
    invoiceId,
    status: mongoose.trusted({ $in: ["created", "pending", "failed", "expired"] as const }),
    tokenHash: mongoose.trusted({ $type: "string" }),
  })
    .sort({ createdAt: -1, _id: -1 })
    .lean();

async function openedAgain(scope: Scope, { ownerId, _id, linkUntil, status }: PaymentDoc, until: Date) {
  const later = linkUntil && linkUntil > until ? linkUntil : until;
  if (status === "expired")
    return move(scope, _id, { to: "pending", set: { linkUntil: later }, words: "Link to pay opened again" });
  await PaymentModel.updateOne({ ownerId, _id }, { $set: { linkUntil: later } });
  return findPaymentDoc(ownerId, _id);
}

const isOver = () => ({
  status: mongoose.trusted({ $in: paymentStatesBefore("expired") }),
  isOnItsWay: false,
  linkUntil: mongoose.trusted({ $lte: now() }),
  // With what is paid before a booking the booking ends as well.
  deposit: mongoose.trusted({ $exists: false as const }),
});

/** A link whose time is over ends, unless it is being paid. */
export const expireLinks = defineDueItems<PaymentDoc>({
  name: "end links to pay",
  everyMs: HOUR_MS,
  owners: () => PaymentModel.distinct("ownerId", isOver()).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    PaymentModel.find({ ownerId, ...isOver(), _id: mongoose.trusted({ $nin: besides }) })
      .limit(max)
      .lean(),
  async work(found) {
    const { status, isOnItsWay, version, ownerId, _id } = await stopPaying(found);
    if (!mayPaymentBecome(status, "expired") || isOnItsWay) return;
    await inTransaction(() => move(systemScope(ownerId), _id, { to: "expired", version, words: "Link to pay ended" }));
  },
  tell: () => Promise.resolve(),
});
