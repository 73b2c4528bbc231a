// Meetings with children: every parent's and the child's consent, a registered mediator, and nobody else's eyes.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { daysOfConsents, responsibilityOfParents } from "@app/server/features/cases/case-parties.migration";
import type { Case } from "@app/shared/cases";
import { type Inclusion, NOT_INCLUDED } from "@app/shared/child-inclusive";
import type { CreateMeeting } from "@app/shared/meetings";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { registerForChildren, URN } from "../support/server/assessments.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import {
  aFamily as aFamilyOf,
  aTime,
  bookChild,
  CONSENT,
  GIVEN,
  setChild as setChildOf,
} from "../support/server/heard-child.ts";
import {
  aCaseInput,
  aClient,
  aMeetingInput,
  aPractice,
  aStaffUser,
  meetingDetailsOf,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const setChild = (caseId: string, cim: Inclusion) => setChildOf(practice, caseId, cim);
const aFamily = (overrides: Parameters<typeof aFamilyOf>[1] = {}) => aFamilyOf(practice, overrides);
const book = (caseId: string, overrides: Partial<CreateMeeting> = {}) => bookChild(practice, caseId, overrides);
const tasksOf = async (caseId: string) => (await practice.api.tasks.list.query({ caseId })).items;

test("meetings.create: when all consented and the mediator is registered, then the meeting with a child is booked", async () => {
  const { theCase } = await aFamily();
  expect(await book(theCase.id)).toMatchObject({ type: "cim", status: "booked" });
});

test("meetings.create: when a consent is missing, withdrawn or without a day, then it is refused and named", async () => {
  const { theCase, p1, p2, cim } = await aFamily();
  const [first, second] = [
    { partyId: p1.partyId, ...CONSENT },
    { partyId: p2.partyId, ...CONSENT },
  ];
  const wrong: Inclusion[] = [
    { ...cim, parents: [first] },
    { ...cim, parents: [first, { ...second, state: "withdrawn" }] },
    { ...cim, parents: [first, { ...second, state: "undated", on: "", how: "" }] },
    { ...cim, child: NOT_INCLUDED.child },
    { ...cim, child: { ...GIVEN, state: "withdrawn" } },
    { ...cim, voice: NOT_INCLUDED.voice },
    { ...cim, isOffered: false },
  ];
  for (const each of wrong) {
    await setChild(theCase.id, each);
    for (const status of ["booked", "proposed"] as const)
      expect(await refusal(book(theCase.id, { status }))).toMatchObject({
        code: "PRECONDITION_FAILED",
        message: expect.stringMatching(/^No child can be heard yet: /),
      });
  }
});

test("meetings.create: when it is no family case, or belongs to none, then no meeting with a child is booked", async () => {
  const { theCase } = await aFamily({ domain: "civil" });
  expect((await refusal(book(theCase.id))).message).toContain("only family mediation");
  const none = practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { type: "cim", startsAt: aTime() }));
  expect((await refusal(none)).fields).toHaveProperty("caseId");
});

test("meetings.create: when no mediator of it has a registration that the owner confirmed, then it is refused at the mediator", async () => {
  const { theCase } = await aFamily();
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const { items } = await practice.api.staff.list.query();
  const id = items.find(({ email }) => email === mediator.email)?.id ?? "";
  const led = { mediatorIds: [id] };
  const profile = await mediator.api.users.profile.query();
  const { isAccreditationConfirmed: _number, isChildInclusiveConfirmed: _children, ...stated } = profile;
  const own = { ...stated, isChildInclusive: true, accreditationNumber: "9876Z" };
  await mediator.api.users.updateProfile.mutate(own);
  expect((await refusal(book(theCase.id, led))).fields).toHaveProperty("mediatorIds");
  const confirm = (isConfirmed: boolean) =>
    practice.api.staff.confirmAccreditation.mutate({ id, number: "9876Z", what: "child_inclusive", isConfirmed });
  expect(await confirm(true)).toMatchObject({ accreditationConfirmedAt: null });
  expect(await book(theCase.id, led)).toMatchObject({ status: "booked" });
  await mediator.api.users.updateProfile.mutate({ ...own, version: own.version + 2, accreditationNumber: "1111A" });
  expect((await refusal(book(theCase.id, led))).fields).toHaveProperty("mediatorIds");
  expect((await refusal(confirm(true))).code).toBe("CONFLICT");
});

test("users.updateProfile: when somebody who does not mediate says that they are registered for children, then it is refused", async () => {
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const profile = await caseworker.api.users.profile.query();
  const { isAccreditationConfirmed: _number, isChildInclusiveConfirmed: _children, ...stated } = profile;
  const claimed = caseworker.api.users.updateProfile.mutate({ ...stated, isChildInclusive: true });
  expect((await refusal(claimed)).fields).toHaveProperty("isChildInclusive");
  expect((await refusal(registerForChildren(practice, caseworker, URN))).fields).toHaveProperty("isChildInclusive");
});

