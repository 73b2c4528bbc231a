import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import type { RecordAssessment } from "@app/shared/assessments";
import { lastDayOf } from "@app/shared/certificates";
import type { Statement } from "@app/shared/miam-rules";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import {
  anAuthorisedPractice,
  anAssessment,
  authorise,
  claimAccreditation,
  URN,
} from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, ledBy, type TestPerson, type TestPractice } from "../support/server/people.ts";
import { mayContact } from "../support/server/contactable.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const today = () => clock.now().toISOString().slice(0, 10);
const itIs = (day: string) => moveTime(Date.parse(`${day}T12:00:00Z`) - Date.now());

/** A case whose first party attended a MIAM. */
async function attended(overrides: Partial<RecordAssessment> = {}, of: TestPractice = practice) {
  const built = await aCase(of, ledBy(of.ownerId));
  const whose = {
    caseId: built.theCase.id,
    partyId: built.p1.partyId,
    mediatorId: of.ownerId,
  };
  const { id: assessmentId } = await of.api.assessments.record.mutate(
    anAssessment(whose, { attendedOn: today(), ...overrides }),
  );
  return { ...built, whose, assessmentId };
}

const anIssue = (assessmentId: string, statements: Statement[] = []) => ({
  id: newId(),
  assessmentId,
  statements,
  replaceReason: "",
});
const issue = (...args: Parameters<typeof anIssue>) => practice.api.certificates.issue.mutate(anIssue(...args));
const withoutBlanks = (text: string) => text.toLowerCase().replaceAll(" ", "");
/** Without blanks, because some of them become the ends of lines. */
const printed = async (id: string, of = practice) =>
  withoutBlanks(await pdfText(app, of, `/export/certificates/${id}.pdf`));

async function step(
  caseId: string,
  partyId: string,
  ...steps: ("invited" | "responded" | "no_response" | "refused" | "withdrawn")[]
) {
  for (const to of steps) {
    const { version } = await practice.api.cases.get.query({ id: caseId });
    if (to === "invited") {
      await mayContact({ id: caseId });
      const letter = { channel: "post" as const, on: today(), wording: "A letter", changeId: newId() };
      await practice.api.casework.inviteParty.mutate({ id: caseId, version, partyId, ...letter });
      continue;
    }
    const isOwnDecision = to === "withdrawn" || to === "refused" ? true : null;
    const move = { id: caseId, version, partyId, to, on: today(), reason: "Said so", isOwnDecision };
    await practice.api.casework.moveParty.mutate(move);
  }
}

const IN_MEDIATION = {
  status: "in_mediation",
  "parties.$[].status": "active",
  "parties.$[].consentedOn": "2026-01-05",
};

const isAllowed = async (assessmentId: string, statement: Statement, person: Pick<TestPerson, "api"> = practice) => {
  const { statements } = await person.api.certificates.choices.query({ assessmentId });
  return statements.find((each) => each.statement === statement)?.isAllowed;
};

test("certificates.issue: of a MIAM alone, it says that and by whom, counts from the meeting, and names no other participant", async () => {
  itIs("2030-11-03");
  const own = await anAuthorisedPractice(app);
  const { assessmentId, first, second } = await attended({ attendedOn: "2030-10-31" }, own);
  const certificate = await own.api.certificates.issue.mutate(anIssue(assessmentId));
  expect(certificate).toMatchObject({
    rules: "2024-04-29",
    sentences: [
      "The person named above attended a mediation information and assessment meeting (MIAM) on 31 October 2030.",
    ],
    attendedOn: "2030-10-31",
    issuedOn: "2030-11-03",
    expiresOn: "2031-02-28",
    accreditationNumber: URN,
    serviceName: own.practiceName,
  });
  const text = await printed(certificate.id, own);
  for (const word of [
    first.lastName,
    "attended a mediation information and assessment meeting (MIAM) on 31 October 2030",
    certificate.conductedByName,
    URN,
    own.practiceName,
    "3 November 2030",
    "28 February 2031",
  ])
    expect(text).toContain(withoutBlanks(word));
  expect(text).not.toContain(second.lastName.toLowerCase());
  expect(text).not.toContain("exempt");
});

