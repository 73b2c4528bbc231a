// Two parties find a time, each by a link of their own, and neither learns anything of the other.
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { MATCHED_WITHIN_MS, matchPicks } from "@app/server/features/bookings/pair-picks.service";
import { clock, HOUR_MS } from "@app/server/core/clock";
import { newToken } from "@app/server/core/ids";
import { tellOfLostPicks } from "@app/server/features/bookings/lost-picks";
import { HistoryModel } from "@app/server/features/history/history.model";
import { BookingPairModel } from "@app/server/features/bookings/pairs.model";
import type { BookingPair } from "@app/shared/booking-pairs";
import { updateClientSchema } from "@app/shared/clients";
import { beforeEach, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aPair, bothPicked, mailsOf, makeLink, matchLater, opened } from "../support/server/booked.ts";
import { mayContact, othersAnswered } from "../support/server/contactable.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aVisitor } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
let built: Awaited<ReturnType<typeof aCase>>;
beforeEach(async () => {
  await forgetAttempts();
  built = await aCase(practice);
  await mayContact(built.theCase);
  await othersAnswered(built.theCase);
});

const partyIds = () => [built.p1.partyId, built.p2.partyId];
const makePair = () =>
  practice.api.bookings.createPair.mutate(aPair(practice.ownerId, { caseId: built.theCase.id, partyIds: partyIds() }));
const linkOf = (pair: BookingPair, at: number) => pair.sides[at]?.publicId ?? "";

async function pick(
  id: string,
  at: readonly number[],
  { all, timeZone = "Europe/London" }: { all?: readonly string[]; timeZone?: string } = {},
): Promise<string[]> {
  const { page, times } = await opened(visitor(), id);
  const chosen = at.map((index) => (all ?? times)[index] ?? "");
  await visitor().bookings.pick.mutate({ id, times: chosen, timeZone, formToken: page.formToken, website: "" });
  return chosen;
}

async function answer(id: string, isAgreed: boolean): Promise<void> {
  const { page } = await opened(visitor(), id);
  await visitor().bookings.answer.mutate({ id, isAgreed, formToken: page.formToken, website: "" });
}

/** What a page says of its party, without what is new in each. */
async function shown(id: string): Promise<string> {
  const { page } = await opened(visitor(), id);
  return JSON.stringify({ ...page, formToken: "" });
}

test("bookings.createPair: that two were asked, when the history is looked at, stands there for the practice alone", async () => {
  await makePair();
  const told = await HistoryModel.findOne({ ownerId: practice.ownerId, kind: "meeting" }).sort({ $natural: -1 }).lean();
  expect(told).toMatchObject({
    text: "Links made by which two parties find a time: Choose times that suit you",
    caseId: built.theCase.id,
    clientIds: [built.p1.clientId, built.p2.clientId],
    visibility: { scope: "staff", partyIds: [] },
  });
});

test("bookings.pick: what one chose, when the other opens their page, shows nowhere, and the page of each is the same as before", async () => {
  const pair = await makePair();
  const before = await shown(linkOf(pair, 1));
  const { times } = await opened(visitor(), linkOf(pair, 1));
  await pick(linkOf(pair, 0), [3, 7]);
  expect(await shown(linkOf(pair, 1))).toBe(before);
  expect((await opened(visitor(), linkOf(pair, 1))).times).toEqual(times);
  expect(await shown(linkOf(pair, 0))).not.toContain(built.p2.partyId);
  expect(await mailsOf(practice.ownerId)).toEqual([]);
  expect(await practice.api.bookings.listPairs.query({ page: 1 })).toMatchObject({
    items: [{ state: "asking", sides: [{ pickCount: 2 }, { pickCount: 0 }] }],
  });
});

