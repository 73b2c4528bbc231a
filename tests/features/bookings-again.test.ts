// What a visitor, or a crowd of them, does again and again; and what the practice does with what they booked.
import { newId, newToken } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { SLOTS_MAX } from "@app/shared/bookings";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { bookAs, bothPicked, mailsOf, makeLink, opened, SAM } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aVisitor, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeEach(() => forgetAttempts());

const meetings = () =>
  MeetingModel.find({ ownerId: practice.ownerId, status: mongoose.trusted({ $ne: "rescheduled" as const }) }).lean();

async function reschedule(startsAt: string) {
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).sort({ createdAt: -1 }).lean();
  const endsAt = new Date(new Date(startsAt).getTime() + 3_600_000).toISOString();
  const { _id: id = "", version = 0 } = meeting ?? {};
  const moved = { startsAt, endsAt, id, version, reason: "", allowsOverlap: false };
  return practice.api.meetings.reschedule.mutate({ ...moved, changeId: newId() });
}

test("bookings.book: the same sent again, because its answer was lost, is answered as the first time, and booked once", async () => {
  const link = await makeLink(practice, { useLimit: 1 });
  const { page, times } = await opened(visitor(), link.publicId);
  const sent = {
    id: link.publicId,
    version: 0,
    mediatorId: null,
    startsAt: times[0] ?? "",
    holder: newToken(),
    timeZone: "Europe/London",
    person: SAM,
    answers: [],
    formToken: page.formToken,
    website: "",
  };
  const first = await visitor().bookings.book.mutate(sent);
  expect(await visitor().bookings.book.mutate(sent)).toEqual(first);
  expect(await meetings()).toHaveLength(1);
  expect(await mailsOf(practice.ownerId)).toHaveLength(1);
  expect((await refusal(visitor().bookings.book.mutate({ ...sent, holder: newToken() }))).code).not.toBe("");
});

