// A child is heard by the same rule, whichever way the meeting comes about.
import mongoose from "mongoose";
import { newId } from "@app/server/core/ids";
import { JOINT } from "@app/shared/sessions";
import { importMeetings } from "@app/server/features/meetings/booking.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { checked, imported, uploaded } from "../support/hostile/import-uploads.ts";
import { aFamily, bookChild, CONSENT, GIVEN, setChild } from "../support/server/heard-child.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, meetingDetailsOf, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const HAS_TO_WAIT =
  "A meeting with a child takes mediation that everybody agreed to, the consents in its case and a mediator who is registered for it. Open the case to see what is missing, and book it there.";
const kind = "meetings" as const;
const storedOf = (caseId: string) => mongoose.connection.collection("meetings").countDocuments({ caseId });
const aList = (...rows: string[]) => ["Type,Date,Start,Status,Mediators,Case", ...rows].join("\n");
const told = async (id: string) =>
  (await practice.api.imports.listProblems.query({ id })).items.map(({ row, column, message }) => [
    row,
    column,
    message,
  ]);

/** Somebody who works there and is not registered for children. */
async function anUnregistered() {
  const { email } = await aStaffUser(app, practice, { role: 2 });
  const { items } = await practice.api.staff.list.query();
  const found = items.find((one) => one.email === email);
  return { id: found?.id ?? "", name: `${found?.firstName} ${found?.lastName}` };
}

const at = (hour: number) => new Date(Date.UTC(2030, 5, 4, hour));
const anImported = (caseId: string, hour: number) => ({
  type: "cim" as const,
  title: "",
  status: "booked" as const,
  startsAt: at(hour),
  endsAt: at(hour + 1),
  mediatorIds: [practice.ownerId],
  location: { kind: "in_person" as const, place: "" },
  caseId,
  partyIds: [],
  clientIds: [],
});

test("an import of meetings: one with a child that nobody consented to, or that nobody registered leads, is a problem in the same words", async () => {
  const { theCase } = await aFamily(practice);
  const { theCase: none } = await aCase(practice);
  const { name } = await anUnregistered();
  const list = aList(
    `Child-inclusive meeting,04/03/2030,09:00,Booked,,${none.caseRef}`,
    `Child-inclusive meeting,05/03/2030,09:00,Completed,,${none.caseRef}`,
    `Child-inclusive meeting,06/03/2030,09:00,Proposed,${name},${theCase.caseRef}`,
    "Child-inclusive meeting,07/03/2030,09:00,Booked,,",
    `Child-inclusive meeting,08/03/2030,09:00,Booked,,${theCase.caseRef}`,
    `Child-inclusive meeting,08/03/2025,09:00,,,${none.caseRef}`,
    `Child-inclusive meeting,09/03/2025,09:00,Booked,,${none.caseRef}`,
  );
  const { id, counts } = await imported(app, practice, list, { kind });
  expect(counts).toMatchObject({ bad: 5, imported: 2 });
  expect(await told(id)).toEqual([2, 3, 4, 5, 8].map((row) => [row, "Type", HAS_TO_WAIT]));
  expect([await storedOf(theCase.id), await storedOf(none.id)]).toEqual([1, 1]);
});

test("an import of meetings: where a consent is withdrawn after the rows were checked, then none of them is stored", async () => {
  const { theCase, cim } = await aFamily(practice);
  const list = aList(`Child-inclusive meeting,04/03/2030,09:00,Booked,,${theCase.caseRef}`);
  const id = await uploaded(app, practice, list, { kind });
  expect((await checked(practice.api, id)).counts).toMatchObject({ ready: 1, bad: 0 });
  const scope = scopeOf(practice.ownerId);
  expect(await importMeetings(scope, [anImported(theCase.id, 9)])).toHaveLength(1);
  await setChild(practice, theCase.id, { ...cim, child: { ...GIVEN, state: "withdrawn" } });
  const later = [{ ...anImported(theCase.id, 11), type: "call" as const }, anImported(theCase.id, 13)];
  expect(await refusal(importMeetings(scope, later))).toMatchObject({ message: HAS_TO_WAIT });
  expect(await storedOf(theCase.id)).toBe(1);
});