test("bookings.answer: the first common time is kept, and once both confirmed it is booked and each is invited alone", async () => {
  const pair = await makePair();
  const [one, other] = [linkOf(pair, 0), linkOf(pair, 1)];
  const { times } = await opened(visitor(), one);
  await pick(one, [30, 3, 7], { all: times });
  await pick(other, [30, 7, 12], { all: times, timeZone: "America/New_York" });
  await matchLater();
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  expect(meeting).toMatchObject({ status: "proposed", isHolding: true, isInvitationSent: false });
  expect(meeting?.startsAt.toISOString()).toBe(times[7]);
  const taken = aMeetingInput(practice.ownerId, { startsAt: times[7] ?? "" });
  expect(await refusal(practice.api.meetings.create.mutate(taken))).toMatchObject({ code: "CONFLICT" });
  for (const id of [one, other])
    expect((await opened(visitor(), id)).page).toMatchObject({ state: "held", own: { startsAt: times[7] } });
  const [toOne, toOther, ...more] = await mailsOf(practice.ownerId);
  expect([more, toOne?.partyId, toOther?.partyId]).toEqual([[], ...partyIds()]);
  expect(toOne?.text).toContain(one);
  expect(toOther?.text).toContain(other);
  expect(`${toOne?.text}${toOne?.subject}`).not.toMatch(new RegExp(`${other}|Owen|mediat|other|both|party`, "i"));
  expect(`${toOther?.text}${toOther?.subject}`).not.toMatch(new RegExp(`${one}|Priya|mediat|other|both|party`, "i"));
  const whenIn = (mail: typeof toOne) => /^When: (.*)$/m.exec(mail?.text ?? "")?.[1];
  expect(whenIn(toOne)).toMatch(/United Kingdom/);
  expect(whenIn(toOther)).toMatch(/Eastern|New York/);
  await answer(one, true);
  expect(await mailsOf(practice.ownerId)).toHaveLength(2);
  await answer(other, true);
  const [booked] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  expect(booked).toMatchObject({ status: "booked", isInvitationSent: true });
  const mails = await mailsOf(practice.ownerId);
  const invitations = mails.filter(({ purpose }) => purpose === "invitation");
  expect(new Set(invitations.map(({ partyId }) => partyId))).toEqual(new Set(partyIds()));
  expect(invitations).toHaveLength(2);
  // In the zone of the mail before it.
  const invited = (at: number) => invitations.find(({ partyId }) => partyId === partyIds()[at])?.text;
  expect([invited(0), invited(1)]).toEqual([
    expect.stringContaining("United Kingdom"),
    expect.stringContaining("Eastern"),
  ]);
  expect((await opened(visitor(), one)).page).toMatchObject({ state: "booked" });
});

test("bookings.answer: one gives the time back, then it is free, and the next common one is kept", async () => {
  const pair = await makePair();
  const [one, other] = [linkOf(pair, 0), linkOf(pair, 1)];
  const { times } = await opened(visitor(), one);
  await pick(one, [3, 20], { all: times });
  await pick(other, [3, 20], { all: times });
  await matchLater();
  await answer(one, true);
  await answer(other, false);
  // Nor is it told at once whether something else suits the other as well.
  expect((await opened(visitor(), other)).page).toMatchObject({ state: "waiting", own: null });
  await matchLater();
  const kept = await MeetingModel.find({ ownerId: practice.ownerId, status: "proposed" }).lean();
  expect(kept.map(({ startsAt }) => startsAt.toISOString())).toEqual([times[20]]);
  const stored = await BookingPairModel.findOne({ ownerId: practice.ownerId }).lean();
  expect(stored?.sides.map(({ confirmedAt }) => confirmedAt)).toEqual([null, null]);
  expect((await opened(visitor(), one)).page).toMatchObject({ state: "held", hasConfirmed: false });
});