test("bookings.book: the spellings of one mailbox, when it is named again and again, are one address; tries that book nothing count for none", async () => {
  const link = await makeLink(practice);
  const named = (email: string) => bookAs(visitor(), link.publicId, { person: { ...SAM, email } });
  for (let tries = 0; tries < 3; tries += 1) {
    const late = bookAs(visitor(), link.publicId, { startsAt: "2020-01-01T10:00:00.000Z" });
    expect((await refusal(late)).code).not.toBe("");
  }
  const spellings = [
    "vera@gmail.com",
    "v.era@gmail.com",
    "vera+1@gmail.com",
    "VERA@gmail.com",
    "ve.ra@gmail.com",
    "ver.a@gmail.com",
  ];
  for (const email of spellings) await named(email);
  expect(await refusal(named("v.e.r.a@gmail.com"))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

test.each([
  ["IPv4 address", () => "203.0.113.9", 10, 6],
  ["IPv6 line", (at: number) => `2001:db8:99:${at.toString(16)}::1`, 60, 12],
  ["IPv6 provider", (at: number) => `2001:db8:${at.toString(16)}::1`, 60, 24],
  ["IPv4 neighbourhood", (at: number) => `198.18.${at}.1`, 60, 24],
])(
  "bookings.hold: the networks of one %s, when they hold ever more times, keep a few and let the others go",
  async (_what, addressOf, tries, kept) => {
    const link = await makeLink(practice);
    const { times } = await opened(visitor(), link.publicId);
    const wanted = Array.from({ length: tries }, (_, at) => times[at * 8] ?? "");
    for (const [at, startsAt] of wanted.entries())
      await aVisitor(app, { "x-forwarded-for": addressOf(at) }).api.bookings.hold.mutate({
        id: link.publicId,
        version: 0,
        mediatorId: null,
        startsAt,
        holder: newToken(),
        timeZone: "Europe/London",
      });
    const { items } = await visitor().bookings.slots.query({ id: link.publicId, mediatorId: null });
    expect(wanted.filter((startsAt) => !items.includes(startsAt))).toHaveLength(kept);
    // What they held last they still hold.
    expect(items).not.toContain(wanted.at(-1));
  },
);

test("bookings.hold: in a diary with little free, when one network holds ever more of it, most is left to others", async () => {
  const link = await makeLink(practice);
  const { weekly, daysOff, version, rules } = await practice.api.meetings.availability.query();
  await practice.api.meetings.setAvailability.mutate({
    weekly: weekly.map((range) => ({ ...range, from: "09:00", to: "11:00" })),
    rules: { ...rules, stepMinutes: 60, horizonDays: 7 },
    daysOff,
    version,
  });
  const { times } = await opened(visitor(), link.publicId);
  expect(times.length).toBeGreaterThan(5);
  expect(times.length).toBeLessThan(15);
  const from = aVisitor(app, { "x-forwarded-for": "203.0.113.9" }).api;
  for (const startsAt of times.slice(0, 6)) {
    const chosen = { version: 0, mediatorId: null, startsAt, holder: newToken(), timeZone: "Europe/London" };
    await from.bookings.hold.mutate({ id: link.publicId, ...chosen });
  }
  const { items } = await visitor().bookings.slots.query({ id: link.publicId, mediatorId: null });
  expect(times.length - items.length).toBeGreaterThan(0);
  expect(times.length - items.length).toBeLessThanOrEqual(times.length / 3);
  expect(items).not.toContain(times[5]);
});

test("bookings.slots: of more free times than one page takes, it says that there are later ones", async () => {
  const link = await makeLink(practice);
  const slots = () => visitor().bookings.slots.query({ id: link.publicId, mediatorId: null });
  expect(await slots()).toMatchObject({ hasLater: false });
  const { weekly, daysOff, version, rules } = await practice.api.meetings.availability.query();
  await practice.api.meetings.setAvailability.mutate({
    weekly,
    rules: { ...rules, stepMinutes: 5, horizonDays: 365 },
    daysOff,
    version,
  });
  const { items, hasLater } = await slots();
  expect([items.length, hasLater]).toEqual([SLOTS_MAX, true]);
});

test("bookings.book: by a link of one's own, when others of the same network have tried too often, is booked", async () => {
  const { theCase, p1 } = await aCase(practice);
  const [general, own] = [
    await makeLink(practice),
    await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id }),
  ];
  const crowd = aVisitor(app, { "x-forwarded-for": "203.0.113.9" }).api;
  const codes: string[] = [];
  while (codes.length < 15 && codes.at(-1) !== "TOO_MANY_REQUESTS")
    codes.push((await refusal(bookAs(crowd, general.publicId, { startsAt: "2020-01-01T10:00:00.000Z" }))).code);
  expect(codes.at(-1)).toBe("TOO_MANY_REQUESTS");
  expect(await bookAs(crowd, own.publicId, { person: null })).toMatchObject({ manageId: expect.any(String) });
});

test.each(["move", "cancel"] as const)(
  "bookings.%s: of several at the same moment, when another was faster, is told to load the page again, and staff are asked nothing",
  async (what) => {
    const { theCase, p1 } = await aCase(practice);
    const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
    const { manageId } = await bookAs(visitor(), link.publicId, { person: null });
    const pages = await Promise.all([0, 1, 2, 3].map(() => opened(visitor(), manageId)));
    const refusals = await Promise.all(
      pages.map(({ page: { formToken }, times }, index) => {
        const sent = { id: manageId, formToken, website: "" };
        const startsAt = times[60 + 40 * index] ?? "";
        return refusal(
          what === "cancel"
            ? visitor().bookings.cancel.mutate(sent)
            : visitor().bookings.move.mutate({ ...sent, startsAt }),
        );
      }),
    );
    const slower = refusals.filter(({ code }) => code !== "");
    expect(slower.length).toBeGreaterThan(0);
    expect(slower.length).toBeLessThan(pages.length);
    // Whoever came a moment later still sees that it is cancelled.
    for (const { message } of slower)
      expect(message).toMatch(
        /^This appointment (was moved or changed meanwhile\. Load the page again|is over or was cancelled\..*)\.$/,
      );
    expect(slower.map(({ code }) => code)).toContain("CONFLICT");
    const { items } = await practice.api.tasks.list.query({ page: 1 });
    expect(items.map(({ title }) => title).join()).not.toContain("no time could be taken");
  },
);

test("bookings.move: what the practice had confirmed, when its visitor moves it, waits for the practice again", async () => {
  const link = await makeLink(practice, { needsConfirmation: true });
  const { manageId } = await bookAs(visitor(), link.publicId);
  expect((await opened(visitor(), manageId)).page).toMatchObject({
    appointment: { calendar: expect.stringContaining("STATUS:TENTATIVE") },
  });
  const [meeting] = await meetings();
  const { _id: id = "", version = 0 } = meeting ?? {};
  await practice.api.meetings.setStatus.mutate({ id, version, to: "booked" });
  const { page, times } = await opened(visitor(), manageId);
  const sent = { id: manageId, formToken: page.formToken, website: "" };
  const moved = await visitor().bookings.move.mutate({ ...sent, startsAt: times[40] ?? "" });
  expect(moved).toMatchObject({ isConfirmed: false });
  const told = (await mailsOf(practice.ownerId)).at(-1);
  expect(told?.text).toMatch(/we have your request for another time/);
  expect(told?.text).toMatch(/^Before: .*, which does not hold any more$/m);
  expect((await meetings()).map(({ status }) => status)).toEqual(["proposed"]);
});

async function confirm(id: string) {
  const { page } = await opened(visitor(), id);
  await visitor().bookings.answer.mutate({ id, isAgreed: true, formToken: page.formToken, website: "" });
}

test("meetings.reschedule: a time that was kept for two, when the practice moves it, is asked of both anew and then booked", async () => {
  const { links, times, pair } = await bothPicked(practice, aVisitor(app), [5]);
  await confirm(links[0] ?? "");
  await reschedule(times[60] ?? "");
  for (const id of links)
    expect((await opened(visitor(), id)).page).toMatchObject({
      state: "held",
      hasConfirmed: false,
      own: { startsAt: times[60] },
    });
  expect(await mailsOf(practice.ownerId)).toHaveLength(4);
  for (const id of links) await confirm(id);
  expect((await meetings()).map(({ status }) => status)).toEqual(["booked"]);
  await reschedule(times[90] ?? "");
  for (const id of links)
    expect((await opened(visitor(), id)).page).toMatchObject({ state: "booked", own: { startsAt: times[90] } });
  const { items } = await practice.api.bookings.listPairs.query({ page: 1 });
  expect(items.find(({ id }) => id === pair.id)).toMatchObject({ state: "booked", startsAt: times[90] });
});

test("bookings.endPair: of a time that was kept and moved, when staff end the links, is free again", async () => {
  const { pair, times } = await bothPicked(practice, aVisitor(app), [5]);
  await reschedule(times[60] ?? "");
  await practice.api.bookings.endPair.mutate({ id: pair.id });
  expect((await meetings()).map(({ status }) => status)).toEqual(["cancelled"]);
});

test("bookings.cancel: of a link for one use, when it is cancelled, then another one can be booked by it, and only one", async () => {
  const link = await makeLink(practice, { useLimit: 1 });
  const { manageId } = await bookAs(visitor(), link.publicId);
  const { page } = await opened(visitor(), manageId);
  await visitor().bookings.cancel.mutate({ id: manageId, formToken: page.formToken, website: "" });
  await bookAs(visitor(), link.publicId);
  expect(await refusal(visitor().bookings.page.query({ id: link.publicId }))).toMatchObject({ code: "NOT_FOUND" });
});

test("bookings.slots: by the link of an appointment that is somebody else's by now, nothing tells when it is", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  const { manageId } = await bookAs(visitor(), link.publicId, { person: null });
  const withParties = async (partyIds: string[]) => {
    const [meeting] = (await meetings()).map(({ _id }) => _id);
    const found = await practice.api.meetings.get.query({ id: meeting ?? "" });
    await practice.api.meetings.update.mutate({ ...meetingDetailsOf(found), partyIds });
  };
  const slots = () => visitor().bookings.slots.query({ id: manageId, mediatorId: null });
  expect((await slots()).items.length).toBeGreaterThan(0);
  await withParties([p1.partyId, p2.partyId]);
  expect(await slots()).toEqual({ items: [], hasLater: false });
  await withParties([p2.partyId]);
  expect(await refusal(slots())).toMatchObject({ code: "NOT_FOUND" });
});

