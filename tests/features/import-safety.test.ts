// No joint meeting comes in from elsewhere that could not be booked here.
import { importMeetings } from "@app/server/features/meetings/booking.service";
import type { CompleteScreening } from "@app/shared/screenings";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { checked, imported, settled, uploaded } from "../support/hostile/import-uploads.ts";
import { aCase, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const HAS_TO_WAIT =
  "This has to wait for the safety screening. Whoever may read screenings sees why in the case, and can book it there.";
const kind = "meetings" as const;

async function aScreenedCase(...found: (Partial<CompleteScreening> | null)[]) {
  const made = await aCase(practice, {}, { isScreened: false });
  const parties = [made.p1, made.p2];
  for (const [index, one] of found.entries())
    if (one)
      await practice.api.screenings.complete.mutate(aScreening(made.theCase, parties[index]?.partyId ?? "", one));
  return made;
}

const aList = (...rows: string[]) => ["Type,Date,Start,End,Status,Place,Case,Client", ...rows].join("\n");
const told = async (id: string) => (await practice.api.imports.listProblems.query({ id })).items;
const storedOf = (caseId: string) => mongoose.connection.collection("meetings").countDocuments({ caseId });

test.each<[string, (Partial<CompleteScreening> | null)[]]>([
  ["one was found not safe", [NOT_SAFE, {}]],
  ["one has no screening", [{}, null]],
  ["nobody has one", [null, null]],
  ["separate rooms were agreed", [withMeasures("separate_rooms"), {}]],
])(
  "an import of meetings: where %s, a joint one to come is a problem in the same words, and the others are stored",
  async (_what, found) => {
    const { theCase, first, second } = await aScreenedCase(...found);
    const { theCase: safe } = await aScreenedCase({}, {});
    const blind = await aStaffUser(app, practice, {
      permissions: ["clients.read", "clients.write", "data.export", "calendar.manage"],
    });
    const list = aList(
      `Mediation,04/03/2031,09:00,10:00,Booked,,${theCase.caseRef},`,
      `Call,05/03/2031,09:00,10:00,Proposed,,${theCase.caseRef},${first.email};${second.email}`,
      `Pre-meeting,06/03/2031,09:00,10:00,Booked,,${theCase.caseRef},${first.email}`,
      `Mediation,04/03/2025,09:00,10:00,Booked,,${theCase.caseRef},`,
      `Mediation,07/03/2031,09:00,10:00,Cancelled,,${theCase.caseRef},`,
      `Mediation,04/03/2031,11:00,12:00,Booked,,${safe.caseRef},`,
    );
    for (const [index, person] of [practice, blind].entries()) {
      const { id, counts } = await imported(app, person, list.replaceAll("09:00", `09:0${index}`), { kind });
      expect(counts).toMatchObject({ bad: 2, imported: index === 0 ? 4 : 3 });
      const bad = (await told(id)).filter((one) => one.kind === "bad");
      expect(bad.map(({ column, message }) => [column, message])).toEqual([
        ["Case", HAS_TO_WAIT],
        ["Case", HAS_TO_WAIT],
      ]);
    }
    expect(await storedOf(theCase.id)).toBe(6);
    expect(await storedOf(safe.id)).toBe(1);
  },
);

test("an import of meetings: two clients whose case does not allow it, and a row that names no case, then it is a problem", async () => {
  const { first, second } = await aScreenedCase(NOT_SAFE, {});
  const { first: third } = await aScreenedCase(null, null);
  const list = aList(
    `Other,04/03/2031,13:00,14:00,Booked,,,${first.email};${second.email}`,
    `Other,04/03/2031,15:00,16:00,Booked,,,${first.email};${third.email}`,
  );
  const { id, counts } = await imported(app, practice, list, { kind });
  expect(counts).toMatchObject({ bad: 1, imported: 1 });
  expect(await told(id)).toMatchObject([{ column: "Client", message: HAS_TO_WAIT }]);
});

test("an import of meetings: with online agreed, takes the one by video and not the one in a room", async () => {
  const { theCase } = await aScreenedCase(withMeasures("online_only"), {});
  const list = [
    "Type,Date,Start,End,Where,Case",
    `Mediation,04/03/2031,17:00,18:00,Video,${theCase.caseRef}`,
    `Mediation,05/03/2031,17:00,18:00,In person,${theCase.caseRef}`,
  ].join("\n");
  const id = await uploaded(app, practice, list, { kind });
  const { columns } = await practice.api.imports.get.query({ id });
  const placed = columns.map((column, index) => (index === 4 ? "locationKind" : column));
  await checked(practice.api, id, { columns: placed });
  await practice.api.imports.start.mutate({ id });
  expect((await settled(practice.api, id)).counts).toMatchObject({ bad: 1, imported: 1 });
  expect(await told(id)).toMatchObject([{ row: 3, message: HAS_TO_WAIT }]);
});

test("importMeetings: a party found not safe after the rows were checked, then none of them is stored", async () => {
  const { theCase, p1, p2, first, second } = await aScreenedCase({}, {});
  const clientIds = [first.id, second.id];
  const hour = (at: number) => new Date(Date.UTC(2031, 5, 4, at));
  const aMeeting = (startsAt: Date) => ({
    type: "mediation" as const,
    title: "",
    status: "booked" as const,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3_600_000),
    mediatorIds: [practice.ownerId],
    location: { kind: "in_person" as const, place: "" },
    caseId: theCase.id,
    partyIds: [p1.partyId, p2.partyId],
    clientIds,
  });
  const scope = scopeOf(practice.ownerId);
  expect(await importMeetings(scope, [aMeeting(hour(9))])).toHaveLength(1);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const alone = { ...aMeeting(hour(11)), partyIds: [p1.partyId], clientIds: [first.id] };
  const both = importMeetings(scope, [alone, aMeeting(hour(13))]);
  expect(await refusal(both)).toMatchObject({ message: HAS_TO_WAIT });
  expect(await storedOf(theCase.id)).toBe(1);
});
