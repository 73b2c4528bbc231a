// Practices that are paid by card, and what their payers do, as the pages would.
import { newId } from "@app/server/core/ids";
import type { AnnouncePayment, RecordPayment, RefundPayment } from "@app/shared/payments";
import mongoose from "mongoose";
import { vi } from "vitest";
import { issuedInvoice, partyPayer } from "../server/invoiced.ts";
import { aCase, aPractice, type Sent, type TestPractice } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";
import type { FakeStripe } from "./fake-stripe.ts";

/** A practice that may use the product, whoever pays for that. */
export async function aSubscribedPractice(app: TestApp): Promise<TestPractice> {
  const practice = await aPractice(app);
  const subscription = { id: "sub_given", status: "active", price: { id: "price_pro_monthly" }, source: "manual" };
  await mongoose.connection
    .collection<{ _id: string }>("customers")
    .updateOne({ _id: practice.ownerId }, { $set: { subscriptions: [subscription] } });
  return practice;
}

/** One that connected an account which can take cards. */
export async function aPaidPractice(app: TestApp, stripe: FakeStripe) {
  const practice = await aSubscribedPractice(app);
  const { url } = await practice.api.paymentAccounts.connect.mutate();
  const account = url.split("/").at(-2) ?? "";
  stripe.setCardPayments(account, "active");
  await practice.api.paymentAccounts.refresh.mutate();
  return { ...practice, account };
}

/** An invoice of £100.00 to the first of two parties. */
export async function anOwedInvoice(practice: TestPractice) {
  const { theCase, p1, p2 } = await aCase(practice);
  return { theCase, p1, p2, invoice: await issuedInvoice(practice, theCase.id, partyPayer(p1)) };
}

export async function aPayLink({ api }: TestPractice, invoiceId: string) {
  const { url, payment } = await api.payments.checkoutLink.mutate({ invoiceId, days: 30 });
  return { address: new URL(url).pathname, token: url.split("/").at(-1) ?? "", paymentId: payment.id };
}

/** Where our link leads. */
export async function follow(app: TestApp, address: string): Promise<string> {
  const response = await fetch(`${app.url}${address}`, { redirect: "manual" });
  return response.headers.get("location") ?? String(response.status);
}

/** The page of the provider that the link leads to. */
export const sessionAt = async (app: TestApp, address: string): Promise<string> =>
  (await follow(app, address)).split("/").at(-1) ?? "";

/** Waits until what was told is settled. */
export const settled = (): Promise<void> =>
  vi.waitFor(
    async () => {
      const open = await mongoose.connection.collection("stripe_events").countDocuments({ state: "received" });
      if (open > 0) throw new Error("events are still to be settled");
    },
    { timeout: 10_000, interval: 30 },
  );

export const aRecord = (invoiceId: string, overrides: Partial<RecordPayment> = {}): Sent<RecordPayment> => ({
  id: newId(),
  invoiceId,
  method: "bank_transfer",
  amountMinor: 10_000,
  receivedOn: "2026-01-05",
  reference: "",
  keepsRest: false,
  ...overrides,
});

export const anAnnouncement = (invoiceId: string, overrides: Partial<AnnouncePayment> = {}): Sent<AnnouncePayment> => ({
  id: newId(),
  invoiceId,
  method: "bank_transfer",
  amountMinor: 10_000,
  reference: "",
  ...overrides,
});

export const aRefund = (id: string, overrides: Partial<RefundPayment> = {}): RefundPayment & { changeId: string } => ({
  changeId: newId(),
  id,
  amountMinor: 10_000,
  reason: "The session was cancelled",
  creditsInvoice: true,
  ...overrides,
});