test("bookings.pick: where both have one mailbox, nobody is mailed of the time that is kept, and a task asks for each", async () => {
  const pair = await makePair();
  const { email } = await practice.api.clients.get.query({ id: built.p1.clientId });
  const { id, version, ...stored } = await practice.api.clients.get.query({ id: built.p2.clientId });
  const filled = Object.keys(updateClientSchema.shape.client.shape).map((key) => [key, Reflect.get(stored, key)]);
  const client = updateClientSchema.shape.client.parse({ ...Object.fromEntries(filled), email });
  await practice.api.clients.update.mutate({ id, version, client });
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await pick(linkOf(pair, 0), [7], { all: times });
  await pick(linkOf(pair, 1), [7], { all: times });
  await matchLater();
  expect(await mailsOf(practice.ownerId)).toEqual([]);
  const { items } = await practice.api.tasks.list.query({});
  const asked = items.filter(({ title }) => title.startsWith("A time is kept: ask "));
  expect(new Set(asked.map(({ clientId }) => clientId))).toEqual(new Set([built.p1.clientId, built.p2.clientId]));
  expect(asked).toHaveLength(2);
  for (const { title } of asked) expect(title).toContain("the address is also that of somebody on another side");
});

test("a private pair: when none of the times of one is free any more, a colleague is asked once to let them choose again", async () => {
  const pair = await makePair();
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await pick(linkOf(pair, 0), [5], { all: times });
  await pick(linkOf(pair, 1), [20], { all: times });
  const tasks = async () =>
    (await practice.api.tasks.list.query({})).items.filter(({ title }) => title.startsWith("No time that "));
  const lookLater = async (minutes: number) => {
    moveTime(minutes * 60_000);
    await tellOfLostPicks();
  };
  await lookLater(11);
  expect(await tasks()).toEqual([]);
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt: times[5] ?? "" }));
  await lookLater(22);
  await lookLater(33);
  const { displayName } = await practice.api.clients.get.query({ id: built.p1.clientId });
  expect(await tasks()).toMatchObject([
    {
      title: `No time that ${displayName} chose is free any more: ask them, alone, to choose others by their link`,
      clientId: built.p1.clientId,
      caseId: built.theCase.id,
    },
  ]);
  const stored = await BookingPairModel.findOne({ ownerId: practice.ownerId }).lean();
  expect(stored?.sides.map(({ isToldLost }) => isToldLost === true)).toEqual([true, false]);
  await pick(linkOf(pair, 0), [9], { all: times });
  const again = await BookingPairModel.findOne({ ownerId: practice.ownerId }).lean();
  expect(again?.sides.map(({ isToldLost }) => isToldLost === true)).toEqual([false, false]);
  expect(await mailsOf(practice.ownerId)).toEqual([]);
});

test("a private pair: when the times of one are gone who must not be asked now, nobody is asked to", async () => {
  const pair = await makePair();
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await pick(linkOf(pair, 0), [5], { all: times });
  await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt: times[5] ?? "" }));
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
  moveTime(11 * 60_000);
  await tellOfLostPicks();
  const { items } = await practice.api.tasks.list.query({});
  expect(items.filter(({ title }) => title.startsWith("No time that "))).toEqual([]);
});

test("bookings.pick: both choose at once, when a time suits them, it is kept once", async () => {
  const pair = await makePair();
  const ids = [linkOf(pair, 0), linkOf(pair, 1)];
  const { times } = await opened(visitor(), ids[0] ?? "");
  const pages = await Promise.all(ids.map((id) => visitor().bookings.page.query({ id })));
  await opened(visitor(), ids[0] ?? "");
  await Promise.all(
    pages.map(({ formToken }, at) =>
      visitor().bookings.pick.mutate({
        id: ids[at] ?? "",
        times: [times[5] ?? ""],
        timeZone: "Europe/London",
        formToken,
        website: "",
      }),
    ),
  );
  await Promise.all([matchLater(), matchPicks()]);
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId })).toBe(1);
});