test("casework.update: when a consent is withdrawn, then each coming meeting is somebody's task, and is confirmed, moved and held by nobody", async () => {
  const { theCase, p1, p2, cim } = await aFamily();
  const meeting = await book(theCase.id);
  const other = await book(theCase.id, { type: "mediation" });
  await setChild(theCase.id, { ...cim, overrideReason: "Nothing of this changes consent" });
  expect(await tasksOf(theCase.id)).toEqual([]);
  const withdrawn = { partyId: p2.partyId, ...CONSENT, state: "withdrawn" as const };
  await setChild(theCase.id, { ...cim, parents: [{ partyId: p1.partyId, ...CONSENT }, withdrawn] });
  const tasks = await tasksOf(theCase.id);
  expect(tasks).toHaveLength(1);
  expect(tasks[0]).toMatchObject({ assigneeId: practice.ownerId, dueOn: meeting.startsAt.slice(0, 10) });
  expect(tasks[0]?.title).toMatch(/^Do not hold the meeting with a child on .* as it stands: Owen .* withdrew consent/);
  const { api } = practice;
  const startsAt = aTime();
  const blocked = [
    api.meetings.setStatus.mutate({ id: meeting.id, version: 0, to: "confirmed" }),
    api.meetings.reschedule.mutate({
      changeId: newId(),
      id: meeting.id,
      version: 0,
      startsAt,
      endsAt: startsAt.replace("T09", "T10"),
      reason: "",
      allowsOverlap: false,
    }),
    api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: meeting.id }),
    api.meetings.update.mutate({ ...meetingDetailsOf(other), type: "cim" }),
  ];
  for (const each of await Promise.all(blocked.map(refusal)))
    expect(each).toMatchObject({ code: "PRECONDITION_FAILED" });
  const why = { changeId: newId(), reason: "No consent", isLate: false, isWholeSeries: false };
  await api.meetings.cancel.mutate({ id: meeting.id, version: 0, ...why });
});

const leave = (theCase: Case) =>
  practice.api.casework.moveParty.mutate({
    id: theCase.id,
    version: theCase.version,
    partyId: theCase.parties[1]?.partyId ?? "",
    to: "withdrawn",
    on: "2026-01-05",
    reason: "They say so",
  });

test("meetings.create: when a parent left who never consented, then they are asked all the same; whoever is no parent is not, and nobody mediates alone", async () => {
  const { theCase, p1, p2, cim } = await aFamily();
  const parents = [{ partyId: p1.partyId, ...CONSENT }];
  await leave(await setChild(theCase.id, { ...cim, parents }));
  expect((await refusal(book(theCase.id))).message).toContain("has not consented for Leo");
  const responsibility = [p1, p2].map(({ partyId }) => ({ partyId, isHeld: partyId === p1.partyId }));
  await setChild(theCase.id, { ...cim, parents, responsibility });
  expect((await refusal(book(theCase.id))).message).toContain("Fewer than two sides take part");
});

test("meetings.create: when a parent is no party, then their consent is asked by name, and kept with its day", async () => {
  const { theCase, cim } = await aFamily();
  const dee = { name: "Dee Marsh", state: "", on: "", how: "" } as const;
  await setChild(theCase.id, { ...cim, otherParents: [dee] });
  expect((await refusal(book(theCase.id))).message).toContain("Dee Marsh has not consented for Leo");
  const otherParents = [{ ...dee, ...CONSENT }];
  const { children } = await setChild(theCase.id, { ...cim, otherParents });
  expect(children[0]?.cim).toMatchObject({ otherParents, responsibility: cim.responsibility });
  expect(await book(theCase.id)).toMatchObject({ status: "booked" });
});

test("casework.addParty: when somebody joins of whom nobody said whether they are a parent, then the coming meeting with a child is a task of who works here", async () => {
  const { theCase } = await aFamily();
  await book(theCase.id);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  await mongoose.connection
    .collection<{ caseId: string }>("meetings")
    .updateOne({ caseId: id }, { $set: { mediatorIds: ["somebody-who-left"] } });
  await practice.api.casework.addParty.mutate({
    changeId: newId(),
    id,
    version,
    party: { clientId, role: "respondent", side: "" },
  });
  expect(await tasksOf(id)).toMatchObject([
    { assigneeId: practice.ownerId, title: expect.stringContaining("it is not recorded whether") },
  ]);
});

test("casework.update: when consent is withdrawn while the meeting is booked, then it is refused or becomes a task", async () => {
  const { theCase, cim } = await aFamily();
  const [booked] = await Promise.all([
    book(theCase.id).then(
      () => true,
      () => false,
    ),
    setChild(theCase.id, { ...cim, child: { ...GIVEN, state: "withdrawn" } }),
  ]);
  expect(await tasksOf(theCase.id)).toHaveLength(booked ? 1 : 0);
});