test("certificates.issue: it keeps what it said, when the name, the service and the mediator are called otherwise afterwards", async () => {
  const own = await aPractice(app);
  await authorise(own);
  const { assessmentId, first } = await attended({}, own);
  const { id } = await own.api.certificates.issue.mutate(anIssue(assessmentId));
  const before = await pdfText(app, own, `/export/certificates/${id}.pdf`);
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, practiceName: "Renamed Mediation" });
  await mongoose.connection
    .collection<{ _id: string }>("clients")
    .updateOne({ _id: first.id }, { $set: { lastName: "Otherwise" } });
  expect(await pdfText(app, own, `/export/certificates/${id}.pdf`)).toBe(before);
});

test("certificates.issue: in a practice that counts from the issue, the four months run from there", async () => {
  itIs("2030-11-02");
  const own = await anAuthorisedPractice(app);
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, certificatesCountFrom: "issue" });
  const { assessmentId } = await attended({ attendedOn: "2030-09-01" }, own);
  const choices = await own.api.certificates.choices.query({ assessmentId });
  expect([choices.countsFrom, lastDayOf(choices, today())]).toEqual(["issue", "2031-03-02"]);
  const issued = await own.api.certificates.issue.mutate(anIssue(assessmentId));
  expect(issued).toMatchObject({ attendedOn: "2030-09-01", countedFrom: "2030-11-02", expiresOn: "2031-03-02" });
});

test("S71 certificates.issue: an owner who does not mediate, a caseworker, and a mediator whose number is not confirmed, are refused and told why", async () => {
  const own = await aPractice(app);
  const mediator = await aStaffUser(app, own, { role: 2 });
  const caseworker = await aStaffUser(app, own, { role: 3 });
  const conductor = await authorise(own, mediator);
  const { theCase, p1 } = await aCase(own, {
    mediators: [own.ownerId, conductor].map((userId) => ({ userId, isLead: userId === conductor })),
  });
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: conductor };
  const { id } = await own.api.assessments.record.mutate(anAssessment(whose, { attendedOn: today() }));
  const attempt = ({ api }: Pick<TestPerson, "api">) => refusal(api.certificates.issue.mutate(anIssue(id)));
  expect(await attempt(own)).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("on your profile") });
  expect(await attempt(caseworker)).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("mediator") });
  // Another number is not the one that the owner looked up.
  await claimAccreditation(mediator, "5678B");
  expect(await attempt(mediator)).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("has not confirmed"),
  });
  const { blockers } = await mediator.api.certificates.choices.query({ assessmentId: id });
  expect(blockers).toEqual([expect.stringContaining("has not confirmed")]);
  await own.api.staff.confirmAccreditation.mutate({ id: conductor, number: "5678B", isConfirmed: true });
  expect(await mediator.api.certificates.issue.mutate(anIssue(id))).toMatchObject({ accreditationNumber: "5678B" });
});

test("certificates.issue: an authorised mediator, when they mediate another case only, signs nothing in this one", async () => {
  const { assessmentId } = await attended();
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const userId = await authorise(practice, mediator, "770B");
  await aCase(practice, ledBy(userId));
  expect(await refusal(mediator.api.certificates.issue.mutate(anIssue(assessmentId)))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("Only a mediator of this case"),
  });
});

test("staff.confirmAccreditation: a number that changed meanwhile is not confirmed, and what was confirmed is taken back", async () => {
  const own = await aPractice(app);
  const mediator = await aStaffUser(app, own, { role: 2 });
  const id = await claimAccreditation(mediator);
  const confirm = (number: string, isConfirmed: boolean) =>
    own.api.staff.confirmAccreditation.mutate({ id, number, isConfirmed });
  expect(await confirm(URN, true)).toMatchObject({ accreditationConfirmedAt: expect.any(String) });
  await claimAccreditation(mediator);
  expect(await mediator.api.users.profile.query()).toMatchObject({ isAccreditationConfirmed: true });
  const {
    isAccreditationConfirmed: _number,
    isChildInclusiveConfirmed: _children,
    ...stated
  } = await mediator.api.users.profile.query();
  await mediator.api.users.updateProfile.mutate({ ...stated, lastName: "Otherwise" });
  expect(await mediator.api.users.profile.query()).toMatchObject({ isAccreditationConfirmed: false });
  expect(await confirm(URN, true)).toMatchObject({ accreditationConfirmedAt: expect.any(String) });
  expect(await confirm(URN, false)).toMatchObject({ accreditationConfirmedAt: null });
  await claimAccreditation(mediator, "5678B");
  expect((await refusal(confirm(URN, true))).code).toBe("CONFLICT");
  expect(await mediator.api.users.profile.query()).toMatchObject({ isAccreditationConfirmed: false });
});

