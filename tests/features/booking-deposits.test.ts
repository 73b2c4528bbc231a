// A link may ask for a payment before a time is booked, over HTTP and with the card payment provider's stand-in.
import { clock, DAY_MS, MINUTE_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { settleDeposits } from "@app/server/features/bookings/deposit-settling";
import { checkLedger } from "@app/server/features/invoices/ledger-check.service";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { PaymentModel } from "@app/server/features/payments/payments.model";
import type { BookSlot, CreateLink } from "@app/shared/bookings";
import { beforeEach, describe, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { bookAs, mailsOf, makeLink, opened, SAM } from "../support/server/booked.ts";
import { mayContact, othersAnswered } from "../support/server/contactable.ts";
import { aPrice, registeredForVat } from "../support/server/invoiced.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, anIntake, aVisitor, clientFields } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { startFakeStripe } from "../support/stripe/fake-stripe.ts";
import { aPaidPractice, aRefund, aSubscribedPractice, follow, sessionAt, settled } from "../support/stripe/paying.ts";

const FIFTY = { kind: "amount", amountMinor: 5000 } as const;
const HELD_MS = 30 * MINUTE_MS;
const stripe = forAllTests(startFakeStripe);
const app = forAllTests(() => startTestApp(stripe.connect));
const practice = forEachTest(() => aPaidPractice(app, stripe));
const visitor = () => aVisitor(app).api;
beforeEach(forgetAttempts);
beforeEach(() => {
  stripe.events.waiting.length = 0;
  stripe.state.isDown = false;
});

const aDepositLink = (overrides: Partial<CreateLink> = {}) => makeLink(practice, { deposit: FIFTY, ...overrides });
const meetings = () => MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean();
const payments = () => PaymentModel.find({ ownerId: practice.ownerId }).sort({ createdAt: 1 }).lean();
const lookAt = async (id: string) => {
  const page = await visitor().bookings.page.query({ id });
  if (page.kind !== "manage") throw new Error("this is no booking");
  return page;
};
const invoices = async () => (await practice.api.invoices.list.query({})).items;
const tasks = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);
const subjects = async () => (await mailsOf(practice.ownerId)).map(({ subject }) => subject);
const notices = async () =>
  (await SystemMailModel.find({ owner_id: practice.ownerId }).lean()).map((one) => one.subject);
const right = async () => expect(await checkLedger(practice.ownerId)).toEqual([]);
const later = (ms: number) => moveTime(clock.now().getTime() - Date.now() + ms);
const letTimePass = async (ms: number) => {
  later(ms);
  await settleDeposits(createLogger("silent"));
};

async function tell(how: Parameters<typeof stripe.events.deliver>[1] = {}): Promise<void> {
  const statuses = await stripe.events.deliver(app.url, how);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await settled();
}

/** Chooses the first time, and is asked to pay for it. */
async function asked(overrides: Partial<CreateLink> = {}, sent: Partial<BookSlot> = {}) {
  const link = await aDepositLink(overrides);
  return { link, ...(await bookAs(visitor(), link.publicId, sent)) };
}

async function paid(...of: Parameters<typeof asked>) {
  const booked = await asked(...of);
  const session = await sessionAt(app, booked.payPath);
  stripe.pay(session);
  await tell();
  return { ...booked, session };
}

describe("what a link asks", () => {
  test("bookings.page: says before a time is chosen what is to be paid and until when it can be cancelled, and books nothing unpaid", async () => {
    const { link, manageId, payPath, appointment } = await asked();
    expect(await visitor().bookings.page.query({ id: link.publicId })).toMatchObject({
      deposit: { amountMinor: 5000, currency: "GBP" },
      noticeHours: 24,
      needsConfirmation: false,
    });
    expect(payPath).toMatch(/^\/pay\/[\w-]{43}$/);
    expect(appointment.isConfirmed).toBe(false);
    expect(await meetings()).toMatchObject([{ status: "proposed", isHolding: true, isInvitationSent: false }]);
    expect((await opened(visitor(), link.publicId)).times).not.toContain(appointment.startsAt);
    expect(await lookAt(manageId)).toMatchObject({
      isMovable: false,
      deposit: { state: "due", amountMinor: 5000, payPath, until: expect.any(String) },
    });
    expect(await subjects()).toEqual(["Your appointment is not booked yet"]);
    const [mail] = await mailsOf(practice.ownerId);
    expect(mail?.text).toContain("£50.00 can be paid by card");
    expect(mail?.text).toContain(`/schedule-meeting/${manageId}`);
    expect(mail?.text).not.toContain("/pay/");
    expect(await notices()).toEqual([]);
    expect(await invoices()).toEqual([]);
  });

  test("bookings.createLink: an item of the price list is asked for with its VAT, at what it costs when somebody books", async () => {
    await registeredForVat(practice);
    const input = aPrice({ amountMinor: 10_000, vatRateBp: 2000, name: "Assessment meeting", kind: "miam" });
    const price = await practice.api.prices.create.mutate(input);
    const link = await aDepositLink({ deposit: { kind: "price", priceId: price.id } });
    expect(link.asksNow).toEqual({ amountMinor: 12_000, currency: "GBP" });
    const { id: _id, price: fields } = input;
    const raised = { ...fields, amountMinor: 11_000 };
    const { page } = await opened(visitor(), link.publicId);
    expect(page).toMatchObject({ deposit: { amountMinor: 12_000 } });
    await practice.api.prices.update.mutate({ id: price.id, version: 0, price: raised });
    const shownDeposit = { amountMinor: 12_000, currency: "GBP" };
    const refused = await refusal(bookAs(visitor(), link.publicId, { shownDeposit }));
    expect(refused.message).toBe("This page was changed meanwhile. Look at it again.");
    const { payPath } = await bookAs(visitor(), link.publicId);
    stripe.pay(await sessionAt(app, payPath));
    await tell();
    expect(await invoices()).toMatchObject([{ grossMinor: 13_200, vatMinor: 2200, state: "paid", caseId: null }]);
    await right();
  });

  test("bookings.createLink: is refused where no cards are taken, and the form says so; a link keeps what it asked for", async () => {
    const without = await aSubscribedPractice(app);
    expect(await without.api.bookings.depositChoices.query()).toMatchObject({ takesCards: false, prices: [] });
    const refused = await refusal(makeLink(without, { deposit: FIFTY }));
    expect(refused.fields["deposit"]).toMatch(/by card here yet/);
    const foreign = await without.api.prices.create.mutate(aPrice());
    const alien = await refusal(aDepositLink({ deposit: { kind: "price", priceId: foreign.id } }));
    expect(alien.fields["deposit"]).toMatch(/in force/);
    const link = await aDepositLink();
    stripe.setCardPayments(practice.account, "restricted");
    await practice.api.paymentAccounts.refresh.mutate();
    expect(await practice.api.bookings.getLink.query({ id: link.id })).toMatchObject({ deposit: FIFTY, asksNow: null });
    const { page } = await opened(visitor(), link.publicId);
    expect(page).toMatchObject({ deposit: null, needsConfirmation: true });
    const { payPath, appointment } = await bookAs(visitor(), link.publicId);
    expect({ payPath, isConfirmed: appointment.isConfirmed }).toEqual({ payPath: "", isConfirmed: false });
    expect(await subjects()).toEqual(["Your request for an appointment"]);
    expect(await payments()).toEqual([]);
  });

  test("bookings.book: another amount than the server's, however it is sent, is refused, and nothing is held", async () => {
    const link = await aDepositLink();
    for (const shownDeposit of [null, { amountMinor: 1, currency: "GBP" }, { amountMinor: 5000, currency: "EUR" }])
      expect((await refusal(bookAs(visitor(), link.publicId, { shownDeposit }))).code).toBe("PRECONDITION_FAILED");
    const extra = { amountMinor: 1 } as object;
    expect((await refusal(bookAs(visitor(), link.publicId, extra))).code).toBe("BAD_REQUEST");
    expect(await meetings()).toEqual([]);
    expect(await payments()).toEqual([]);
  });

  test("bookings.book: two people at once for one time, one is asked to pay and the other gets the next free times", async () => {
    const link = await aDepositLink();
    const { times } = await opened(visitor(), link.publicId);
    const startsAt = times[0] ?? "";
    const answers = await Promise.allSettled(
      [SAM, { ...SAM, email: "other@example.org" }].map((person) =>
        bookAs(visitor(), link.publicId, { startsAt, person }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await payments()).toHaveLength(1);
  });
});

describe("what is paid", () => {
  test("GET /pay/:token: leads to a page for cards alone, for what the server asks, and says nothing of what it is for", async () => {
    const { payPath } = await asked();
    const id = await sessionAt(app, payPath);
    expect(stripe.ledger.sessions.get(id)).toMatchObject({ amount: 5000, currency: "gbp", description: "Appointment" });
    const made = stripe.requests.findLast(({ path }) => path === "/v1/checkout/sessions");
    expect(made?.body.get("payment_method_types[0]")).toBe("card");
    expect(await sessionAt(app, payPath)).toBe(id);
  });

  test("POST /webhooks/stripe: books the time, invoices and receipts what was paid, and tells both, each once however often it comes", async () => {
    const { link, manageId, payPath } = await asked();
    const session = await sessionAt(app, payPath);
    stripe.pay(session);
    // Coming back proves nothing.
    const before = await visitor().payments.outcome.query({ session });
    expect(before).toMatchObject({ outcome: "waiting", booking: { state: "held" } });
    expect(await meetings()).toMatchObject([{ status: "proposed" }]);
    await tell({ copies: 3 });
    expect(await meetings()).toMatchObject([{ status: "booked", isInvitationSent: true }]);
    expect(await payments()).toMatchObject([{ status: "succeeded", amountMinor: 5000, attentions: [] }]);
    const [invoice, ...more] = await invoices();
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({ state: "paid", paidMinor: 5000, payerName: SAM.name, payer: { kind: "visitor" } });
    expect(await lookAt(manageId)).toMatchObject({ isMovable: true, deposit: { state: "paid", payPath: "" } });
    const after = await visitor().payments.outcome.query({ session });
    expect(after).toMatchObject({
      outcome: "paid",
      booking: { state: "booked", path: `/schedule-meeting/${manageId}` },
    });
    expect(await subjects()).toEqual(["Your appointment is not booked yet", "Your appointment"]);
    expect((await mailsOf(practice.ownerId)).at(-1)?.text).toContain("We have your payment of £50.00");
    expect(await notices()).toEqual(["A meeting was booked"]);
    expect(await practice.api.bookings.getLink.query({ id: link.id })).toMatchObject({ uses: 1 });
    await letTimePass(HELD_MS);
    expect(await meetings()).toMatchObject([{ status: "booked" }]);
    expect(await follow(app, payPath)).toMatch("/payment/success?r=");
    await right();
  });

  test("POST /webhooks/stripe: after a card was declined another one books it", async () => {
    const { payPath, manageId } = await asked();
    const session = await sessionAt(app, payPath);
    stripe.decline(session);
    await tell();
    expect(await lookAt(manageId)).toMatchObject({ deposit: { state: "due", payPath } });
    expect(await sessionAt(app, payPath)).toBe(session);
    stripe.pay(session);
    await tell();
    expect(await meetings()).toMatchObject([{ status: "booked" }]);
  });

  test("POST /webhooks/stripe: what the practice confirms first is asked of it once it is paid, and what it declines somebody looks at", async () => {
    const { manageId } = await paid({ needsConfirmation: true });
    expect(await meetings()).toMatchObject([{ status: "proposed" }]);
    expect(await notices()).toEqual(["A request for a meeting"]);
    expect((await subjects()).at(-1)).toBe("Your request for an appointment");
    await letTimePass(DAY_MS / 24);
    const [meeting] = await meetings();
    expect(meeting).toMatchObject({ status: "proposed" });
    const { _id: id = "", version = 0 } = meeting ?? {};
    await practice.api.meetings.setStatus.mutate({ id, version, to: "expired" });
    expect(await lookAt(manageId)).toMatchObject({ state: "cancelled", deposit: { state: "paid" } });
    expect((await mailsOf(practice.ownerId)).at(-1)?.text).toContain("Nothing of it is returned by itself");
    expect(await payments()).toMatchObject([{ attentions: ["booking_cancelled"] }]);
  });

  test("bookings.deposit: the practice sees in the meeting that it was paid, and returns it from its invoice", async () => {
    await paid();
    const [meeting] = await meetings();
    const meetingId = meeting?._id ?? "";
    const { deposit } = await practice.api.bookings.deposit.query({ meetingId });
    expect(deposit).toMatchObject({ state: "paid", amountMinor: 5000, invoiceNumber: expect.stringMatching(/\d{4}/) });
    const [payment] = (await practice.api.payments.list.query({ invoiceId: deposit?.invoiceId ?? "" })).items;
    await practice.api.payments.refund.mutate(aRefund(payment?.id ?? "", { amountMinor: 2000 }));
    expect((await practice.api.bookings.deposit.query({ meetingId })).deposit).toMatchObject({
      state: "part_refunded",
      refundedMinor: 2000,
    });
    await practice.api.payments.refund.mutate(aRefund(payment?.id ?? "", { amountMinor: 3000 }));
    expect((await practice.api.bookings.deposit.query({ meetingId })).deposit).toMatchObject({ state: "refunded" });
    await right();
  });

  test("leads.convert: whoever booked becomes a client, and what they paid is found in their case", async () => {
    await paid();
    await settleLeads(createLogger("silent"));
    const [lead] = (await practice.api.leads.list.query({})).items;
    let { id, version } = lead ?? { id: "", version: 0 };
    for (const to of ["contacted", "qualified", "awaiting_p2"] as const)
      ({ id, version } = await practice.api.leads.move.mutate({ id, version, to }));
    const { id: _id, ...intake } = anIntake({
      client: clientFields({ firstName: "Sam", lastName: "Okoro" }),
      other: { client: clientFields({ firstName: "Olu", lastName: "Adeyemi", email: "" }) },
      conflict: { decision: "clear", reason: "" },
    });
    const { caseId } = await practice.api.leads.convert.mutate({ changeId: newId(), id, version, intake });
    const { items } = await practice.api.invoices.ofCase.query({ caseId });
    expect(items).toMatchObject([{ caseId, state: "paid", payer: { kind: "visitor" } }]);
    expect((await practice.api.payments.ofCase.query({ caseId })).items).toMatchObject([{ status: "succeeded" }]);
    await right();
  });

  test("bookings.book: a party by their own link pays as that party, and the invoice is theirs in the case", async () => {
    const { theCase, p1 } = await aCase(practice);
    await mayContact(theCase);
    await othersAnswered(theCase);
    await paid({ clientId: p1.clientId, caseId: theCase.id, type: "call" }, { person: null });
    expect(await meetings()).toMatchObject([{ status: "booked", partyIds: [p1.partyId] }]);
    const { items } = await practice.api.invoices.ofCase.query({ caseId: theCase.id });
    expect(items).toMatchObject([{ payer: { kind: "party", partyId: p1.partyId }, state: "paid" }]);
    await right();
  });
});

describe("what is not paid in time", () => {
  test("settleDeposits: after the time that was stated it is free again, both sides are told, and nothing can be paid", async () => {
    const { link, manageId, payPath, appointment } = await asked({ useLimit: 1 });
    const session = await sessionAt(app, payPath);
    await letTimePass(HELD_MS - MINUTE_MS);
    expect(await meetings()).toMatchObject([{ status: "proposed" }]);
    await letTimePass(HELD_MS + MINUTE_MS);
    expect(await meetings()).toMatchObject([{ status: "expired", isHolding: false }]);
    expect(await payments()).toMatchObject([{ status: "expired" }]);
    expect(stripe.ledger.sessions.get(session)?.status).toBe("expired");
    expect((await opened(visitor(), link.publicId)).times).toContain(appointment.startsAt);
    expect(await lookAt(manageId)).toMatchObject({ state: "cancelled", deposit: { state: "lapsed", payPath: "" } });
    expect(await follow(app, payPath)).toMatch("/payment/cancelled?r=");
    expect(await visitor().payments.outcome.query({ r: payPath.split("/").at(-1) ?? "" })).toMatchObject({
      outcome: "over",
      booking: { state: "gone" },
    });
    expect((await subjects()).at(-1)).toBe("Your appointment was not booked");
    expect(await notices()).toEqual(["A meeting was not booked"]);
    await settleDeposits(createLogger("silent"));
    expect(await subjects()).toHaveLength(2);
  });

  test("settleDeposits: money that was paid and not yet told of, when the time ends, books it", async () => {
    const { payPath } = await asked();
    stripe.pay(await sessionAt(app, payPath));
    await letTimePass(HELD_MS + MINUTE_MS);
    expect(await meetings()).toMatchObject([{ status: "booked" }]);
  });

  /** The provider was away while the time ended, so its page stayed open and was paid. */
  async function paidLate() {
    const booked = await asked();
    const session = await sessionAt(app, booked.payPath);
    stripe.state.isDown = true;
    await letTimePass(HELD_MS + MINUTE_MS);
    stripe.state.isDown = false;
    expect(await meetings()).toMatchObject([{ status: "expired" }]);
    // What is told is believed only if it was signed just now.
    moveTime(0);
    stripe.pay(session);
    return booked;
  }

  test("POST /webhooks/stripe: what comes late books the time where it is free still, with the same address to look at it", async () => {
    const { manageId, appointment, link } = await paidLate();
    await tell({ copies: 2 });
    const booked = (await meetings()).filter(({ status }) => status === "booked");
    expect(booked).toHaveLength(1);
    expect(booked[0]?.startsAt.toISOString()).toBe(appointment.startsAt);
    expect(await lookAt(manageId)).toMatchObject({ state: "coming", deposit: { state: "paid" } });
    expect((await subjects()).at(-1)).toBe("Your appointment");
    expect(await payments()).toMatchObject([{ status: "succeeded", attentions: [] }]);
    expect(await practice.api.bookings.getLink.query({ id: link.id })).toMatchObject({ uses: 1 });
    await right();
  });

  test("POST /webhooks/stripe: what comes late for a time that somebody has by then is kept, and somebody is asked to look at it", async () => {
    const { manageId, appointment } = await paidLate();
    const { startsAt } = appointment;
    await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt }));
    await tell({ copies: 2 });
    expect((await meetings()).map(({ status }) => status).toSorted()).toEqual(["booked", "expired"]);
    expect(await payments()).toMatchObject([{ status: "succeeded", attentions: ["not_booked"] }]);
    expect((await tasks()).filter((title) => title.includes("what it was paid for is not booked"))).toHaveLength(1);
    expect(await invoices()).toMatchObject([{ state: "paid", paidMinor: 5000 }]);
    expect(await lookAt(manageId)).toMatchObject({ state: "cancelled", deposit: { state: "paid" } });
    await right();
  });
});