test("meetings.get: when somebody who is no mediator of the case reads a meeting with a child, then its note is not there, and their changes keep it", async () => {
  const { theCase } = await aFamily();
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const meeting = await book(theCase.id, { note: "Misses the dog" });
  expect(meeting.note).toBe("Misses the dog");
  const read = await caseworker.api.meetings.get.query({ id: meeting.id });
  expect(JSON.stringify(read)).not.toContain("Misses the dog");
  const { update } = caseworker.api.meetings;
  expect(await update.mutate({ ...meetingDetailsOf(read), title: "Changed" })).toMatchObject({
    note: "",
    title: "Changed",
  });
  expect((await practice.api.meetings.get.query({ id: meeting.id })).note).toBe("Misses the dog");
  const next = { ...meetingDetailsOf(read), version: 1 };
  expect((await refusal(update.mutate({ ...next, note: "Mine" }))).fields).toHaveProperty("note");
  // As a meeting of another kind everybody would read it.
  expect((await refusal(update.mutate({ ...next, type: "call" }))).fields).toHaveProperty("type");
  expect(
    (await refusal(practice.api.meetings.update.mutate({ ...next, type: "call", note: "Kept" }))).fields,
  ).toHaveProperty("type");
  expect(await practice.api.meetings.update.mutate({ ...next, type: "call", note: "" })).toMatchObject({
    type: "call",
  });
});

test("migration: when consents are from before days were kept, then they are kept as such and asked for at the next booking", async () => {
  const { theCase, p1, p2 } = await aFamily();
  const old = { isOffered: true, haveParentsConsented: true, hasChildConsented: false, overrideReason: "Mature" };
  const children = [
    { childId: newId(), firstName: "Leo", dateOfBirth: "2014-03-03", livesWith: "", cim: old },
    {
      childId: newId(),
      firstName: "Mia",
      dateOfBirth: "",
      livesWith: "",
      cim: { ...old, isOffered: false, haveParentsConsented: false, hasChildConsented: true },
    },
  ];
  await mongoose.connection.collection<{ _id: string }>("cases").updateOne({ _id: theCase.id }, { $set: { children } });
  const log = createLogger("silent");
  await daysOfConsents(log);
  await daysOfConsents(log);
  const stored = await practice.api.cases.get.query({ id: theCase.id });
  const undated = [p1, p2].map(({ partyId }) => ({ partyId, state: "undated", on: "", how: "" }));
  expect(stored.children.map(({ cim }) => cim)).toEqual([
    { ...NOT_INCLUDED, isOffered: true, parents: undated, overrideReason: "Mature" },
    { ...NOT_INCLUDED, child: { state: "undated", on: "" }, overrideReason: "Mature" },
  ]);
  const [leo] = stored.children;
  if (!leo) throw new Error("the child is gone");
  const responsibility = [p1, p2].map(({ partyId }) => ({ partyId, isHeld: true }));
  await setChild(theCase.id, { ...leo.cim, responsibility });
  expect((await refusal(book(theCase.id))).message).toContain("was recorded before dates were kept, so ask again");
});

test("migration: when it was not asked who has parental responsibility, then what was kept stays, and it is asked before the next booking", async () => {
  const { theCase, cim } = await aFamily();
  const { responsibility: _not, otherParents: _asked, ...old } = cim;
  const children = [{ childId: newId(), firstName: "Leo", dateOfBirth: "2014-03-03", livesWith: "", cim: old }];
  await mongoose.connection.collection<{ _id: string }>("cases").updateOne({ _id: theCase.id }, { $set: { children } });
  const log = createLogger("silent");
  await responsibilityOfParents(log);
  await responsibilityOfParents(log);
  const stored = await practice.api.cases.get.query({ id: theCase.id });
  expect(stored.children[0]?.cim).toEqual({ ...cim, responsibility: [] });
  expect((await refusal(book(theCase.id))).message).toContain("has parental responsibility for Leo");
});

test("casework: what is said of a child, when it names somebody who is no party of this case, is refused at its field", async () => {
  const { theCase, cim } = await aFamily();
  const { theCase: other, cim: ofOthers } = await aFamilyOf(await aPractice(app));
  for (const partyId of [other.parties[0]?.partyId ?? "", "nobody"])
    for (const field of ["parents", "responsibility"] as const) {
      const [said] = cim[field];
      const named = { ...cim, [field]: [{ ...said, partyId }] };
      expect((await refusal(setChild(theCase.id, named))).fields).toHaveProperty([`children.0.cim.${field}`]);
    }
  const child = { childId: newId(), firstName: "Leo", dateOfBirth: "2014-03-03", livesWith: "" };
  for (const named of [ofOthers, cim]) {
    const input = aCaseInput([theCase.parties[0]?.clientId ?? ""], { children: [{ ...child, cim: named }] });
    expect((await refusal(practice.api.casework.create.mutate(input))).fields).toHaveProperty([
      "children.0.cim.parents",
    ]);
  }
});
