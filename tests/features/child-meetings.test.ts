// A meeting with a child is booked, and then something comes in its way: it is somebody's task, whatever that is.
import { newId } from "@app/server/core/ids";
import { addDays } from "@app/shared/days";
import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, aTime, bookChild, setChild } from "../support/server/heard-child.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

/** A family with a meeting with their child that is booked. */
async function booked() {
  const made = await aFamily(practice);
  const meeting = await bookChild(practice, made.theCase.id);
  const now = () => practice.api.cases.get.query({ id: made.theCase.id });
  const warnings = async ({ api } = practice as Pick<typeof practice, "api">) => {
    const { items } = await api.tasks.list.query({ caseId: made.theCase.id });
    return items.filter(({ title }) => title.startsWith("Do not hold the meeting with a child on"));
  };
  return { ...made, meeting, now, warnings };
}

const move = async (theCase: Case, partyId: string, to: "withdrawn" | "died" | "responded") =>
  practice.api.casework.moveParty.mutate({
    ...at(theCase),
    partyId,
    to,
    on: TODAY,
    reason: "Their own words",
    isOwnDecision: to === "withdrawn" ? true : null,
    confidences: null,
  });

test.each(["withdrawn", "died"] as const)(
  "a meeting with a child that is booked: when a parent is %s, and no two sides are left, then it is not held as it stands",
  async (to) => {
    const { p2, meeting, now, warnings } = await booked();
    await move(await now(), p2.partyId, to);
    expect(await warnings()).toMatchObject([
      {
        title: expect.stringMatching(/as it stands: fewer than two sides take part in this case$/),
        assigneeId: practice.ownerId,
        dueOn: meeting.startsAt.slice(0, 10),
      },
    ]);
  },
);

test("a meeting with a child that is booked: when it is cancelled, then nobody is told any more not to hold it", async () => {
  const { p2, meeting, now, warnings } = await booked();
  await move(await now(), p2.partyId, "withdrawn");
  expect(await warnings()).toHaveLength(1);
  const { id, version } = await practice.api.meetings.get.query({ id: meeting.id });
  const off = { id, version, changeId: newId(), reason: "They left", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate(off);
  expect(await warnings()).toEqual([]);
});

test("a meeting with a child that is booked: when what kept it from being held is put right, then nobody is told not to hold it, and what is left is still said", async () => {
  const { theCase, cim, warnings } = await booked();
  const open = async () => (await warnings()).map(({ title }) => title);
  const grown = { dateOfBirth: `${Number(TODAY.slice(0, 4)) - 19}${TODAY.slice(4)}` };
  await setChild(practice, theCase.id, cim, grown);
  expect(await open()).toEqual([expect.stringContaining("Leo is 18 or over")]);
  const unconsented = { ...cim, child: NOT_INCLUDED.child };
  await setChild(practice, theCase.id, unconsented, grown);
  expect(await open()).toHaveLength(2);
  await setChild(practice, theCase.id, unconsented);
  expect(await open()).toEqual([expect.not.stringContaining("18 or over")]);
  await setChild(practice, theCase.id, cim);
  expect(await open()).toEqual([]);
});

test("a meeting with a child that is booked: when the registration of its only mediator is confirmed no more, then it is not held as it stands", async () => {
  const { warnings } = await booked();
  const { accreditationNumber: number } = await practice.api.users.profile.query();
  const registration = { id: practice.ownerId, number, what: "child_inclusive" as const };
  await practice.api.staff.confirmAccreditation.mutate({ ...registration, isConfirmed: true });
  expect(await warnings()).toEqual([]);
  await practice.api.staff.confirmAccreditation.mutate({ ...registration, isConfirmed: false });
  expect(await warnings()).toMatchObject([
    { title: expect.stringMatching(/: no mediator of it has the child-inclusive registration any more$/) },
  ]);
  await practice.api.staff.confirmAccreditation.mutate({ ...registration, isConfirmed: true });
  expect(await warnings()).toEqual([]);
});

test("a meeting with a child that is booked: when a parent is found not safe, then it is not held as it stands, and only who may read screenings is told", async () => {
  const { theCase, p2, warnings } = await booked();
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId));
  expect(await warnings()).toEqual([]);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const told = (await warnings()).filter(({ title }) => title.endsWith("somebody has to be screened again first"));
  expect(told).toMatchObject([{ assigneeId: practice.ownerId }]);
  const finance = await aStaffUser(app, practice, { role: 4 });
  expect((await warnings(finance)).map(({ title }) => title)).not.toContain(told[0]?.title);
});

test("meetings.create: a child who is grown up, or ten, on the day of the meeting is asked for as that", async () => {
  const { theCase, cim } = await aFamily(practice);
  const inAWeek = addDays(TODAY, 7);
  const yearsBefore = (years: number) => `${Number(inAWeek.slice(0, 4)) - years}${inAWeek.slice(4)}`;
  const soon = { startsAt: `${addDays(TODAY, 2)}T09:00:00.000Z` };
  const later = { startsAt: `${addDays(TODAY, 9)}T09:00:00.000Z` };
  await setChild(practice, theCase.id, cim, { dateOfBirth: yearsBefore(18) });
  expect((await refusal(bookChild(practice, theCase.id, later))).message).toContain("Leo is 18 or over");
  expect(await bookChild(practice, theCase.id, soon)).toMatchObject({ status: "booked" });
  const unasked = { ...cim, voice: NOT_INCLUDED.voice, overrideReason: "Asked for it, and is mature" };
  await setChild(practice, theCase.id, unasked, { dateOfBirth: yearsBefore(10) });
  expect((await refusal(bookChild(practice, theCase.id, later))).message).toContain("Leo is ten or over");
  const young = { startsAt: `${addDays(TODAY, 3)}T09:00:00.000Z` };
  expect(await bookChild(practice, theCase.id, young)).toMatchObject({ status: "booked" });
});

test.each(["does_not_want", "parents_object", "not_suitable"] as const)(
  "meetings.create: a child under ten of whom %s is recorded is not heard, whatever reason stands there",
  async (outcome) => {
    const { theCase, cim } = await aFamily(practice);
    const overrideReason = "Mature for eight";
    const young = { dateOfBirth: addDays(TODAY, -8 * 365) };
    const voice = { offeredOn: cim.voice.offeredOn, outcome };
    await setChild(practice, theCase.id, { ...cim, overrideReason, voice }, young);
    expect((await refusal(bookChild(practice, theCase.id))).message).toContain("Leo is not to be heard");
    await setChild(practice, theCase.id, { ...cim, overrideReason, voice: NOT_INCLUDED.voice }, young);
    const startsAt = `${addDays(TODAY, 2)}T09:00:00.000Z`;
    expect(await bookChild(practice, theCase.id, { startsAt })).toMatchObject({ status: "booked" });
    expect((await refusal(bookChild(practice, theCase.id, { startsAt: aTime() }))).message).toContain("ten or over");
  },
);