const WHY = "The other parent consented by phone, and it was written down only later";

test("meetings.setStatus: when it was never consented that the child is heard, then the meeting is not confirmed, and completed only with what was missing and why", async () => {
  const { theCase, p1, cim } = await aFamily(practice);
  const { id } = await bookChild(practice, theCase.id, { startsAt: "2026-02-05T10:00:00.000Z" });
  await setChild(practice, theCase.id, { ...cim, parents: [{ partyId: p1.partyId, ...CONSENT }] });
  const { setStatus } = practice.api.meetings;
  const told = expect.stringContaining("has not consented for Leo");
  expect(await refusal(setStatus.mutate({ id, version: 0, to: "confirmed", unmetReason: WHY }))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: told,
  });
  for (const unmetReason of [undefined, "", " - "]) {
    const { fields } = await refusal(setStatus.mutate({ id, version: 0, to: "completed", unmetReason }));
    expect(fields).toEqual({ unmetReason: told });
  }
  const done = await setStatus.mutate({ id, version: 0, to: "completed", unmetReason: WHY });
  expect(done).toMatchObject({ status: "completed", unmet: { what: [told], reason: WHY } });
  const stored = await MeetingModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  expect(stored?.unmet).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain("by phone");
});

test("meetings.setStatus: when consent was withdrawn after the meeting was held, or on its day, then it is completed; when before it, then not", async () => {
  const { theCase, cim } = await aFamily(practice);
  const held = await bookChild(practice, theCase.id, { startsAt: "2026-02-02T10:00:00.000Z" });
  const onTheDay = await bookChild(practice, theCase.id, { startsAt: "2026-02-04T10:00:00.000Z" });
  const other = await bookChild(practice, theCase.id, { startsAt: "2026-02-05T10:00:00.000Z" });
  await setChild(practice, theCase.id, { ...cim, child: { state: "withdrawn", on: "2026-02-04" } });
  const complete = ({ id }: { id: string }) =>
    practice.api.meetings.setStatus.mutate({ id, version: 0, to: "completed" });
  for (const meeting of [held, onTheDay]) expect(await complete(meeting)).toMatchObject({ status: "completed" });
  expect((await refusal(complete(other))).fields).toEqual({ unmetReason: expect.stringContaining("withdrew consent") });
});

test.each([
  ["died", "Fewer than two sides take part"],
  ["withdrawn", "has not consented"],
] as const)(
  "meetings.create: of a parent who never consented, when they are %s, then it says: %s",
  async (to, says) => {
    const { theCase, p2, cim } = await aFamily(practice);
    const parents = cim.parents.filter(({ partyId }) => partyId !== p2.partyId);
    const { id, version } = await setChild(practice, theCase.id, { ...cim, parents });
    const step = { partyId: p2.partyId, to, on: "2026-02-02", reason: "Told by the sister", confidences: null };
    await practice.api.casework.moveParty.mutate({ id, version, ...step });
    expect((await refusal(bookChild(practice, theCase.id))).message).toContain(says);
  },
);

test("meetings.update: when a meeting that was missed is to be one with a child, or another leads it, then the same is asked", async () => {
  const { api } = practice;
  const { theCase } = await aCase(practice);
  const { id } = await api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      type: "call",
      caseId: theCase.id,
      startsAt: "2026-02-06T09:00:00.000Z",
      endsAt: "2026-02-06T10:00:00.000Z",
    }),
  );
  const missed = await api.meetings.setStatus.mutate({ id, version: 0, to: "no_show" });
  expect(await refusal(api.meetings.update.mutate({ ...meetingDetailsOf(missed), type: "cim" }))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
  const family = await aFamily(practice);
  const unregistered = await anUnregistered();
  const booked = await bookChild(practice, family.theCase.id, { startsAt: "2026-02-07T10:00:00.000Z" });
  const done = await api.meetings.setStatus.mutate({ id: booked.id, version: 0, to: "completed" });
  const led = { ...meetingDetailsOf(done), mediatorIds: [unregistered.id] };
  expect((await refusal(api.meetings.update.mutate(led))).fields).toHaveProperty("mediatorIds");
  await setChild(practice, family.theCase.id, { ...family.cim, child: { ...GIVEN, state: "withdrawn" } });
  expect(await api.meetings.update.mutate({ ...meetingDetailsOf(done), title: "Told" })).toMatchObject({
    title: "Told",
  });
});