test("certificates.issue: outside England and Wales, and in a case of another kind, there are none", async () => {
  const own = await aPractice(app);
  await authorise(own);
  const { theCase, assessmentId } = await attended({}, own);
  const attempt = () => refusal(own.api.certificates.issue.mutate(anIssue(assessmentId)));
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  await cases.updateOne({ _id: theCase.id }, { $set: { domain: "workplace" } });
  expect(await attempt()).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringContaining("family") });
  await cases.updateOne({ _id: theCase.id }, { $set: { domain: "family" } });
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, region: "scotland" });
  expect(await attempt()).toMatchObject({ code: "PRECONDITION_FAILED" });
});

test("certificates.issue: when another day of issue is sent, then it is refused; it is issued today, where the practice is", async () => {
  moveTime(Date.parse("2031-06-30T23:30:00Z") - Date.now());
  const own = await anAuthorisedPractice(app);
  const { assessmentId } = await attended({ attendedOn: "2031-06-20" }, own);
  const dated = { ...anIssue(assessmentId), issuedOn: "2031-06-21" };
  expect((await refusal(own.api.certificates.issue.mutate(dated))).code).toBe("BAD_REQUEST");
  expect(await own.api.certificates.issue.mutate(anIssue(assessmentId))).toMatchObject({ issuedOn: "2031-07-01" });
});

test("certificates.issue: a meeting from before 29 April 2024 is certified by no rules of today", async () => {
  const attempt = async (attendedOn: string) => refusal(issue((await attended({ attendedOn })).assessmentId));
  expect(await attempt("2024-04-28")).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("before 29 April 2024"),
  });
  // Of this day it is, though its months are over.
  expect((await attempt("2024-04-29")).fields).toEqual({
    isLateConfirmed: expect.stringContaining("ended on 29 August 2024"),
  });
});

test("certificates.issue: an organisation gets none, also of a record that is there", async () => {
  const { assessmentId, first } = await attended();
  await mongoose.connection
    .collection<{ _id: string }>("clients")
    .updateOne({ _id: first.id }, { $set: { kind: "organisation", organisation: "Brightwater Ltd" } });
  expect(await refusal(issue(assessmentId))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "An organisation attends no MIAM, so it gets no certificate.",
  });
});

test("certificates.issue: whoever attended and then withdrew still gets it, and it says so only where that is asked for", async () => {
  const { assessmentId, theCase, p1 } = await attended();
  expect(Object.keys((await refusal(issue(assessmentId, ["person_stops"]))).fields)).toEqual(["statements"]);
  await step(theCase.id, p1.partyId, "withdrawn");
  const { id, sentences } = await issue(assessmentId, ["person_stops"]);
  expect(sentences).toHaveLength(2);
  expect(await printed(id)).toContain(withoutBlanks("does not wish to start or continue mediation"));
});

test("certificates.issue: that no other participant is willing needs the refusal of every one of them", async () => {
  const { assessmentId, theCase, p2 } = await attended();
  const third = await aCase(practice);
  const { version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId: third.first.id, role: "respondent" as const, side: "" };
  await practice.api.casework.addParty.mutate({ changeId: newId(), id: theCase.id, version, party });
  const decision = { id: newId(), caseId: theCase.id, decision: "clear" as const, reason: "" };
  await practice.api.conflicts.decide.mutate(decision);
  await step(theCase.id, p2.partyId, "invited", "refused");
  expect(await isAllowed(assessmentId, "none_willing")).toBe(false);
  expect(Object.keys((await refusal(issue(assessmentId, ["none_willing"]))).fields)).toEqual(["statements"]);
  const { parties } = await practice.api.cases.get.query({ id: theCase.id });
  await step(theCase.id, parties[2]?.partyId ?? "", "invited", "refused");
  const { id } = await issue(assessmentId, ["none_willing"]);
  const text = await printed(id);
  expect(text).toContain(withoutBlanks("no other participant is willing"));
  expect(text).not.toContain(third.first.lastName.toLowerCase());
});

