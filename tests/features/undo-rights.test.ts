// S70: what somebody may take back of their import, as things stand then, and what is told of it.
import { importMeetings } from "@app/server/features/meetings/booking.service";
import { createLogger } from "@app/server/core/logger";
import { startJobs, stopJobs } from "@app/server/core/jobs";
import type { Permission } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { changeTeam } from "../support/visibility/case-team.ts";
import { imported, settled, toldRows } from "../support/hostile/import-uploads.ts";
import { aCase, aPractice, aStaffUser, scopeOf, type TestPerson } from "../support/server/people.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const ALL: Permission[] = ["clients.read", "clients.write", "data.export", "calendar.manage", "assigned_only"];
const HIDDEN = { name: "a record you no longer see", reason: "Whoever undoes the import does not see it any more." };

let sam: TestPerson;
let samId: string;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(async () => {
  sam = await aStaffUser(app, practice, { permissions: ALL });
  samId = (await sam.api.auth.status.query()).user?.userId ?? "";
});

const listOf = ({ caseRef }: Case) =>
  `Case reference,Day,Start,Minutes,Type\n${caseRef},04/03/2031,09:30,60,Mediation\n${caseRef},05/03/2031,11:30,60,Mediation\n`;

const meetingsOf = async (clientId: string) => (await practice.api.meetings.listOf.query({ clientId })).items;
const linesOf = async (caseId: string) =>
  (await practice.api.timeline.list.query({ caseId, page: 1 })).items.map(({ text }) => text);
const takeOff = (theCase: Case) => changeTeam(practice, practice, theCase, { staffIds: [] });

test("S70: imports.undo: by somebody who was taken off the case, then its meetings stay and are told as what they no longer see", async () => {
  const { theCase, first } = await aCase(practice, { staffIds: [samId] });
  const { id } = await imported(app, sam, listOf(theCase), { kind: "meetings" });
  expect(await meetingsOf(first.id)).toHaveLength(2);
  await takeOff(theCase);
  const asked = await sam.api.imports.undo.mutate({ id, keepsChanged: false });
  expect(asked).toMatchObject({ outcome: "changed", total: 2, items: [HIDDEN, HIDDEN] });
  await sam.api.imports.undo.mutate({ id, keepsChanged: true });
  expect(await settled(sam.api, id)).toMatchObject({ status: "undone", counts: { undone: 0, kept: 2 } });
  expect(await meetingsOf(first.id)).toHaveLength(2);
  const { items } = await sam.api.imports.listProblems.query({ id });
  expect(items.map(({ value }) => value)).toEqual([HIDDEN.name, HIDDEN.name]);
  expect((await practice.api.imports.listProblems.query({ id })).items[0]?.value).toContain("Mediation on");
});

test("S70: imports.undo: when its starter is taken off the case before the piece is worked on, then what it made there stays", async () => {
  const { theCase, first } = await aCase(practice, { staffIds: [samId] });
  const { id } = await imported(app, sam, listOf(theCase), { kind: "meetings" });
  await stopJobs();
  await sam.api.imports.undo.mutate({ id, keepsChanged: false });
  await takeOff(theCase);
  await startJobs(createLogger("silent"));
  expect(await settled(sam.api, id)).toMatchObject({ counts: { undone: 0, kept: 2 } });
  expect(await meetingsOf(first.id)).toHaveLength(2);
});

test("S70: imports.undo: of cases and clients that others took over, then they stay", async () => {
  const clients = await imported(app, sam, "First name,Surname,Email\nMaya,Quill,maya.quill@example.org");
  const cases = await imported(app, sam, "Reference,Party 1\nQ-1,maya.quill@example.org", { kind: "cases" });
  await mongoose.connection
    .collection("cases")
    .updateOne({ ownerId: practice.ownerId, caseRef: "Q-1" }, { $set: { assignedUserIds: [] } });
  await mongoose.connection
    .collection("clients")
    .updateOne({ ownerId: practice.ownerId, lastName: "Quill" }, { $set: { assignedUserIds: [] } });
  for (const { id } of [cases, clients]) {
    await sam.api.imports.undo.mutate({ id, keepsChanged: true });
    expect(await settled(sam.api, id)).toMatchObject({ counts: { undone: 0, kept: 1 } });
    expect(await toldRows(sam.api, id)).toEqual([2]);
  }
  expect((await practice.api.cases.list.query({})).items.map(({ caseRef }) => caseRef)).toEqual(["Q-1"]);
});

test("imports.undo: of meetings of a case, then its history says which were removed and by whom, to the practice alone", async () => {
  const { theCase, first, p1 } = await aCase(practice, { staffIds: [samId] });
  const { id } = await imported(app, sam, listOf(theCase), { kind: "meetings" });
  const before = await linesOf(theCase.id);
  await sam.api.imports.undo.mutate({ id, keepsChanged: false });
  expect(await settled(sam.api, id)).toMatchObject({ status: "undone", counts: { undone: 2, kept: 0 } });
  expect(await meetingsOf(first.id)).toEqual([]);
  const lines = await linesOf(theCase.id);
  expect(lines.filter((text) => !before.includes(text)).toSorted()).toEqual([
    "Mediation on Tuesday 4 March 2031 at 09:30 removed: the import it came with was undone",
    "Mediation on Wednesday 5 March 2031 at 11:30 removed: the import it came with was undone",
  ]);
  const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1, kind: "import" });
  expect(items.map(({ actorName }) => actorName)).toEqual(["Tom Birch", "Tom Birch"]);
  expect(await toldToParty(app, practice, theCase.id, p1)).not.toContain("undone");
});

test.each(["writtenAt", "remindedAt"])(
  "imports.undo: of a meeting of which somebody was told (%s), then it stays as one in use",
  async (told) => {
    const { theCase, first } = await aCase(practice);
    const { id } = await imported(app, practice, listOf(theCase), { kind: "meetings" });
    const [one] = await meetingsOf(first.id);
    await mongoose.connection
      .collection<{ _id: string }>("meetings")
      .updateOne({ _id: one?.id ?? "" }, { $set: { [told]: new Date() } });
    const asked = await practice.api.imports.undo.mutate({ id, keepsChanged: false });
    expect(asked).toMatchObject({ total: 1, items: [{ reason: expect.stringContaining("It is in use") }] });
    await practice.api.imports.undo.mutate({ id, keepsChanged: true });
    await settled(practice.api, id);
    expect((await meetingsOf(first.id)).map((meeting) => meeting.id)).toEqual([one?.id]);
  },
);

test("S70: an import of meetings: when its case is hidden at the moment it is stored, then it is refused as a missing one", async () => {
  const { theCase, first, p1 } = await aCase(practice);
  const scope = { ...scopeOf(practice.ownerId), userId: samId, role: 3 as const, isAssignedOnly: true };
  const at = new Date("2031-03-04T09:30:00Z");
  const meeting = {
    type: "mediation" as const,
    title: "",
    startsAt: at,
    endsAt: new Date(at.getTime() + 3_600_000),
    status: "booked" as const,
    mediatorIds: [],
    location: { kind: "in_person" as const, place: "" },
    caseId: theCase.id,
    partyIds: [p1.partyId],
    clientIds: [first.id],
  };
  await expect(importMeetings(scope, [meeting])).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(importMeetings(scope, [{ ...meeting, caseId: null }])).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await meetingsOf(first.id)).toEqual([]);
});