describe("what is cancelled", () => {
  const send = async (id: string) => {
    const { formToken } = await lookAt(id);
    later(5000);
    return { id, formToken, website: "" };
  };

  test("bookings.cancel: what was paid stays until somebody decides, who is asked to, and the mail says so", async () => {
    const { manageId } = await paid();
    await visitor().bookings.cancel.mutate(await send(manageId));
    expect(await payments()).toMatchObject([
      { status: "succeeded", refundedMinor: 0, attentions: ["booking_cancelled"] },
    ]);
    expect((await mailsOf(practice.ownerId)).at(-1)?.text).toContain("Nothing of it is returned by itself");
    expect((await tasks()).filter((title) => title.includes("the booking was cancelled"))).toHaveLength(1);
  });

  test("bookings.cancel: what is not paid yet is let go at once, and cannot be paid; money that comes all the same is looked at", async () => {
    const { manageId, payPath, link, appointment } = await asked();
    const session = await sessionAt(app, payPath);
    expect(
      (await refusal(visitor().bookings.move.mutate({ ...(await send(manageId)), startsAt: appointment.startsAt })))
        .message,
    ).toMatch(/already|not paid/);
    await visitor().bookings.cancel.mutate(await send(manageId));
    expect(await follow(app, payPath)).toMatch("/payment/cancelled?r=");
    expect((await opened(visitor(), link.publicId)).times).toContain(appointment.startsAt);
    stripe.pay(session);
    await tell();
    expect((await meetings()).map(({ status }) => status)).toEqual(["cancelled"]);
    expect(await payments()).toMatchObject([{ status: "succeeded", attentions: ["not_booked"] }]);
  });

  test("payments.cancel: a link that the practice withdraws frees the time within a minute", async () => {
    await asked();
    const [payment] = await payments();
    const { _id: id = "", version = 0 } = payment ?? {};
    await practice.api.payments.cancel.mutate({ id, version });
    await letTimePass(MINUTE_MS);
    expect(await meetings()).toMatchObject([{ status: "expired" }]);
  });
});
