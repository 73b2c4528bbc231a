// Random histories of money that goes back: answers are lost, keys are forgotten, the provider is away, credit is used
// meanwhile, and others refund there. In the end the book has what the provider has.
import { createLogger } from "@app/server/core/logger";
import { askAgain } from "@app/server/features/payments/refunds";
import { TRPCClientError } from "@trpc/client";
import fc from "fast-check";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { issuedInvoice, partyPayer } from "../support/server/invoiced.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { expectSameBooks, refundsAskedLongAgo } from "../support/stripe/book.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { aPaidPractice, aPayLink, aRefund, sessionAt, settled } from "../support/stripe/paying.ts";

const HISTORIES = Number(process.env["REFUND_HISTORIES"] ?? 8);
const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forAllTests(() => aPaidPractice(app, stripe));
let whose: Awaited<ReturnType<typeof aCase>>;
beforeAll(async () => {
  whose = await aCase(practice);
});

const someStep = fc.record({
  what: fc.constantFrom(
    "refund",
    "refund",
    "refundThere",
    "credit",
    "useCredit",
    "askAgain",
    "tell",
    "loseTold",
    "fail",
    "dispute",
  ),
  provider: fc.constantFrom("answers", "answers", "loses its answer", "is away"),
  at: fc.nat(1),
  amountMinor: fc.integer({ min: 1, max: 12_000 }),
  creditsInvoice: fc.boolean(),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

interface Paid {
  invoiceId: string;
  paymentId: string;
  intent: string;
}

async function aPaidInvoice(): Promise<Paid> {
  const { id: invoiceId } = await issuedInvoice(practice, whose.theCase.id, partyPayer(whose.p1));
  const { address, paymentId } = await aPayLink(practice, invoiceId);
  const session = await sessionAt(app, address);
  stripe.pay(session);
  await tell();
  return { invoiceId, paymentId, intent: stripe.ledger.sessions.get(session)?.intent ?? "" };
}

async function tell(): Promise<void> {
  await stripe.events.deliver(app.url);
  await settled();
}

async function askAll(): Promise<void> {
  stripe.forgetKeys();
  await mongoose.connection.collection("set_aside").deleteMany({ isPutBack: true });
  await refundsAskedLongAgo(practice);
  await askAgain(createLogger("silent"));
}

/** Does it, or learns that it is refused. */
async function take(paid: readonly Paid[], step: Step): Promise<void> {
  const isAsked = step.what === "refund" || step.what === "askAgain";
  stripe.state.isDown = isAsked && step.provider === "is away";
  stripe.state.afterWork = isAsked && step.provider === "loses its answer" ? () => "hang up" : null;
  try {
    await work(paid, step);
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    expect(["PRECONDITION_FAILED", "BAD_REQUEST"]).toContain(error.data?.code);
  } finally {
    Object.assign(stripe.state, { isDown: false, afterWork: null });
  }
}

async function work(paid: readonly Paid[], { what, at, amountMinor, creditsInvoice }: Step): Promise<void> {
  const one = paid[at];
  if (!one) throw new Error("nothing was paid");
  const { invoices, payments } = practice.api;
  const over = async () => {
    const { id, version } = await invoices.get.query({ id: one.invoiceId });
    return { id, version, amountMinor };
  };
  const ofIntent = () => [...stripe.ledger.refunds.values()].filter(({ intent }) => intent === one.intent);
  const leftMinor = () =>
    ofIntent().reduce((left, { amount, status }) => (status === "failed" ? left : left - amount), 10_000);
  const isLost = () => [...stripe.ledger.disputes.values()].some(({ intent }) => intent === one.intent);
  switch (what) {
    case "refund":
      await payments.refund.mutate(aRefund(one.paymentId, { amountMinor, creditsInvoice }));
      return;
    case "refundThere":
      if (!isLost() && amountMinor <= leftMinor()) stripe.refundThere(one.intent, amountMinor);
      return;
    case "credit":
      await invoices.credit.mutate({ ...(await over()), reason: "By chance" });
      return;
    case "useCredit":
      await invoices.useCredit.mutate(await over());
      return;
    case "askAgain":
      return askAll();
    case "tell":
      return tell();
    case "loseTold":
      stripe.events.waiting.length = 0;
      return;
    case "fail": {
      const sent = ofIntent().find(({ status }) => status === "succeeded");
      if (sent) stripe.failRefund(sent.id);
      return;
    }
    case "dispute":
      if (!isLost() && leftMinor() === 10_000) stripe.closeDispute(stripe.dispute(one.intent), "lost");
  }
}

test(
  "refunds: in random histories the book has what the provider has once all is compared, and nothing waits any more",
  { timeout: 300_000 },
  async () => {
    const history = fc.asyncProperty(fc.array(someStep, { minLength: 6, maxLength: 16 }), async (steps) => {
      const paid = [await aPaidInvoice(), await aPaidInvoice()];
      for (const step of steps) await take(paid, step);
      await tell();
      await askAll();
      stripe.events.waiting.length = 0;
      expect(await practice.api.payments.reconcile.mutate()).toMatchObject({ unread: 0 });
      await expectSameBooks(stripe, practice);
    });
    await fc.assert(history, { numRuns: HISTORIES, endOnFailure: true });
  },
);
