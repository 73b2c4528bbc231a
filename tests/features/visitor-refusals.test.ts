// What is refused by the rules of staff is explained to nobody outside: it would tell one party what was found of the other.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { HOUR_MS, MINUTE_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { BookingPairModel } from "@app/server/features/bookings/pairs.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { BookingPair } from "@app/shared/booking-pairs";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aPair, bookAs, makeLink, matchLater, opened } from "../support/server/booked.ts";
import { mayContact, othersAnswered } from "../support/server/contactable.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aVisitor, meetingDetailsOf } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
let built: Awaited<ReturnType<typeof aCase>>;
beforeEach(async () => {
  await forgetAttempts();
  built = await aCase(practice);
});

const NOT_HERE = {
  code: "PRECONDITION_FAILED",
  message: "This cannot be done on this page at the moment. Please phone us, or write to us.",
};

const reached = async () => {
  await mayContact(built.theCase);
  await othersAnswered(built.theCase);
};

const makePair = (type: "call" | "pre_meeting") =>
  practice.api.bookings.createPair.mutate({
    ...aPair(practice.ownerId, { caseId: built.theCase.id, partyIds: [built.p1.partyId, built.p2.partyId] }),
    type,
  });

const linkOf = (pair: BookingPair, at: number) => pair.sides[at]?.publicId ?? "";

async function pick(id: string, times: readonly string[]): Promise<void> {
  const { page } = await opened(visitor(), id);
  const sent = { formToken: page.formToken, website: "", timeZone: "Europe/London" };
  await visitor().bookings.pick.mutate({ id, times: [...times], ...sent });
}

async function answer(id: string, isAgreed: boolean) {
  const { page } = await opened(visitor(), id);
  await visitor().bookings.answer.mutate({ id, isAgreed, formToken: page.formToken, website: "" });
}

/** Both choose the same times. */
async function bothPick(pair: BookingPair, at: readonly number[]): Promise<void> {
  const { times } = await opened(visitor(), linkOf(pair, 0));
  for (const side of [0, 1])
    await pick(
      linkOf(pair, side),
      at.map((index) => times[index] ?? ""),
    );
  await matchLater();
}

const findings = (found: object) =>
  practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p2.partyId, found));

const tasks = async () =>
  (await practice.api.tasks.list.query({ caseId: built.theCase.id })).items.map(({ title }) => title);

const kept = () => MeetingModel.find({ ownerId: practice.ownerId, status: "proposed" }).lean();

test("bookings.answer: what the other's screening found since, when one confirms the time, is not said, and staff are asked once", async () => {
  await reached();
  const pair = await makePair("pre_meeting");
  await bothPick(pair, [3]);
  await answer(linkOf(pair, 1), true);
  await findings(withMeasures("separate_rooms", "support_person"));
  expect(await refusal(answer(linkOf(pair, 0), true))).toMatchObject(NOT_HERE);
  expect(await refusal(answer(linkOf(pair, 0), true))).toMatchObject(NOT_HERE);
  expect((await tasks()).filter((title) => title.startsWith("A time that both parties were to confirm"))).toHaveLength(
    1,
  );
});

test("bookings.move: what became a meeting of both, when one opens their link, is neither moved nor cancelled by it", async () => {
  const { theCase, p1, p2 } = built;
  const link = await makeLink(practice, { type: "pre_meeting", clientId: p1.clientId, caseId: theCase.id });
  const { manageId } = await bookAs(visitor(), link.publicId, { person: null });
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  await reached();
  const details = meetingDetailsOf(await practice.api.meetings.get.query({ id: meeting?._id ?? "" }));
  await practice.api.meetings.update.mutate({
    ...details,
    partyIds: [p1.partyId, p2.partyId],
    arrivals: [{ partyId: p1.partyId, minutesBefore: 30 }],
  });
  const { page, times } = await opened(visitor(), manageId);
  expect(page).toMatchObject({ kind: "manage", isChangeable: false });
  expect(times).toEqual([]);
  // They come half an hour before the other.
  const own = new Date((meeting?.startsAt.getTime() ?? 0) - 30 * MINUTE_MS);
  const stamp = own.toISOString().replace(/[-:]|\.\d{3}/g, "");
  expect(page).toMatchObject({
    appointment: { startsAt: own.toISOString(), calendar: expect.stringContaining(stamp) },
    changeableUntil: new Date(own.getTime() - 24 * HOUR_MS).toISOString(),
  });
  const sent = { id: manageId, formToken: page.formToken, website: "" };
  const refused = { code: "PRECONDITION_FAILED", message: "This appointment cannot be changed here. Please phone us." };
  const later = new Date((meeting?.startsAt.getTime() ?? 0) + 24 * HOUR_MS).toISOString();
  expect(await refusal(visitor().bookings.move.mutate({ ...sent, startsAt: later }))).toMatchObject(refused);
  expect(await refusal(visitor().bookings.cancel.mutate(sent))).toMatchObject(refused);
  expect(await MeetingModel.findOne({ ownerId: practice.ownerId }).lean()).toMatchObject({
    status: "booked",
    startsAt: meeting?.startsAt,
  });
});