test("certificates.choices: that the others attended separately needs a record of their own", async () => {
  const { assessmentId, theCase, p2 } = await attended();
  expect([await isAllowed(assessmentId, "alone"), await isAllowed(assessmentId, "separately")]).toEqual([true, false]);
  const theirs = { caseId: theCase.id, partyId: p2.partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anAssessment(theirs, { attendedOn: today() }));
  expect(await isAllowed(assessmentId, "separately")).toBe(true);
});

test("certificates.choices: a screening that says not suitable allows that sentence to whoever may read it, and tells nobody else of it", async () => {
  const { assessmentId, theCase, p2, second } = await attended();
  const blind = await aStaffUser(app, practice, { role: 2, permissions: ["clients.read", "clients.write"] });
  expect(await isAllowed(assessmentId, "unsuitable")).toBe(false);
  // Whoever withdrew before stands there still, and nothing but the screening says what it found.
  await step(theCase.id, p2.partyId, "withdrawn");
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  for (const by of [practice, blind]) expect(await isAllowed(assessmentId, "unsuitable", by)).toBe(by === practice);
  const sure = { ...anIssue(assessmentId, ["unsuitable"]), isHarmless: true };
  expect((await refusal(issue(assessmentId, ["unsuitable"]))).fields).toHaveProperty("isHarmless");
  const text = await printed((await practice.api.certificates.issue.mutate(sure)).id);
  expect(text).toContain(withoutBlanks("The mediator considers that mediation is not suitable."));
  expect(text).not.toContain(second.lastName.toLowerCase());
});

test("certificates.issue: that another participant does not wish to go on needs their withdrawal, and does not say who it was", async () => {
  const { assessmentId, theCase, p2, second } = await attended();
  expect(Object.keys((await refusal(issue(assessmentId, ["other_stops"]))).fields)).toEqual(["statements"]);
  await step(theCase.id, p2.partyId, "withdrawn");
  // Whoever never answered may have been entered by mistake.
  expect(await isAllowed(assessmentId, "other_stops")).toBe(false);
  await step(theCase.id, p2.partyId, "responded", "withdrawn");
  const text = await printed((await issue(assessmentId, ["other_stops"])).id);
  expect(text).toContain(withoutBlanks("Another participant does not wish to start or continue mediation."));
  expect(text).not.toContain(second.lastName.toLowerCase());
});

/** Which ends now. */
const aRound = () => ({ ending: null, outcome: null, reason: "", endedAt: new Date(), concludedOn: "" });
const lock = (id: string) =>
  mongoose.connection.collection<{ _id: string }>("sessions").updateOne({ _id: id }, { $set: { status: "locked" } });

test("certificates.choices: that mediation broke down needs a session that is locked and an early end other than reconciled or settled, also where somebody was not safe", async () => {
  const { assessmentId, theCase, p1, p2 } = await attended();
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  let ending = "reconciled";
  const end = () => cases.updateOne({ _id: theCase.id }, { $set: { status: "terminated", ending } });
  await cases.updateOne({ _id: theCase.id }, { $set: IN_MEDIATION });
  const session = await practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  for (const { partyId } of [p1, p2])
    await practice.api.sessions.setAttendance.mutate({ changeId: newId(), id: session.id, partyId, state: "present" });
  await end();
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  await cases.updateOne({ _id: theCase.id }, { $set: { status: "in_mediation" } });
  await practice.api.sessions.move.mutate({ changeId: newId(), id: session.id, to: "ended" });
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  await end();
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  for (ending of ["settled_themselves", "died", "not_safe"]) {
    await end();
    expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  }
  await lock(session.id);
  for (ending of ["died", "opened_in_error"])
    expect(await end().then(() => isAllowed(assessmentId, "broken_down"))).toBe(false);
  for (ending of ["not_safe", "no_answer", "other_route", "broken_down"]) {
    await end();
    expect(await isAllowed(assessmentId, "broken_down")).toBe(true);
  }
  const text = await printed((await issue(assessmentId, ["broken_down"])).id);
  expect(text).toContain(withoutBlanks("Mediation started and has broken down."));
  const comeBack = (round: object, after: object) =>
    cases.updateOne({ _id: theCase.id }, { $set: { rounds: [{ ...aRound(), ...round }], ...after } });
  const broken = { status: "terminated", ending };
  const refused = { status: "not_proceeding", ending: "refused" };
  await comeBack({ status: "concluded", outcome: { code: "agreed_all" } }, refused);
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  await comeBack(broken, refused);
  expect(await isAllowed(assessmentId, "broken_down")).toBe(true);
  // What did not proceed never began, whatever was written up of it.
  await cases.updateOne({ _id: theCase.id }, { $set: { rounds: [], ...refused } });
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  await comeBack(broken, { status: "assessing", ending: null });
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
});

