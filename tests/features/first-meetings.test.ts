import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { dayIn } from "@app/shared/days";
import type { Region } from "@app/shared/regions";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const today = dayIn("Europe/London", now());

async function aFamilyCaseIn(region: Region) {
  const practice = await aPractice(app);
  const { currency: _currency, ...settings } = await practice.api.practices.get.query();
  await practice.api.practices.update.mutate({ ...settings, region });
  const built = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const record = anUnscreenedMiam(whose, { attendedOn: today });
  return { ...practice, ...built, record, caseId: built.theCase.id };
}

test.each(["scotland", "northern_ireland", "ireland", "united_states", "other"] as const)(
  "assessments.record: in %s any mediator of the practice holds the first meeting, and nothing calls it a MIAM",
  async (region) => {
    const { api, record, caseId, p1, p2 } = await aFamilyCaseIn(region);
    const { missing } = await api.casework.invitations.query({ id: caseId });
    expect(JSON.stringify(missing)).toContain("Record the individual meeting of P1.");
    const { id } = await api.assessments.record.mutate(record);
    expect((await api.cases.get.query({ id: caseId })).parties[0]).toMatchObject({
      status: "miam_attended",
      miamOn: today,
    });
    const { items } = await api.timeline.list.query({ caseId });
    const told = await api.partyView.preview.query({ caseId, partyId: p1.partyId });
    const steps = await api.casework.steps.query({ id: caseId });
    expect(JSON.stringify(items)).toContain("Individual meeting of P1 recorded");
    expect(JSON.stringify(told)).toContain("Individual meeting attended");
    expect(JSON.stringify({ items, told, steps, missing })).not.toContain("MIAM");
    const { version } = await api.cases.get.query({ id: caseId });
    const step = { id: caseId, version, partyId: p2.partyId, to: "miam_booked" as const, on: today, reason: "" };
    expect((await refusal(api.casework.moveParty.mutate(step))).message).not.toContain("MIAM");
    expect(await refusal(api.certificates.choices.query({ assessmentId: id }))).toBeDefined();
  },
);

test("assessments.record: in Scotland nobody but a mediator holds it", async () => {
  const practice = await aFamilyCaseIn("scotland");
  await aStaffUser(app, practice, { role: 3 });
  const { items } = await practice.api.users.colleagues.query();
  const mediatorId = items.find(({ role }) => role === 3)?.userId ?? "";
  const recording = practice.api.assessments.record.mutate({ ...practice.record, mediatorId });
  expect((await refusal(recording)).fields).toEqual({
    mediatorId: "Choose a mediator who worked in the practice on this day.",
  });
});

test("partyView.preview: whoever attended reads of it once, in no words of the practice’s own", async () => {
  const practice = await aFamilyCaseIn("england_wales");
  await authorise(practice);
  await practice.api.assessments.record.mutate(practice.record);
  const of = { caseId: practice.caseId, partyId: practice.p1.partyId };
  const { items } = await practice.api.partyView.preview.query(of);
  const told = items.filter(({ title }) => title.includes("MIAM"));
  expect(told.map(({ kind }) => kind).toSorted()).toEqual(["assessment", "history"]);
  expect(JSON.stringify(items)).not.toMatch(/\bP\d\b/);
});

test("certificates.issue: whoever held the MIAM signs for it, though others mediate the case", async () => {
  const practice = await aFamilyCaseIn("england_wales");
  const duty = await aStaffUser(app, practice, { role: 2 });
  const mediatorId = await authorise(practice, duty);
  const { api, caseId, p1 } = practice;
  await api.screenings.complete.mutate(aScreening(practice.theCase, p1.partyId));
  const record = anAssessment({ caseId, partyId: p1.partyId, mediatorId }, { attendedOn: today });
  const { id: assessmentId } = await api.assessments.record.mutate(record);
  const issue = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  expect(await duty.api.certificates.issue.mutate(issue)).toMatchObject({ status: "issued" });
});

test.each(["family", "workplace"] as const)(
  "casework.moveParty: in a case of the kind %s, when somebody’s first meeting is booked for another day, then they did not attend by hand before it is moved",
  async (domain) => {
    const practice = await aPractice(app);
    const { api } = practice;
    const { theCase, p1 } = await aCase(practice, { ...ledBy(practice.ownerId), domain });
    const ofCase = async () => {
      const { id, version } = await api.cases.get.query({ id: theCase.id });
      return { id, version };
    };
    const step = async (to: "responded" | "intake_done" | "miam_attended") =>
      api.casework.moveParty.mutate({ ...(await ofCase()), partyId: p1.partyId, to, on: today, reason: "" });
    await step("responded");
    await step("intake_done");
    await api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        type: domain === "family" ? "miam" : "pre_meeting",
        partyIds: [p1.partyId],
      }),
    );
    expect(await refusal(step("miam_attended"))).toMatchObject({
      code: "BAD_REQUEST",
      fields: { on: expect.stringContaining("booked for 4 March 2031. Move or cancel that booking") },
    });
    const here = { caseId: theCase.id, ownerId: practice.ownerId };
    await MeetingModel.updateOne(here, { $set: { startsAt: now() } });
    expect((await step("miam_attended")).parties[0]).toMatchObject({ miamOn: today });
  },
);