test("bookings.book: a party whose case found somebody not safe, when they book by their own link, is told nothing of why not", async () => {
  const { theCase, p2 } = built;
  const link = await makeLink(practice, { type: "miam", clientId: p2.clientId, caseId: theCase.id });
  await findings(NOT_SAFE);
  expect(await refusal(bookAs(visitor(), link.publicId, { person: null }))).toMatchObject(NOT_HERE);
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  expect(await tasks()).toContainEqual(expect.stringContaining("no time could be taken as the case stands"));
});

test("bookings.answer: a time that does not suit, when it is the third, leaves nothing kept and one task, however many suit both", async () => {
  await reached();
  const pair = await makePair("call");
  await bothPick(pair, [3, 7, 11, 15, 19]);
  for (let count = 0; count < 3; count += 1) {
    expect(await kept()).toHaveLength(1);
    await answer(linkOf(pair, 0), false);
    await matchLater();
  }
  expect(await kept()).toEqual([]);
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await pick(linkOf(pair, 0), [times[40] ?? ""]);
  await matchLater();
  expect((await tasks()).filter((title) => title.includes("did not suit one of them"))).toHaveLength(1);
});

test("bookings.pick: where the practice cancelled what was kept, then what both choose next is kept", async () => {
  await reached();
  const pair = await makePair("call");
  await bothPick(pair, [3]);
  const [first] = await kept();
  const cancelling = { changeId: newId(), reason: "Away", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id: first?._id ?? "", version: first?.version ?? 0, ...cancelling });
  await bothPick(pair, [20]);
  expect((await kept()).map(({ _id }) => _id)).not.toContain(first?._id);
  expect(await kept()).toHaveLength(1);
});

test("bookings.pick: a choice that stands without the time at which it was made, when the next round looks, is kept", async () => {
  await reached();
  const pair = await makePair("call");
  const { times } = await opened(visitor(), linkOf(pair, 0));
  await BookingPairModel.updateOne(
    { ownerId: practice.ownerId, _id: pair.id },
    { $set: { "sides.$[].picks": [new Date(times[3] ?? "")], isUnmatched: true } },
  );
  await matchLater();
  expect((await kept()).map(({ startsAt }) => startsAt.toISOString())).toEqual([times[3]]);
  expect(await BookingPairModel.countDocuments({ ownerId: practice.ownerId, isUnmatched: true })).toBe(0);
});

test("meetings.cancel: what else suits both, when the practice cancels what was kept, is kept in the next round", async () => {
  await reached();
  const pair = await makePair("call");
  await bothPick(pair, [3, 20]);
  const [first] = await kept();
  const cancelling = { changeId: newId(), reason: "Away", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id: first?._id ?? "", version: first?.version ?? 0, ...cancelling });
  await matchLater();
  const [next, ...more] = await kept();
  expect(more).toEqual([]);
  expect(next?.startsAt.getTime()).toBeGreaterThan(first?.startsAt.getTime() ?? Infinity);
});

test("bookings.page: where the practice cancelled what both had confirmed, neither link goes on taking times", async () => {
  await reached();
  const pair = await makePair("call");
  await bothPick(pair, [3]);
  for (const side of [0, 1]) await answer(linkOf(pair, side), true);
  const [booked] = await MeetingModel.find({ ownerId: practice.ownerId, status: "booked" }).lean();
  const cancelling = { changeId: newId(), reason: "Away", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id: booked?._id ?? "", version: booked?.version ?? 0, ...cancelling });
  for (const side of [0, 1])
    expect(await opened(visitor(), linkOf(pair, side))).toMatchObject({ page: { state: "cancelled" }, times: [] });
});

test("routers: whatever answers somebody who is not signed in and is none of signing in, explains no rule of staff", () => {
  const routers = globSync("server/src/features/*/*.router.ts", { cwd: ROOT });
  const bare = routers.filter((file) => readFileSync(path.join(ROOT, file), "utf8").includes("publicProcedure"));
  expect(bare).toEqual(["server/src/features/auth/auth.router.ts"]);
});
