// Of several children each is heard by their own choice: a meeting says with whom it is.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { idsOfChildren } from "@app/server/features/cases/case-parties.migration";
import { type Inclusion, NOT_INCLUDED } from "@app/shared/child-inclusive";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, bookChild, fieldsOf, GIVEN } from "../support/server/heard-child.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const tom = newId();
const ann = newId();

/** Tom wants to be heard, and everybody consented; Ann was offered it too, and as her own words say. */
async function siblings() {
  const made = await aFamily(practice);
  const { api } = practice;
  const id = made.theCase.id;
  const setBoth = async (ofTom: Inclusion, ofAnn: Inclusion) => {
    const theCase = await api.cases.get.query({ id });
    const born = { dateOfBirth: "2014-03-03", livesWith: "" };
    const children = [
      { childId: tom, firstName: "Tom", ...born, cim: ofTom },
      { childId: ann, firstName: "Ann", ...born, cim: ofAnn },
    ];
    await api.casework.update.mutate({ ...fieldsOf(theCase), id, version: theCase.version, children });
  };
  const saidNo: Inclusion = {
    ...made.cim,
    child: NOT_INCLUDED.child,
    voice: { offeredOn: "2026-01-01", outcome: "does_not_want" },
  };
  await setBoth(made.cim, saidNo);
  return { ...made, id, setBoth, saidNo };
}

test("meetings.create: when one child wants to be heard and the other said no, then it is asked with whom it is, and only theirs counts", async () => {
  const { id } = await siblings();
  expect((await refusal(bookChild(practice, id))).fields).toHaveProperty("childIds");
  expect((await refusal(bookChild(practice, id, { childIds: [newId()] }))).fields).toHaveProperty("childIds");
  expect((await refusal(bookChild(practice, id, { childIds: [tom, ann] }))).message).toContain(
    "Ann is not to be heard",
  );
  const meeting = await bookChild(practice, id, { childIds: [tom] });
  expect(meeting.childIds).toEqual([tom]);
  const { api } = practice;
  const other = api.meetings.update.mutate({ ...meetingDetailsOf(meeting), childIds: [ann] });
  expect((await refusal(other)).code).toBe("PRECONDITION_FAILED");
  expect(await api.meetings.update.mutate(meetingDetailsOf(meeting))).toMatchObject({ childIds: [tom] });
  await api.sessions.start.mutate({ id: newId(), caseId: id, meetingId: meeting.id });
});

test("casework.update: when a consent is withdrawn, then only meetings with that child are somebody's task", async () => {
  const { id, cim, saidNo, setBoth } = await siblings();
  await bookChild(practice, id, { childIds: [tom] });
  const tasks = async () => (await practice.api.tasks.list.query({ caseId: id })).items;
  await setBoth(cim, { ...saidNo, child: { ...GIVEN, state: "withdrawn" } });
  expect(await tasks()).toEqual([]);
  await setBoth({ ...cim, child: { ...GIVEN, state: "withdrawn" } }, saidNo);
  expect(await tasks()).toMatchObject([{ title: expect.stringContaining("Tom withdrew consent") }]);
});

test("sessions.start: when a meeting is from before it was asked with whom it is, then it is with those whose consents are there", async () => {
  const { id, cim, saidNo, setBoth } = await siblings();
  const meeting = await bookChild(practice, id, { childIds: [tom] });
  await mongoose.connection
    .collection<{ _id: string }>("meetings")
    .updateOne({ _id: meeting.id }, { $unset: { childIds: "" } });
  const { sessions } = practice.api;
  const { id: prepared } = await sessions.create.mutate({ id: newId(), caseId: id, meetingId: meeting.id });
  const start = () => sessions.move.mutate({ id: prepared, changeId: newId(), to: "in_progress" });
  await setBoth({ ...cim, child: { ...GIVEN, state: "withdrawn" } }, saidNo);
  expect((await refusal(start())).message).toContain("Tom withdrew consent");
  await setBoth(cim, saidNo);
  expect(await start()).toMatchObject({ status: "in_progress" });
});

test("meetings.create: a parent is no participant of a meeting with a child", async () => {
  const { theCase, p1 } = await aFamily(practice);
  const withParent = bookChild(practice, theCase.id, { partyIds: [p1.partyId] });
  expect((await refusal(withParent)).fields).toHaveProperty("partyIds");
});

test("migration: children from before they had an id get one, once", async () => {
  const { theCase } = await aFamily(practice);
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  await cases.updateOne({ _id: theCase.id }, { $unset: { "children.0.childId": "" } });
  const idNow = async () => (await practice.api.cases.get.query({ id: theCase.id })).children[0]?.childId;
  await idsOfChildren(createLogger("silent"));
  const first = await idNow();
  expect(first).toMatch(/^[\w-]+$/);
  await idsOfChildren(createLogger("silent"));
  expect(await idNow()).toBe(first);
});
