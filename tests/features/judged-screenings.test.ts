// Whoever does not mediate asks the questions and finds somebody not safe; that a told risk is safe all the same a mediator judges.
import { newId } from "@app/server/core/ids";
import { addDays } from "@app/shared/days";
import type { CompleteScreening } from "@app/shared/screenings";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, anUnscreenedMiam } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aLedCase, aMediatedCase, TODAY } from "../support/server/led.ts";
import { aCase, aMeetingInput, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, told } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const caseworker = forAllTests(() => aStaffUser(app, practice, { role: 3 }));

type Placed = Parameters<typeof aScreening>[0];
/** Somebody told of violence, and is found suitable with a reason. */
function ofRisk(theCase: Placed, partyId: string): CompleteScreening & { id: string } {
  const { answers, ...rest } = aScreening(theCase, partyId);
  const whyNeither = "She would rather not make a fuss of it";
  return { ...rest, whyNeither, answers: { ...answers, physical: told("He hit me twice") } };
}
const JUDGE = (label: string) =>
  `A mediator has to read the screening of ${label}, who told of a risk, and confirm it or screen them again.`;

const asked = async (caseId: string) =>
  (await practice.api.tasks.list.query({ caseId })).items.filter(({ title }) => title.includes("told of a risk"));

test("screenings.complete by a caseworker: a told risk that is found suitable waits for a mediator, who lets them meet by one act", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), staffIds: [] });
  const { api } = practice;
  const caseId = theCase.id;
  const found = await caseworker.api.screenings.complete.mutate(ofRisk(theCase, p2.partyId));
  expect(found).toMatchObject({ judgement: "needed", confirmed: null, suitable: "yes" });
  const meeting = aMeetingInput(practice.ownerId, { caseId, type: "mediation", partyIds: [p1.partyId, p2.partyId] });
  expect(await refusal(api.meetings.create.mutate(meeting))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: JUDGE("P2"),
  });
  const start = () => api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  expect((await refusal(start())).message).toBe(JUDGE("P2"));
  expect((await api.casework.safetyDue.query({ id: caseId })).again).toEqual([JUDGE("P2")]);
  expect(await asked(caseId)).toMatchObject([{ assigneeId: practice.ownerId, dueOn: TODAY }]);
  expect(await refusal(caseworker.api.screenings.confirm.mutate({ id: found.id }))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("Only the owner of the practice or a mediator confirms"),
  });
  const confirmed = await api.screenings.confirm.mutate({ id: found.id });
  expect(confirmed).toMatchObject({
    judgement: "given",
    confirmed: { byName: expect.any(String) },
    completedByName: found.completedByName,
  });
  expect(await api.screenings.confirm.mutate({ id: found.id })).toEqual(confirmed);
  expect(await asked(caseId)).toEqual([]);
  const { items } = await api.timeline.list.query({ caseId });
  expect(items.filter(({ text }) => text.includes("confirmed by"))).toHaveLength(1);
  expect(await start()).toMatchObject({ status: "in_progress", unmet: [] });
});

test("screenings.complete by a caseworker: not safe holds at once, and nothing told lets them meet", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { screenings } = caseworker.api;
  expect(await screenings.complete.mutate(aScreening(theCase, p1.partyId))).toMatchObject({ judgement: "open" });
  expect((await practice.api.casework.safetyDue.query({ id: theCase.id })).again).toEqual([]);
  await screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  const { parties } = await practice.api.cases.get.query({ id: theCase.id });
  expect(parties.map(({ status }) => status)).toEqual(["active", "not_suitable"]);
});

test("a party who attended: when a caseworker found a told risk suitable, then they are suitable only once a mediator has confirmed it, or screened them anew", async () => {
  const { api, ownerId } = practice;
  const led = await aLedCase(practice, ["Ann Lee", "Bo Kay"]);
  await led.clear();
  const theCase = await led.now();
  const [p1, p2] = theCase.parties;
  if (!p1 || !p2) throw new Error("there are two");
  await led.assess(0);
  await led.party(1, "responded", "intake_done", "miam_booked");
  const whose = { caseId: theCase.id, partyId: p2.partyId, mediatorId: ownerId };
  await api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: TODAY }));
  const statuses = async () => (await led.now()).parties.map(({ status }) => status);
  expect(await statuses()).toEqual(["suitable", "miam_attended"]);
  const found = await caseworker.api.screenings.complete.mutate(ofRisk(theCase, p2.partyId));
  expect(await statuses()).toEqual(["suitable", "miam_attended"]);
  expect((await refusal(led.party(1, "suitable"))).message).toContain(JUDGE("P2"));
  await api.screenings.confirm.mutate({ id: found.id });
  expect(await statuses()).toEqual(["suitable", "suitable"]);
  await caseworker.api.screenings.complete.mutate(ofRisk(theCase, p1.partyId));
  expect(await asked(theCase.id)).toHaveLength(1);
  await api.screenings.complete.mutate(ofRisk(theCase, p1.partyId));
  expect(await asked(theCase.id)).toEqual([]);
});

test("assessments.record: the risk counts as assessed by a caseworker's screening only once a mediator has confirmed it, whatever it found", async () => {
  const theCase = await (await aLedCase(practice, ["Ann Lee", "Bo Kay"])).now();
  const [p1] = theCase.parties;
  if (!p1) throw new Error("there is nobody");
  const { id } = await caseworker.api.screenings.complete.mutate(
    aScreening(theCase, p1.partyId, { heldOn: addDays(TODAY, -2) }),
  );
  const record = () => {
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
    return practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY }));
  };
  expect((await refusal(record())).fields).toEqual({
    riskAssessment: expect.stringContaining("that a mediator held or confirmed"),
  });
  await practice.api.screenings.confirm.mutate({ id });
  expect(await record()).toMatchObject({ status: "held", riskAssessment: "done" });
});

test("screenings.confirm: a struck one is not confirmed, and another practice's is not there", async () => {
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
  const { id } = await caseworker.api.screenings.complete.mutate(ofRisk(theCase, p1.partyId));
  const other = await anAuthorisedPractice(app);
  expect((await refusal(other.api.screenings.confirm.mutate({ id }))).code).toBe("NOT_FOUND");
  await practice.api.screenings.strike.mutate({ id, reason: "Of another person" });
  expect(await asked(theCase.id)).toEqual([]);
  expect((await refusal(practice.api.screenings.confirm.mutate({ id }))).code).toBe("PRECONDITION_FAILED");
});