test("bookings.pick: whether the other chose before or after, when one has chosen, shows in nothing that they are told", async () => {
  const pair = await makePair();
  const [one, other] = [linkOf(pair, 0), linkOf(pair, 1)];
  const { times } = await opened(visitor(), one);
  await pick(one, [100], { all: times });
  const afterFirst = await shown(one);
  moveTime(10 * HOUR_MS);
  await pick(other, [100], { all: times });
  expect(await shown(other)).toBe(afterFirst.replaceAll(one, other));
  // In the middle between two of the hours at which it is looked for.
  const matched = 2 * HOUR_MS;
  const now = clock.now().getTime();
  moveTime(Math.ceil(now / matched) * matched + HOUR_MS - Date.now());
  await pick(other, [100], { all: times });
  await matchPicks();
  expect([await mailsOf(practice.ownerId), await MeetingModel.countDocuments({ ownerId: practice.ownerId })]).toEqual([
    [],
    0,
  ]);
  moveTime(clock.now().getTime() + MATCHED_WITHIN_MS - Date.now());
  await matchPicks();
  expect(await mailsOf(practice.ownerId)).toHaveLength(2);
});

test("bookings.slots: for two parties, no time is offered that could not be taken any more once it is looked for", async () => {
  const pair = await makePair();
  const { publicId } = await makeLink(practice);
  const [alone, together] = [await opened(visitor(), publicId), await opened(visitor(), linkOf(pair, 0))];
  const soonest = (times: readonly string[]) => new Date(times[0] ?? "").getTime();
  expect(soonest(together.times)).toBeGreaterThanOrEqual(clock.now().getTime() + MATCHED_WITHIN_MS);
  expect(alone.times).toEqual(expect.arrayContaining(together.times));
});

test("bookings.page: what a screening found since, when a party opens their link, closes it without a word of why", async () => {
  const pair = await makePair();
  await practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, NOT_SAFE));
  const dead = await refusal(visitor().bookings.page.query({ id: "x".repeat(43) }));
  for (const at of [0, 1]) expect(await refusal(visitor().bookings.page.query({ id: linkOf(pair, at) }))).toEqual(dead);
});

test("bookings.endPair: when staff end the links, neither opens any more and the time is free", async () => {
  const pair = await makePair();
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await pick(linkOf(pair, 0), [3], { all: times });
  await pick(linkOf(pair, 1), [3], { all: times });
  await matchLater();
  await practice.api.bookings.endPair.mutate({ id: pair.id });
  expect(await refusal(visitor().bookings.page.query({ id: linkOf(pair, 0) }))).toMatchObject({ code: "NOT_FOUND" });
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  expect(meeting).toMatchObject({ status: "cancelled", isHolding: false });
});

test("bookings.pick: a time that a passer-by holds, when it was chosen before, stays chosen, and is kept once it is free", async () => {
  const pair = await makePair();
  const [at = ""] = await pick(linkOf(pair, 0), [3]);
  const { publicId } = await makeLink(practice);
  const held = { version: 0, mediatorId: null, startsAt: at, holder: newToken(), timeZone: "Europe/London" };
  await visitor().bookings.hold.mutate({ id: publicId, ...held });
  expect((await opened(visitor(), linkOf(pair, 0))).times).toContain(at);
  expect((await opened(visitor(), linkOf(pair, 1))).times).not.toContain(at);
  // The other chose it before it was held.
  await BookingPairModel.updateOne(
    { ownerId: practice.ownerId, _id: pair.id },
    { $set: { "sides.1.picks": [new Date(at)], isUnmatched: true } },
  );
  await matchLater();
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  await visitor().bookings.letGo.mutate({ id: publicId, holder: held.holder });
  await matchLater();
  expect(await MeetingModel.find({ ownerId: practice.ownerId }).lean()).toMatchObject([{ startsAt: new Date(at) }]);
});

