// Who is not to meet the other at the door does not, at two meetings that touch as little as at one.
import { newId } from "@app/server/core/ids";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { CreateMeeting } from "@app/shared/meetings";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMeetingInput, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { screenedCaseOf } from "../support/server/screened-case.ts";
import { withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const WHY = "They leave by the other door, and a colleague waits with them";
const MILL = { kind: "in_person", place: "1 Mill Lane" } as const;
const TEN = "2031-03-04T10:00:00.000Z";

const at = (minutes: number): string => new Date(Date.parse(TEN) + minutes * 60_000).toISOString();
const asked = {
  code: "BAD_REQUEST",
  fields: {
    againstMeasures:
      "Say why this meeting goes without: separate arrivals. Another meeting of this case is at the same place within 15 minutes of it.",
  },
};

/** A case whose first party comes alone at ten, and how the other is booked beside it. */
async function aMeetingAtTen(measures: Parameters<typeof withMeasures> = ["separate_arrivals"]) {
  const { theCase, p1, p2 } = await screenedCaseOf(practice, [withMeasures(...measures), {}]);
  const book = (partyId: string, given: Partial<CreateMeeting>, api: Api = practice.api) =>
    api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        type: "pre_meeting",
        partyIds: [partyId],
        location: MILL,
        allowsOverlap: true,
        startsAt: TEN,
        ...given,
      }),
    );
  const first = await book(p1.partyId, {});
  return { theCase, first, p1, p2, book, other: (given: Partial<CreateMeeting> = {}) => book(p2.partyId, given) };
}

test.each([
  ["at the same hour", 0, MILL],
  ["when the other leaves", 60, MILL],
  ["14 minutes after the other leaves", 74, MILL],
  ["an hour before the other comes", -60, MILL],
  ["14 minutes before that", -74, MILL],
  ["at the place in other words", 60, { kind: "in_person", place: "1, mill  lane." }],
  ["at a place that nobody has said", 60, { kind: "in_person", place: "" }],
] as const)("meetings.create: %s asks why it goes without separate arrivals", async (_when, minutes, location) => {
  const { theCase, other } = await aMeetingAtTen();
  expect(await refusal(other({ startsAt: at(minutes), location }))).toMatchObject(asked);
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(1);
  const { againstMeasures } = await other({ startsAt: at(minutes), location, againstMeasures: WHY });
  expect(againstMeasures).toBe(WHY);
});

test("meetings.reschedule: a meeting that is moved next to another asks the same, and keeps the answer", async () => {
  const { other } = await aMeetingAtTen();
  const { id, version } = await other({ startsAt: at(300) });
  const move = (given: { againstMeasures?: string } = {}) =>
    practice.api.meetings.reschedule.mutate({
      id,
      version,
      changeId: newId(),
      startsAt: at(60),
      endsAt: at(120),
      reason: "",
      allowsOverlap: true,
      ...given,
    });
  expect(await refusal(move())).toMatchObject(asked);
  expect(await move({ againstMeasures: WHY })).toMatchObject({ startsAt: at(60), againstMeasures: WHY });
});

test.each([
  ["15 minutes after the other leaves", 75, MILL],
  ["at another place", 60, { kind: "in_person", place: "9 High Street" }],
  ["by video", 60, { kind: "video", place: "" }],
] as const)("meetings.create: %s nothing is asked", async (_when, minutes, location) => {
  const { other } = await aMeetingAtTen();
  expect((await other({ startsAt: at(minutes), location })).status).toBe("booked");
});

test("meetings.create: without such a measure, or once the other meeting is off, nothing is asked", async () => {
  const { other } = await aMeetingAtTen(["support_person"]);
  expect((await other()).status).toBe("booked");
  const { first, ...again } = await aMeetingAtTen();
  await practice.api.meetings.cancel.mutate({
    id: first.id,
    version: first.version,
    reason: "Ill",
    isLate: false,
    isWholeSeries: false,
    changeId: newId(),
  });
  expect((await again.other()).status).toBe("booked");
});

test("meetings.create: a series is asked for each of its times", async () => {
  const { other } = await aMeetingAtTen();
  const repeat = { everyWeeks: 1, times: 3 };
  expect(await refusal(other({ startsAt: at(60 - 14 * 24 * 60), repeat }))).toMatchObject(asked);
});

test("meetings.create: whoever may not read screenings hears neither that there is a measure nor of whom", async () => {
  const { p2, book } = await aMeetingAtTen();
  const permissions = ["clients.read", "clients.write", "calendar.manage"] as const;
  const { api } = await aStaffUser(app, practice, { permissions: [...permissions] });
  const refused = await refusal(book(p2.partyId, { startsAt: at(60), againstMeasures: WHY }, api));
  expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", message: SCREENING_SAYS_NOT_YET });
  expect((await book(p2.partyId, { startsAt: at(75) }, api)).status).toBe("booked");
});

test("meetings.setStatus: a meeting beside which another was booked with a reason goes on without a question", async () => {
  const { first, other } = await aMeetingAtTen();
  await other({ startsAt: at(60), againstMeasures: WHY });
  const { id, version } = first;
  expect(await practice.api.meetings.setStatus.mutate({ id, version, to: "confirmed" })).toMatchObject({
    status: "confirmed",
    againstMeasures: "",
  });
});
