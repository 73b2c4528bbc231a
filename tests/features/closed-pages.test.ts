// A page of the provider that is open for an invoice, when another amount is due of it than the page asks for.
import { expect, test } from "vitest";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aVisitor } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import {
  anOwedInvoice,
  aPaidPractice,
  aPayLink,
  aRecord,
  anAnnouncement,
  follow,
  sessionAt,
} from "../support/stripe/paying.ts";

const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));

async function anOpenPage() {
  const { invoice, theCase, p1 } = await anOwedInvoice(practice);
  const link = await aPayLink(practice, invoice.id);
  const sessionId = await sessionAt(app, link.address);
  expect(stripe.ledger.sessions.get(sessionId)?.status).toBe("open");
  const { version } = await practice.api.invoices.get.query({ id: invoice.id });
  return { invoice, theCase, p1, ...link, sessionId, version };
}

const statusOf = (sessionId: string) => stripe.ledger.sessions.get(sessionId)?.status;
const outcome = async (r: string) => (await aVisitor(app).api.payments.outcome.query({ r })).outcome;

test("an open page: when its invoice is made void, it is closed at once, and whoever comes back has nothing to pay", async () => {
  const { invoice, sessionId, token, address, version } = await anOpenPage();
  await practice.api.invoices.void.mutate({ id: invoice.id, version, reason: "Written by mistake" });
  expect(statusOf(sessionId)).toBe("expired");
  expect(await outcome(token)).toBe("nothing_due");
  expect(await follow(app, address)).toBe(`/payment/cancelled?r=${token}`);
});

test("an open page: when all of its invoice is credited, it is closed at once, and whoever comes back has nothing to pay", async () => {
  const { invoice, sessionId, token, version } = await anOpenPage();
  const credit = { id: invoice.id, version, amountMinor: 10_000, reason: "Waived by the practice" };
  await practice.api.invoices.credit.mutate(credit);
  expect(statusOf(sessionId)).toBe("expired");
  expect(await outcome(token)).toBe("nothing_due");
});

test("an open page: when a part is credited, it is closed, and the link opens one for the rest", async () => {
  const { invoice, sessionId, address, version } = await anOpenPage();
  await practice.api.invoices.credit.mutate({ id: invoice.id, version, amountMinor: 4000, reason: "Shorter session" });
  expect(statusOf(sessionId)).toBe("expired");
  expect(stripe.ledger.sessions.get(await sessionAt(app, address))).toMatchObject({ amount: 6000, status: "open" });
});

test("an open page: when its invoice is paid in cash, it is closed", async () => {
  const { invoice, sessionId, token } = await anOpenPage();
  await practice.api.payments.record.mutate(aRecord(invoice.id, { method: "cash" }));
  expect(statusOf(sessionId)).toBe("expired");
  expect(await outcome(token)).toBe("nothing_due");
});

test("an open page: when the provider does not answer, the invoice is void all the same, and the link opens nothing", async () => {
  const { invoice, token, address, version } = await anOpenPage();
  stripe.state.isDown = true;
  await practice.api.invoices.void.mutate({ id: invoice.id, version, reason: "Written by mistake" });
  expect(await practice.api.invoices.get.query({ id: invoice.id })).toMatchObject({ state: "void" });
  expect(await follow(app, address)).toBe(`/payment/cancelled?r=${token}`);
  expect(await outcome(token)).toBe("nothing_due");
  // The practice of the next test connects its account.
  stripe.state.isDown = false;
});

test("a transfer that is on its way: when its invoice is credited, nothing of it is asked of the provider", async () => {
  const { invoice } = await anOwedInvoice(practice);
  await practice.api.payments.announce.mutate(anAnnouncement(invoice.id));
  const { version } = await practice.api.invoices.get.query({ id: invoice.id });
  await practice.api.invoices.credit.mutate({ id: invoice.id, version, amountMinor: 4000, reason: "Shorter session" });
  expect((await practice.api.payments.list.query({ invoiceId: invoice.id })).items).toMatchObject([
    { isOnItsWay: true },
  ]);
});