test("bookings.answer: a kept time that both decline at once, then both declines hold, and nobody is asked to look at it", async () => {
  const { links } = await bothPicked(practice, aVisitor(app), [5, 9]);
  const pages = await Promise.all(links.map((id) => visitor().bookings.page.query({ id })));
  await opened(visitor(), links[0] ?? "");
  const codes = await Promise.all(
    links.map(async (id, at) => {
      const sent = { id, isAgreed: false, formToken: pages[at]?.formToken ?? "", website: "" };
      return (await refusal(visitor().bookings.answer.mutate(sent))).code;
    }),
  );
  // Whoever comes a moment later finds that nothing is kept.
  for (const code of codes) expect(["", "PRECONDITION_FAILED"]).toContain(code);
  expect(codes).toContain("");
  const { items } = await practice.api.tasks.list.query({ page: 1 });
  expect(items.map(({ title }) => title).join()).not.toContain("cannot be booked as the case stands");
});

test("bookings.cancel: one of two whose time is booked has its calendar entry, and cancels it for both, who learn nothing more", async () => {
  const { links, p1, p2 } = await bothPicked(practice, aVisitor(app), [90]);
  const [one = "", other = ""] = links;
  expect((await opened(visitor(), one)).page).toMatchObject({ own: { calendar: null }, cancellableUntil: null });
  for (const id of links) await answer(id, true);
  const { page } = await opened(visitor(), one);
  const own = page.kind === "pair" ? page.own : null;
  expect(own?.calendar).toContain("METHOD:REQUEST");
  expect(own?.calendar).not.toMatch(new RegExp(`${other}|Owen`));
  await visitor().bookings.cancel.mutate({ id: one, formToken: page.formToken, website: "" });
  expect(await MeetingModel.find({ ownerId: practice.ownerId }).lean()).toMatchObject([{ status: "cancelled" }]);
  const told = (await mailsOf(practice.ownerId)).filter(({ purpose }) => purpose === "cancellation");
  expect(new Set(told.map(({ partyId }) => partyId))).toEqual(new Set([p1.partyId, p2.partyId]));
  const toOther = told.find(({ partyId }) => partyId === p2.partyId);
  expect(`${toOther?.subject}${toOther?.text}`).not.toMatch(/Priya|other|both|one of/i);
  const { items } = await practice.api.tasks.list.query({ page: 1 });
  expect(items.map(({ title }) => title).join()).toContain("One of the two parties cancelled");
  for (const id of links) {
    const { page: after, times } = await opened(visitor(), id);
    expect([after, times]).toMatchObject([{ state: "cancelled", own: null, cancellableUntil: null }, []]);
    const sent = { id, times: [page.kind === "pair" ? (page.own?.startsAt ?? "") : ""], timeZone: "Europe/London" };
    expect(
      await refusal(visitor().bookings.pick.mutate({ ...sent, formToken: after.formToken, website: "" })),
    ).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "Your appointment is cancelled. We get in touch with you about another time.",
    });
  }
  expect(await practice.api.bookings.listPairs.query({ page: 1 })).toMatchObject({ items: [{ state: "cancelled" }] });
  await tellOfLostPicks();
  const asked = await practice.api.tasks.list.query({ page: 1 });
  expect(asked.items.map(({ title }) => title).join()).not.toContain("is free any more");
});

test("bookings.listPairs: a time that two found, when it is over, is not said to be waited for", async () => {
  const { links } = await bothPicked(practice, aVisitor(app), [90]);
  for (const id of links) await answer(id, true);
  await MeetingModel.updateOne({ ownerId: practice.ownerId }, { $set: { status: "completed" } });
  expect(await practice.api.bookings.listPairs.query({ page: 1 })).toMatchObject({ items: [{ state: "over" }] });
});

test("bookings.cancel: what two have booked, when less than a day is left, is left to the phone", async () => {
  const { links } = await bothPicked(practice, aVisitor(app), [90]);
  for (const id of links) await answer(id, true);
  const { page } = await opened(visitor(), links[0] ?? "");
  await MeetingModel.updateOne(
    { ownerId: practice.ownerId },
    { $set: { startsAt: new Date(clock.now().getTime() + 23 * HOUR_MS) } },
  );
  const sent = { id: links[0] ?? "", formToken: page.formToken, website: "" };
  expect((await refusal(visitor().bookings.cancel.mutate(sent))).message).toMatch(/Please phone us/);
});