test("certificates.choices: that mediation concluded with open issues needs that conclusion and a session that is locked, and is no breakdown", async () => {
  const { assessmentId, theCase, p1, p2 } = await attended();
  const cases = mongoose.connection.collection<{ _id: string }>("cases");
  await cases.updateOne({ _id: theCase.id }, { $set: IN_MEDIATION });
  const session = await practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  for (const { partyId } of [p1, p2])
    await practice.api.sessions.setAttendance.mutate({ changeId: newId(), id: session.id, partyId, state: "present" });
  await practice.api.sessions.move.mutate({ changeId: newId(), id: session.id, to: "ended" });
  const isOpenAfter = async (code: string, ...results: string[]) => {
    const issues = results.map((result) => ({ label: "Home", result }));
    await cases.updateOne({ _id: theCase.id }, { $set: { status: "concluded", outcome: { code, issues } } });
    return isAllowed(assessmentId, "unresolved");
  };
  expect(await isOpenAfter("agreed_some", "partly")).toBe(false);
  await lock(session.id);
  for (const code of ["agreed_all", "agreed_not_written"]) expect(await isOpenAfter(code, "agreed")).toBe(false);
  for (const code of ["agreed_some", "agreed_not_written"]) expect(await isOpenAfter(code, "partly")).toBe(true);
  expect(await isAllowed(assessmentId, "broken_down")).toBe(false);
  const text = await printed((await issue(assessmentId, ["unresolved"])).id);
  expect(text).toContain(withoutBlanks("Mediation started and has concluded with some or all issues unresolved."));
});

test("certificates.choices: that one of several others is not safe says nothing of mediation that goes on", async () => {
  const { assessmentId, theCase, p2 } = await attended();
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  const party = { clientId: (await aCase(practice)).first.id, role: "respondent" as const, side: "" };
  const { parties } = await practice.api.casework.addParty.mutate({ changeId: newId(), id, version, party });
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: id, decision: "clear", reason: "" });
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  expect(await isAllowed(assessmentId, "unsuitable")).toBe(false);
  await practice.api.screenings.complete.mutate(aScreening(theCase, parties[2]?.partyId ?? "", NOT_SAFE));
  expect(await isAllowed(assessmentId, "unsuitable")).toBe(true);
});

test("certificates.issue: that somebody stopped who was found not safe first is said only once nobody is put in danger by it", async () => {
  const { assessmentId, theCase, p2 } = await attended();
  await step(theCase.id, p2.partyId, "responded");
  await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  await step(theCase.id, p2.partyId, "withdrawn");
  expect((await refusal(issue(assessmentId, ["other_stops"]))).fields).toEqual({
    isHarmless: expect.stringContaining("found not safe to mediate before they decided"),
  });
  const sure = { ...anIssue(assessmentId, ["other_stops"]), isHarmless: true };
  expect((await practice.api.certificates.issue.mutate(sure)).sentences[1]).toContain("does not wish to start");
});

describe("a certificate whose facts turn out to be recorded in error", () => {
  const asked = async (caseId: string) =>
    (await practice.api.tasks.list.query({ caseId })).items.filter(({ title }) => title.startsWith("Look again at"));

  test("by a step that is taken back, then whoever signed it is asked to look; by one that follows, only as it leads them back", async () => {
    const { assessmentId, theCase, p2 } = await attended();
    await step(theCase.id, p2.partyId, "responded", "withdrawn");
    const { number } = await issue(assessmentId, ["other_stops"]);
    await step(theCase.id, p2.partyId, "responded");
    const back = { title: expect.stringContaining(`${number}: somebody came back`) };
    expect(await asked(theCase.id)).toMatchObject([back]);
    const correct = async () => {
      const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
      await practice.api.casework.correct.mutate({ id, version, partyId: p2.partyId, reason: "Wrong click" });
    };
    await correct();
    expect(await asked(theCase.id)).toMatchObject([back]);
    await correct();
    expect(JSON.stringify(await asked(theCase.id))).toContain(`${number}: what it says is not recorded`);
  });

  test("by another's record that is struck, then whoever signed it is asked to look", async () => {
    const { assessmentId, theCase, p2 } = await attended();
    const theirs = { caseId: theCase.id, partyId: p2.partyId, mediatorId: practice.ownerId };
    const { id, version } = await practice.api.assessments.record.mutate(anAssessment(theirs, { attendedOn: today() }));
    const { number } = await issue(assessmentId, ["separately"]);
    await practice.api.assessments.strike.mutate({ id, version, reason: "They did not come" });
    expect(await asked(theCase.id)).toMatchObject([{ title: expect.stringContaining(number) }]);
  });
});

