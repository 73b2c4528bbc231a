// What changes after a certificate was issued makes it worth another look, by whoever signed it.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { refusal } from "../support/access/refusal.ts";
import { mayContact } from "../support/server/contactable.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, aStaffUser, type Api, ledBy } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const asked = async (caseId: string, api: Api = practice.api) =>
  (await api.tasks.list.query({ caseId })).items
    .map(({ title }) => title)
    .filter((title) => title.startsWith("Look again at"));

const issue = (assessmentId: string, statement: "unsuitable" | "broken_down") =>
  practice.api.certificates.issue.mutate({
    id: newId(),
    assessmentId,
    statements: [statement],
    isHarmless: true,
    replaceReason: "",
  });

/** A session of these parties, to the lock. */
async function hold(caseId: string, parties: readonly { partyId: string }[]) {
  const { api } = practice;
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  for (const { partyId } of parties) {
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
    const safe = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...safe });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" }, outcomeBefore: null });
  for (const to of ["ended", "locked"] as const)
    await api.sessions.move.mutate({ ...change(), to, unmetReason: "Asked before it began" });
}

/** A case whose two parties mediated in a session that is locked. */
async function mediated() {
  const { api, ownerId } = practice;
  const built = await aMediatedCase(practice, { ...ledBy(ownerId), startedOn: addDays(TODAY, -30) });
  const caseId = built.theCase.id;
  await hold(caseId, [built.p1, built.p2]);
  return { ...built, api, caseId, led: leading(practice, caseId, "kept") };
}

test("certificates: when somebody is found suitable after it said that mediation is not, then whoever may read screenings is asked to look", async () => {
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const record = await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY }));
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
  const { number } = await issue(record.id, "unsuitable");
  await dismissEntries(practice.api, theCase.id);
  expect(await asked(theCase.id)).toEqual([]);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
  expect(await asked(theCase.id)).toEqual([expect.stringContaining(`${number}: things changed`)]);
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect(await asked(theCase.id, blind.api)).toEqual([]);
});

test("certificates: when mediation goes on after it said that it has broken down, then whoever signed it is asked to look", async () => {
  const { api, p1, p2, caseId, led } = await mediated();
  const ended = { ending: "broken_down" as const, reason: "They shouted", outcome: { ...OUTCOME, issues: [] } };
  await api.casework.move.mutate({ ...at(await led.now()), to: "terminated", ...ended });
  const record = (await api.assessments.list.query({ caseId })).items.find(({ partyId }) => partyId === p1.partyId);
  const { number } = await issue(record?.id ?? "", "broken_down");
  await api.casework.move.mutate({ ...at(await led.now()), to: "assessing", reason: "They try again" });
  expect(await asked(caseId)).toEqual([]);
  for (const { partyId } of [p1, p2]) await api.screenings.complete.mutate(aScreening(await led.now(), partyId));
  await led.sign(0, 1);
  await led.move("ready", "in_mediation");
  // A session that is held after it makes nothing of it untrue.
  await hold(caseId, [p1, p2]);
  expect(await asked(caseId)).toEqual([expect.stringContaining(`${number}: things changed`)]);
});

test("certificates: when two who mediated become one side, then whoever certified that they mediated is asked to look", async () => {
  const { api, p1, p2, caseId, led } = await mediated();
  const certificate = { id: newId(), caseId, partyId: p1.partyId, replaceReason: "" };
  const { number } = await api.certificates.issueMediation.mutate(certificate);
  for (const { partyId } of [p1, p2]) {
    const theCase = await led.now();
    const party = theCase.parties.find((each) => each.partyId === partyId);
    if (!party) throw new Error("there is no such party");
    const { role, consentedOn, representativeContactIds } = party;
    const fields = { role, consentedOn, representativeContactIds, side: "Grandparents" };
    await api.casework.updateParty.mutate({ ...at(theCase), partyId, ...fields });
  }
  expect(await asked(caseId)).toEqual([expect.stringContaining(number)]);
});