/** Moves it so often, by pages that were loaded before, and says what each was answered. */
async function movedOften(ids: readonly string[], times: readonly string[], ipOf: (at: number) => string) {
  const pages = await Promise.all(ids.map((id) => visitor().bookings.page.query({ id })));
  await opened(visitor(), ids[0] ?? "");
  const codes: string[] = [];
  for (const [at, { formToken }] of pages.entries()) {
    const { api } = aVisitor(app, { "x-forwarded-for": ipOf(at) });
    const moved = { id: ids[at] ?? "", startsAt: times[40 + 5 * at] ?? "", formToken, website: "" };
    codes.push((await refusal(api.bookings.move.mutate(moved))).code);
  }
  return codes;
}

test("bookings.move: one booking, when it is moved again and again, mails its address no oftener than others do", async () => {
  const link = await makeLink(practice);
  const { manageId } = await bookAs(visitor(), link.publicId);
  const { times } = await opened(visitor(), link.publicId);
  const codes = await movedOften(Array(8).fill(manageId), times, (at) => `203.0.${at}.9`);
  expect(codes).toEqual(["", "", "", "", "", "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS"]);
});

test("bookings.move: one booking, when it is moved again and again from many networks, is moved twenty times and no more", async () => {
  const { theCase, p1 } = await aCase(practice);
  const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  const { manageId } = await bookAs(visitor(), link.publicId, { person: null });
  const { times } = await opened(visitor(), link.publicId);
  const codes = await movedOften(Array(22).fill(manageId), times, (at) => `203.0.${at}.9`);
  expect(codes.filter((code) => code === "")).toHaveLength(20);
  expect(codes.at(-1)).toBe("TOO_MANY_REQUESTS");
});

test("bookings.cancel: by a link of one's own, when others of the same network tried very often, or it was moved very often, is done", async () => {
  const link = await makeLink(practice);
  const [mine, other] = [await bookAs(visitor(), link.publicId), await bookAs(visitor(), link.publicId)];
  const cancel = async (id: string, formToken: string) =>
    (
      await refusal(
        aVisitor(app, { "x-forwarded-for": "203.0.7.9" }).api.bookings.cancel.mutate({ id, formToken, website: "" }),
      )
    ).code;
  for (let at = 0; at < 25; at += 1) await cancel(other.manageId, "x".repeat(40));
  const { times } = await opened(visitor(), link.publicId);
  expect((await movedOften(Array(24).fill(mine.manageId), times, () => "203.0.7.9")).at(-1)).toBe("TOO_MANY_REQUESTS");
  const { page } = await opened(visitor(), mine.manageId);
  expect(await cancel(mine.manageId, page.formToken)).toBe("");
});
