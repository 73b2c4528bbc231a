// Individual meetings of the calendar, in cases that have no MIAM.
import { newId } from "@app/server/core/ids";
import { dayIn } from "@app/shared/days";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { MeetingType } from "@app/shared/meeting-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { standingAt } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const HOUR_MS = 3_600_000;
const startsAt = new Date(Date.now() - 30 * HOUR_MS).toISOString();
const day = dayIn("Europe/London", new Date(startsAt));

interface Booking {
  domain: CaseDomain;
  type?: MeetingType;
  isJoint?: boolean;
}

async function aMeetingIn({ domain, type = "pre_meeting", isJoint = false }: Booking) {
  const built = await aCase(practice, { ...ledBy(practice.ownerId), domain }, { isScreened: isJoint });
  const { theCase, p1, p2, first } = built;
  const partyIds = isJoint ? [p1.partyId, p2.partyId] : [p1.partyId];
  const input = aMeetingInput(practice.ownerId, {
    type,
    caseId: theCase.id,
    partyIds,
    mediatorIds: [practice.ownerId],
    startsAt,
    allowsOverlap: true,
  });
  const { id } = await practice.api.meetings.create.mutate(input);
  const mark = (attendance: "present" | "no_show") =>
    practice.api.meetings.setAttendance.mutate({ id, partyId: p1.partyId, attendance });
  const set = async (to: "completed" | "no_show") => {
    const { version } = await practice.api.meetings.get.query({ id });
    // Both sides met before mediation had begun.
    const why = isJoint ? { unmetReason: "They came together" } : {};
    await practice.api.meetings.setStatus.mutate({ id, version, to, ...why });
  };
  const party = async () => (await practice.api.cases.get.query({ id: theCase.id })).parties[0];
  return { theCase, first, p1, mark, set, party };
}

test.each(["workplace", "civil", "community", "other"] as const)(
  "meetings: an individual meeting of a %s case that was completed moves whoever was there, in its words, and makes no record of a MIAM",
  async (domain) => {
    const { theCase, first, mark, set, party } = await aMeetingIn({ domain });
    await mark("present");
    expect(await party()).toMatchObject({ status: "to_invite" });
    await set("completed");
    expect(await party()).toMatchObject({ status: "miam_attended", miamOn: day });
    expect((await practice.api.assessments.list.query({ caseId: theCase.id })).items).toEqual([]);
    const { items } = await practice.api.timeline.list.query({ clientId: first.id });
    const lines = items.map(({ text }) => text).join();
    expect(lines).toContain("P1: Individual meeting attended");
    expect(lines).not.toContain("MIAM");
  },
);

test.each([
  ["family", "miam"],
  ["workplace", "pre_meeting"],
] as const)(
  "meetings.create: in a %s case, when the assessment meeting of somebody who did the intake is booked, then their way says so, and when all are cancelled, then it is as before",
  async (domain, type) => {
    const { theCase, p1 } = await aCase(practice, { ...ledBy(practice.ownerId), domain });
    await standingAt(practice, theCase.id, ["intake_done", "intake_done"]);
    const book = () =>
      practice.api.meetings.create.mutate(
        aMeetingInput(practice.ownerId, {
          type,
          caseId: theCase.id,
          partyIds: [p1.partyId],
          mediatorIds: [practice.ownerId],
          allowsOverlap: true,
        }),
      );
    const statuses = async () =>
      (await practice.api.cases.get.query({ id: theCase.id })).parties.map(({ status }) => status);
    const cancel = ({ id, version }: { id: string; version: number }) =>
      practice.api.meetings.cancel.mutate({
        changeId: newId(),
        id,
        version,
        reason: "They asked for it",
        isLate: false,
        isWholeSeries: false,
      });
    const one = await book();
    expect(await statuses()).toEqual(["miam_booked", "intake_done"]);
    const other = await book();
    await cancel(one);
    expect(await statuses()).toEqual(["miam_booked", "intake_done"]);
    await cancel(other);
    expect(await statuses()).toEqual(["intake_done", "intake_done"]);
  },
);

test("meetings: an individual meeting to which somebody did not come is missed; marked right, it is attended, and then only a step taken back undoes it", async () => {
  const { theCase, p1, mark, set, party } = await aMeetingIn({ domain: "workplace" });
  await mark("no_show");
  await set("completed");
  expect(await party()).toMatchObject({ status: "miam_missed" });
  await mark("present");
  expect(await party()).toMatchObject({ status: "miam_attended", miamOn: day });
  expect((await refusal(mark("no_show"))).message).toContain("take their last step back");
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  await practice.api.casework.correct.mutate({
    id: theCase.id,
    version,
    partyId: p1.partyId,
    of: "step",
    reason: "They did not come",
  });
  await mark("no_show");
  expect(await party()).toMatchObject({ status: "miam_missed", miamOn: "" });
});

test.each([
  ["of a family case", { domain: "family" }],
  ["with both sides", { domain: "workplace", isJoint: true }],
  ["that is a call", { domain: "workplace", type: "call" }],
] as const)("meetings: one %s is no individual meeting, and moves nobody", async (_what, booking) => {
  const { mark, set, party } = await aMeetingIn(booking);
  const before = await party();
  await mark("present");
  await set("completed");
  expect(await party()).toMatchObject({ status: before?.status, miamOn: "" });
});