test("certificates.issue: a second one of the same meeting asks why, and makes the first void with that reason", async () => {
  const { assessmentId, theCase, p1 } = await attended();
  const first = await issue(assessmentId);
  await step(theCase.id, p1.partyId, "withdrawn");
  expect((await refusal(issue(assessmentId, ["person_stops"]))).fields).toHaveProperty("replaceReason");
  expect(await practice.api.certificates.choices.query({ assessmentId })).toMatchObject({
    replaces: [{ number: first.number, usedOn: "" }],
  });
  const input = { ...anIssue(assessmentId, ["person_stops"]), replaceReason: "They withdrew" };
  const second = await practice.api.certificates.issue.mutate(input);
  const { items } = await practice.api.certificates.list.query({ caseId: theCase.id });
  expect(items).toMatchObject([
    { id: second.id, status: "issued", voidReason: "" },
    { id: first.id, status: "void", voidReason: `Replaced by ${second.number}: They withdrew` },
  ]);
  const [record] = (await practice.api.assessments.list.query({ caseId: theCase.id })).items;
  expect(record).toMatchObject({ isCertified: true });
});

test("certificates.issue: one that was used stands too, so a second one asks why, and makes it void with its day kept", async () => {
  const { assessmentId, theCase } = await attended();
  const first = await issue(assessmentId);
  await practice.api.certificates.use.mutate({ id: first.id, usedOn: today() });
  expect(await practice.api.certificates.choices.query({ assessmentId })).toMatchObject({
    replaces: [{ number: first.number, usedOn: today() }],
  });
  expect((await refusal(issue(assessmentId))).fields).toHaveProperty("replaceReason");
  const input = { ...anIssue(assessmentId), replaceReason: "The court asked for another wording" };
  const second = await practice.api.certificates.issue.mutate(input);
  const { items } = await practice.api.certificates.list.query({ caseId: theCase.id });
  expect(items).toMatchObject([
    { id: second.id, status: "issued" },
    { id: first.id, status: "void", usedOn: today() },
  ]);
});

test("certificates.issue: two at once of one meeting, then one stands", async () => {
  const { assessmentId, theCase } = await attended();
  const both = await Promise.allSettled([issue(assessmentId), issue(assessmentId)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await CertificateModel.countDocuments({ ownerId: practice.ownerId, caseId: theCase.id })).toBe(1);
});

test("certificates: the index itself lets no second one of a meeting stand", async () => {
  const { assessmentId } = await attended();
  const { id } = await issue(assessmentId);
  const stored = await CertificateModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  await expect(CertificateModel.create([{ ...stored, _id: newId(), number: "C-9999" }])).rejects.toThrow(/duplicate/i);
});

test("certificates.void: asks why, and a void one is neither used nor printed", async () => {
  const { assessmentId, theCase, p1 } = await attended();
  const { id } = await issue(assessmentId);
  expect((await refusal(practice.api.certificates.void.mutate({ id, reason: " " }))).fields).toHaveProperty("reason");
  await practice.api.certificates.void.mutate({ id, reason: "Typing error" });
  const answer = await fetch(`${app.url}/export/certificates/${id}.pdf`, { headers: { cookie: practice.cookies() } });
  expect(answer.status).toBe(412);
  const { items } = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p1.partyId });
  expect(items.find((item) => item.id === id)?.detail).toBe("Declared void: it proves nothing any more.");
  expect(await refusal(practice.api.certificates.use.mutate({ id, usedOn: today() }))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
});
