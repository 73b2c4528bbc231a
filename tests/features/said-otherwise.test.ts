// A session of a day on which the calendar says that nobody met, or that somebody did not come, asks why.
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const DAY = addDays(TODAY, -5);

/** In mediation, with a joint meeting of that day of which this is stored. */
async function met(stored: (partyId: string) => object) {
  const { theCase, p1, p2 } = await aMediatedCase(practice, {
    ...ledBy(practice.ownerId),
    startedOn: addDays(TODAY, -30),
  });
  await metBefore(practice, theCase.id, addDays(TODAY, -20));
  const input = {
    caseId: theCase.id,
    type: "mediation" as const,
    partyIds: [p1.partyId, p2.partyId],
    startsAt: "2033-01-02T10:00:00.000Z",
  };
  const { id } = await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, input));
  const times = { startsAt: new Date(`${DAY}T10:00:00Z`), endsAt: new Date(`${DAY}T12:00:00Z`) };
  await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: { ...times, ...stored(p2.partyId) } });
  return theCase.id;
}

const record = (caseId: string, unmetReason = "") =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: null,
    startedAt: `${DAY}T10:00:00.000Z`,
    endedAt: `${DAY}T12:00:00.000Z`,
    unmetReason,
  });

test.each([
  ["cancelled", () => ({ status: "cancelled" }), /The calendar says that the meeting on .* was cancelled\./],
  ["moved", () => ({ status: "rescheduled" }), /The calendar says that the meeting on .* was moved\./],
  ["missed", () => ({ status: "no_show" }), /The calendar says that nobody met on /],
  [
    "held without one of them",
    (partyId: string) => ({ status: "completed", attendance: [{ partyId, attendance: "no_show" }] }),
    /The calendar says that P2 did not come on /,
  ],
] as const)(
  "sessions.record: of a day whose meeting was %s, then it says so, and asks why it was held all the same",
  async (_what, stored, words) => {
    const caseId = await met(stored);
    const { fields } = await refusal(record(caseId));
    expect(fields["unmetReason"]).toMatch(words);
    const { id } = await record(caseId, "They came after all, an hour later");
    const { unmet } = await practice.api.sessions.get.query({ id });
    expect(unmet.flatMap(({ what }) => what).join(" ")).toMatch(words);
  },
);

test.each([
  ["held", { status: "completed" }],
  ["booked", { status: "booked" }],
])("sessions.record: of a day whose meeting is %s, then nothing is said of the calendar", async (_what, stored) => {
  const said = await refusal(record(await met(() => stored))).catch(() => null);
  expect(said?.fields["unmetReason"] ?? "").not.toContain("calendar");
});

test("sessions.setAttendance: where the calendar said that somebody did not come, and its session says that they did, then the lock asks why", async () => {
  const caseId = await met((partyId) => ({ status: "completed", attendance: [{ partyId, attendance: "no_show" }] }));
  const { parties } = await practice.api.cases.get.query({ id: caseId });
  const meeting = await MeetingModel.findOne({ ownerId: practice.ownerId, caseId }).lean();
  const { id } = await practice.api.sessions.record.mutate({
    id: newId(),
    caseId,
    meetingId: meeting?._id ?? "",
    startedAt: `${DAY}T10:00:00.000Z`,
    endedAt: `${DAY}T12:00:00.000Z`,
    unmetReason: "",
  });
  const { sessions } = practice.api;
  const change = () => ({ id, changeId: newId() });
  for (const { partyId } of parties) {
    await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const asked = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "", heldOn: DAY, wasAskedBefore: true };
    await sessions.reviewSafety.mutate({ ...change(), partyId, ...asked });
  }
  await sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" }, outcomeBefore: null });
  const lock = (unmetReason = "") =>
    practice.api.sessions.move.mutate({ id, changeId: newId(), to: "locked", unmetReason });
  expect((await refusal(lock())).fields["unmetReason"]).toMatch(/The calendar had said that P2 did not come\./);
  const { unmet } = await lock("They came an hour late, after the mark");
  expect(unmet.flatMap(({ what }) => what).join(" ")).toContain("The calendar had said that P2 did not come.");
});