test("sessions.addNote: when a child is heard, then what is noted is for the mediators alone, and no party is awaited", async () => {
  const { api } = practice;
  const { theCase, p1 } = await aFamily(practice);
  const { id: meetingId } = await bookChild(practice, theCase.id);
  const { id: sessionId, partyIds } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  expect(partyIds).toEqual([]);
  const note = (visibility: Visibility) =>
    api.sessions.addNote.mutate({
      sessionId,
      note: { id: newId(), kind: "file_note", visibility, body: richTextOf("Misses the dog") },
    });
  const own = { ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] };
  for (const readers of [PRACTICE_ONLY, SHARED, forParty(p1.partyId), caucusOf(p1.partyId), own])
    expect((await refusal(note(readers))).fields).toHaveProperty("visibility");
  const kept = await note(MEDIATOR_ONLY);
  expect(kept.visibility).toEqual(MEDIATOR_ONLY);
  const wider = api.notes.update.mutate({ id: kept.id, version: 0, saveId: newId(), visibility: PRACTICE_ONLY });
  expect((await refusal(wider)).fields).toHaveProperty("visibility");
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const read = await caseworker.api.notes.list.query({ caseId: theCase.id });
  expect(JSON.stringify(read)).not.toContain("Misses the dog");
});

test("sessions: when a child is heard, then nothing but notes for the mediators is written there", async () => {
  const { api } = practice;
  const { theCase, p1 } = await aFamily(practice);
  const { id: meetingId } = await bookChild(practice, theCase.id);
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
  const change = () => ({ changeId: newId(), id });
  const proposal = { proposalId: newId(), issue: "The dog", text: "Kim wants it", byPartyId: JOINT, countersId: null };
  const topic = { id: newId(), topic: "The dog", privilege: "none" as const, minutes: 10, isDone: false };
  const step = { id: newId(), text: "Ask for the dog", partyId: p1.partyId, dueOn: null };
  const { sessions } = api;
  const writing = [
    () => sessions.addProposal.mutate({ ...change(), ...proposal, release: null, visibility: SHARED }),
    () => sessions.saveTopic.mutate({ ...change(), topic }),
    () => sessions.saveNextStep.mutate({ ...change(), step }),
    () => sessions.update.mutate({ ...change(), outcome: { code: "continues", text: "The dog stays" } }),
  ];
  for (const write of writing)
    expect(await refusal(write())).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringMatching(/^What is said where a child is heard/),
    });
  const outcome = { code: "continues" as const, text: "" };
  expect(await sessions.update.mutate({ ...change(), outcome })).toMatchObject({ outcome });
});

test("sessions.start: when the registration is taken away after the meeting was booked, then the session is not started", async () => {
  const { api } = practice;
  const { theCase } = await aFamily(practice);
  const { id } = await bookChild(practice, theCase.id);
  const prepared = await api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: id });
  const profile = await api.users.profile.query();
  const { isAccreditationConfirmed: _number, isChildInclusiveConfirmed: _children, ...stated } = profile;
  await api.users.updateProfile.mutate({ ...stated, isChildInclusive: false });
  const ways = [
    api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: id }),
    api.sessions.move.mutate({ changeId: newId(), id: prepared.id, to: "in_progress" }),
  ];
  for (const each of await Promise.all(ways.map(refusal)))
    expect(each).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("child-inclusive registration"),
    });
});