test("certificates: when the day of an agreement is put right behind the sessions, then whoever certified them is asked to look, and none is put behind the end", async () => {
  const { api, p1, p2, caseId, led } = await mediated();
  const { ownerId } = practice;
  const signed = { "parties.$[].consentedOn": daysAgo(10), "parties.$[].agreementSignedOn": daysAgo(10) };
  await CaseModel.updateOne({ ownerId, _id: caseId }, { $set: signed });
  const startedAt = new Date(`${daysAgo(5)}T10:00:00Z`);
  const endedAt = new Date(`${daysAgo(5)}T11:00:00Z`);
  await SessionModel.updateOne({ ownerId, caseId }, { $set: { startedAt, endedAt } });
  const outcome = { ...OUTCOME, issues: [] };
  const ended = { ending: "broken_down" as const, reason: "They shouted", outcome, endedOn: daysAgo(4) };
  await api.casework.move.mutate({ ...at(await led.now()), to: "terminated", ...ended });
  const record = (await api.assessments.list.query({ caseId })).items.find(({ partyId }) => partyId === p1.partyId);
  const broken = await issue(record?.id ?? "", "broken_down");
  const certificate = { id: newId(), caseId, partyId: p2.partyId, replaceReason: "" };
  const together = await api.certificates.issueMediation.mutate(certificate);
  const correct = async (on: string) => {
    const misread = { partyId: p2.partyId, of: "agreement_signed" as const, on, reason: "Misread" };
    return api.casework.correctDay.mutate({ ...at(await led.now()), ...misread });
  };
  await correct(daysAgo(6));
  expect(await asked(caseId)).toEqual([]);
  expect(await refusal(correct(TODAY))).toMatchObject({
    fields: { on: expect.stringContaining("This case ended on") },
  });
  await correct(daysAgo(4));
  expect((await asked(caseId)).toSorted()).toEqual(
    [broken, together].map(({ number }) => expect.stringContaining(`${number}: what it says is not recorded`)),
  );
});

test("certificates: when another respondent joins after it said that nobody else is willing, then whoever signed it is asked to look; on the own side nobody is", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aCase(practice, ledBy(ownerId));
  await mayContact(theCase);
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: ownerId };
  const { id: assessmentId } = await api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(20) }));
  const fresh = async () => at(await api.cases.get.query({ id: theCase.id }));
  const no = { partyId: p2.partyId, to: "refused" as const, on: daysAgo(10), reason: "By letter" };
  await api.casework.moveParty.mutate({ ...(await fresh()), ...no, isOwnDecision: true });
  const said = { id: newId(), assessmentId, statements: ["none_willing" as const], replaceReason: "" };
  const { number } = await api.certificates.issue.mutate(said);
  const join = async (side: string) => {
    const { id: clientId } = await api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "respondent" as const, side };
    await api.casework.addParty.mutate({ ...(await fresh()), changeId: newId(), party });
  };
  await CaseModel.updateOne({ _id: theCase.id, ownerId }, { $set: { "parties.0.side": "Ellery" } });
  await join("Ellery");
  expect(await asked(theCase.id)).toEqual([]);
  await join("");
  expect(await asked(theCase.id)).toEqual([
    expect.stringContaining(`${number}: another participant joined after it said that nobody else`),
  ]);
});

test("certificates: when the screening on which the MIAM rested is struck, then the certificate is named to whoever signed it", async () => {
  const { api, ownerId } = practice;
  const { theCase, p1, p2 } = await aCase(practice, ledBy(ownerId), { isScreened: false });
  const screen = async (partyId: string) => (await api.screenings.complete.mutate(aScreening(theCase, partyId))).id;
  const [screening, other] = [await screen(p1.partyId), await screen(p2.partyId)];
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: ownerId };
  const { id: assessmentId } = await api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY }));
  const issued = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  const { number } = await api.certificates.issue.mutate(issued);
  await api.screenings.strike.mutate({ id: other, reason: "Of somebody else" });
  expect(await asked(theCase.id)).toEqual([]);
  await api.screenings.strike.mutate({ id: screening, reason: "Of somebody else" });
  expect(await asked(theCase.id)).toEqual([
    expect.stringContaining(`${number}: the screening on which its MIAM rested`),
  ]);
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  expect(await asked(theCase.id, blind.api)).toEqual([]);
});
