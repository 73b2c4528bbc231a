// That somebody took part in mediation, as the recorded sessions say, with months of its own from the last of them.
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { remindOfCertificates } from "@app/server/features/certificates/certificate-reminders";
import { CertificateModel } from "@app/server/features/certificates/certificates.model";
import type { Attendance } from "@app/shared/session-states";
import { addDays } from "@app/shared/days";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAssessment, authorise, claimAccreditation, daysAgo, URN } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import {
  aCase,
  aMeetingInput,
  aPractice,
  aStaffUser,
  ledBy,
  meetingDetailsOf,
  PASSWORD,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const log = createLogger("silent");
const withoutBlanks = (text: string) => text.toLowerCase().replaceAll(" ", "");

const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

/** A case in mediation, and its sessions, as if they had begun at these instants. */
async function mediated() {
  const own = await aPractice(app);
  const built = await aCase(own, ledBy(own.ownerId));
  const { p1, p2 } = built;
  const caseId = built.theCase.id;
  const inMediation = { "parties.$[].status": "active", "parties.$[].consentedOn": "2026-01-05" };
  await stored("cases").updateOne({ _id: caseId }, { $set: { status: "in_mediation", ...inMediation } });
  const itIs = async (instant: string) => {
    moveTime(Date.parse(instant) - Date.now());
    await own.api.auth.signIn.mutate({ email: own.email, password: PASSWORD, isRemembered: false });
  };
  const setStatus = (id: string, status: "ended" | "locked") =>
    stored("sessions").updateOne({ _id: id }, { $set: { status } });
  const come = (id: string, partyId: string, state: Attendance) =>
    own.api.sessions.setAttendance.mutate({ changeId: newId(), id, partyId, state });
  const begin = async (instant: string, first: Attendance, second: Attendance) => {
    const { id } = await own.api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
    await stored("sessions").updateOne({ _id: id }, { $set: { startedAt: new Date(instant) } });
    await come(id, p1.partyId, first);
    await come(id, p2.partyId, second);
    return id;
  };
  const hold = async (instant: string, first: Attendance = "present", second: Attendance = "present") => {
    const id = await begin(instant, first, second);
    await own.api.sessions.move.mutate({ changeId: newId(), id, to: "ended" });
    await setStatus(id, "locked");
    return id;
  };
  const whose = { caseId, partyId: p1.partyId };
  const choices = (partyId = p1.partyId) => own.api.certificates.mediationChoices.query({ caseId, partyId });
  const issue = (more: { isLateConfirmed?: boolean; replaceReason?: string } = {}, by: Pick<TestPerson, "api"> = own) =>
    by.api.certificates.issueMediation.mutate({ id: newId(), ...whose, replaceReason: "", ...more });
  const printed = async (id: string) => withoutBlanks(await pdfText(app, own, `/export/certificates/${id}.pdf`));
  const asked = async () =>
    (await own.api.tasks.list.query({ caseId })).items.filter(({ title }) => title.startsWith("Look again at"));
  return { ...built, own, caseId, whose, itIs, setStatus, come, begin, hold, choices, issue, printed, asked };
}

const CLOCKS = [
  {
    what: "the last session was held in the hour in which it is the day before in UTC",
    heldAt: "2027-06-30T23:30:00Z",
    heldOn: "2027-07-01",
    lastDay: "2027-11-01",
    stillAt: "2027-11-01T23:59:00Z",
    overAt: "2027-11-02T00:01:00Z",
    inWords: "1 November 2027",
  },
  {
    what: "the last day is the one on which the clocks go forward",
    heldAt: "2027-11-26T10:00:00Z",
    heldOn: "2027-11-26",
    lastDay: "2028-03-26",
    stillAt: "2028-03-26T22:59:00Z",
    overAt: "2028-03-26T23:01:00Z",
    inWords: "26 March 2028",
  },
  {
    what: "the last day is the one on which the clocks go back",
    heldAt: "2028-06-29T10:00:00Z",
    heldOn: "2028-06-29",
    lastDay: "2028-10-29",
    stillAt: "2028-10-29T23:59:00Z",
    overAt: "2028-10-30T00:01:00Z",
    inWords: "29 October 2028",
  },
  {
    what: "the fourth month has no such day",
    heldAt: "2027-10-31T10:00:00Z",
    heldOn: "2027-10-31",
    lastDay: "2028-02-29",
    stillAt: "2028-02-29T23:59:00Z",
    overAt: "2028-03-01T00:01:00Z",
    inWords: "29 February 2028",
  },
];

test.each(CLOCKS)(
  "certificates.issueMediation: where $what, its months run to the end of that day, and after it it is confirmed and says so",
  async ({ heldAt, heldOn, lastDay, stillAt, overAt, inWords }) => {
    const { own, hold, itIs, choices, issue, printed, caseId } = await mediated();
    await hold("2027-02-01T10:00:00Z");
    await hold(heldAt);
    await itIs(stillAt);
    expect(await choices()).toMatchObject({ firstOn: "2027-02-01", lastOn: heldOn, expiresOn: lastDay, late: "" });
    const inTime = await issue();
    expect(inTime).toMatchObject({ issuedOn: lastDay, countedFrom: heldOn, expiresOn: lastDay, daysLeft: 0 });
    expect(await printed(inTime.id)).not.toContain("thatdayhadpassed");
    await itIs(overAt);
    expect((await choices()).late).toContain(`The 4 months ended on ${inWords}`);
    expect((await refusal(issue({ replaceReason: "Lost" }))).fields).toEqual({
      isLateConfirmed: expect.stringContaining(`The 4 months ended on ${inWords}`),
    });
    const late = await issue({ isLateConfirmed: true, replaceReason: "Lost" });
    expect(late).toMatchObject({ issuedOn: addDays(lastDay, 1), expiresOn: lastDay, status: "expired" });
    expect(await printed(late.id)).toContain("thatdayhadpassedwhenthiswasissued");
    await remindOfCertificates(log);
    const { items } = await own.api.tasks.list.query({ caseId });
    expect(items.map(({ title }) => title).join()).not.toContain(late.number);
  },
);

test("certificates.issueMediation: says on which days the first and the last session were, by whom it is signed, and names nobody else", async () => {
  const { own, hold, issue, printed, first, second, choices } = await mediated();
  await authorise(own);
  await hold("2027-03-03T10:00:00Z");
  await hold("2027-06-14T10:00:00Z");
  const issued = await issue();
  expect(issued).toMatchObject({
    sentences: [
      "The person named above attended mediation with another participant: the first session was on 3 March 2027, the last on 14 June 2027.",
    ],
    rules: "2024-04-29",
    attendedOn: "",
    assessmentId: null,
    mediatedFrom: "2027-03-03",
    mediatedUntil: "2027-06-14",
    countedFrom: "2027-06-14",
    expiresOn: "2027-10-14",
    accreditationNumber: URN,
  });
  expect((await choices()).sentence).toBe(issued.sentences[0]);
  const text = await printed(issued.id);
  for (const words of [
    "Attendance at mediation",
    first.lastName,
    ...issued.sentences,
    "First session: 3 March 2027",
    "Last session: 14 June 2027",
    "Last day for an application: 14 October 2027",
    own.practiceName,
    URN,
  ])
    expect(text).toContain(withoutBlanks(words));
  for (const words of [second.lastName, "MIAM", "information and assessment"])
    expect(text).not.toContain(withoutBlanks(words));
});

test("certificates.mediationChoices: a session counts for whoever was there with another side, is held, and mediates", async () => {
  const { begin, hold, choices, issue, p2 } = await mediated();
  const missing = [expect.stringContaining("No session is recorded as held")];
  expect((await choices()).blockers).toEqual(missing);
  expect(await refusal(issue())).toMatchObject({ code: "PRECONDITION_FAILED", message: missing[0] });
  await hold("2027-03-03T10:00:00Z", "present", "no_show");
  await hold("2027-03-04T10:00:00Z", "no_show", "present");
  expect((await choices()).blockers).toEqual(missing);
  // Late is there; and a session that has not ended was not held yet.
  await hold("2027-03-05T10:00:00Z", "late", "present");
  await begin("2027-03-09T10:00:00Z", "present", "present");
  expect(await choices()).toMatchObject({ firstOn: "2027-03-05", lastOn: "2027-03-05", blockers: [] });
  expect((await choices(p2.partyId)).lastOn).toBe("2027-03-05");
  expect((await issue()).sentences).toEqual([
    "The person named above attended mediation with another participant on 5 March 2027.",
  ]);
});

test("certificates.issueMediation: rests on sessions that are locked, and names those that are to be locked first", async () => {
  const { hold, setStatus, choices, issue } = await mediated();
  const first = await hold("2027-03-03T10:00:00Z");
  const second = await hold("2027-04-07T10:00:00Z");
  await setStatus(first, "ended");
  const one = "Session 1 is not locked yet, so its record may still change. Lock it first.";
  expect((await choices()).blockers).toEqual([one]);
  expect(await refusal(issue())).toMatchObject({ code: "PRECONDITION_FAILED", message: one });
  await setStatus(second, "ended");
  expect((await choices()).blockers).toEqual([expect.stringContaining("Sessions 1, 2 are not locked yet")]);
  for (const id of [first, second]) await setStatus(id, "locked");
  expect(await issue()).toMatchObject({ mediatedFrom: "2027-03-03", mediatedUntil: "2027-04-07" });
});

test("certificates.issueMediation: a meeting of both that has begun is written up first, or said in the calendar to be none", async () => {
  const { own, caseId, hold, choices, issue, p1, p2 } = await mediated();
  const [firstOn, heldOn] = [daysAgo(20), daysAgo(5)];
  await hold(`${firstOn}T10:00:00Z`);
  const when = { startsAt: `${heldOn}T10:00:00.000Z`, allowsOverlap: true };
  const input = aMeetingInput(own.ownerId, { caseId, partyIds: [p1.partyId, p2.partyId], ...when });
  const { id: meetingId, version } = await own.api.meetings.create.mutate(input);
  const unsaid = /^The calendar does not say yet what came of the meeting on .+ Write up its session first/;
  expect((await choices()).blockers).toEqual([expect.stringMatching(unsaid)]);
  expect((await refusal(issue())).message).toMatch(unsaid);
  const unmetReason = "Both had said yes";
  await own.api.meetings.setStatus.mutate({ id: meetingId, version, to: "completed", unmetReason });
  const writeUp = /^The calendar says that the meeting on .+ was held, and no session is recorded of it\. Write it up/;
  expect((await choices()).blockers).toEqual([expect.stringMatching(writeUp)]);
  const tasks = async () =>
    (await own.api.tasks.list.query({ caseId, isOpen: true })).items.filter(({ title }) =>
      title.startsWith("Write up the session"),
    );
  // That somebody says it is done makes no other meeting of it.
  const [task] = await tasks();
  await own.api.tasks.setStatus.mutate({ id: task?.id ?? "", status: "done" });
  expect((await refusal(issue())).message).toMatch(writeUp);
  await own.api.tasks.setStatus.mutate({ id: task?.id ?? "", status: "open" });
  const details = meetingDetailsOf(await own.api.meetings.get.query({ id: meetingId }));
  await own.api.meetings.update.mutate({ ...details, type: "call" });
  expect(await tasks()).toEqual([]);
  expect(await issue()).toMatchObject({ mediatedUntil: firstOn });
});

test("certificates.mediationChoices: a meeting of both to which one did not come, or that was cancelled, is no mediation to write up", async () => {
  const { own, caseId, hold, choices, p1, p2 } = await mediated();
  await hold(`${daysAgo(20)}T10:00:00Z`);
  const book = (on: string) => {
    const when = { startsAt: `${on}T10:00:00.000Z`, allowsOverlap: true };
    const input = aMeetingInput(own.ownerId, { caseId, partyIds: [p1.partyId, p2.partyId], ...when });
    return own.api.meetings.create.mutate(input);
  };
  const [missed, off] = [await book(daysAgo(6)), await book(daysAgo(5))];
  expect((await choices()).blockers).toHaveLength(1);
  await own.api.meetings.setAttendance.mutate({ id: missed.id, partyId: p2.partyId, attendance: "no_show" });
  const called = { id: off.id, version: off.version, changeId: newId(), reason: "Ill" };
  await own.api.meetings.cancel.mutate({ ...called, isLate: false, isWholeSeries: false });
  expect((await choices()).blockers).toEqual([]);
});

test("certificates.issueMediation: any mediator of the case signs it, whose number stands on it only once it is confirmed; nobody else does", async () => {
  const { own, hold, issue, caseId, printed } = await mediated();
  await hold("2027-03-03T10:00:00Z");
  const mediator = await aStaffUser(app, own, { role: 2 });
  const caseworker = await aStaffUser(app, own, { role: 3 });
  await claimAccreditation(mediator, "77B");
  for (const by of [mediator, caseworker])
    expect(await refusal(issue({}, by))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("Only a"),
    });
  const { user } = await mediator.api.auth.status.query();
  const theirs = { userId: user?.userId ?? "", isLead: false };
  const mediators = [{ userId: own.ownerId, isLead: true }, theirs];
  await stored("cases").updateOne({ _id: caseId }, { $set: { mediators } });
  const issued = await issue({}, mediator);
  expect(issued.accreditationNumber).toBe("");
  expect(await printed(issued.id)).not.toContain("urn");
});

test("certificates.issueMediation: one stands for each last session: a second one asks why, and after another session there is one more", async () => {
  const { own, hold, choices, issue, caseId } = await mediated();
  await hold("2027-03-03T10:00:00Z");
  const first = await issue();
  expect((await choices()).replaces).toEqual([{ number: first.number, usedOn: "" }]);
  expect(Object.keys((await refusal(issue())).fields)).toEqual(["replaceReason"]);
  const second = await issue({ replaceReason: "Lost in the post" });
  await hold("2027-04-07T10:00:00Z");
  expect((await choices()).replaces).toEqual([]);
  const third = await issue();
  const { items } = await own.api.certificates.list.query({ caseId });
  expect(Object.fromEntries(items.map(({ number, status }) => [number, status]))).toEqual({
    [first.number]: "void",
    [second.number]: "issued",
    [third.number]: "issued",
  });
  const doc = await CertificateModel.findOne({ ownerId: own.ownerId, _id: third.id }).lean();
  await expect(CertificateModel.create([{ ...doc, _id: newId(), number: "C-9999" }])).rejects.toThrow(/duplicate/i);
});

test("S76: certificates.issueMediation, sent at once and again with the same id, is done once; with other content it is refused", async () => {
  const { own, hold, caseId, whose } = await mediated();
  await hold("2027-03-03T10:00:00Z");
  const input = { id: newId(), ...whose, replaceReason: "" };
  const send = () => own.api.certificates.issueMediation.mutate(input);
  const [first, ...others] = [...(await Promise.all([send(), send(), send()])), await send()];
  expect(others).toEqual([first, first, first]);
  expect(await CertificateModel.countDocuments({ ownerId: own.ownerId, caseId })).toBe(1);
  const otherwise = own.api.certificates.issueMediation.mutate({ ...input, replaceReason: "Lost" });
  expect((await refusal(otherwise)).code).toBe("CONFLICT");
});

test("certificates: one of mediation and one of a MIAM stand beside each other", async () => {
  const { own, hold, issue, caseId, whose } = await mediated();
  await authorise(own);
  await hold("2027-03-03T10:00:00Z");
  await issue();
  const attendedOn = addDays(new Date().toISOString().slice(0, 10), -1);
  const record = anAssessment({ ...whose, mediatorId: own.ownerId }, { attendedOn });
  const { id: assessmentId } = await own.api.assessments.record.mutate(record);
  expect(await own.api.certificates.choices.query({ assessmentId })).toMatchObject({ replaces: [], blockers: [] });
  const miam = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  await own.api.certificates.issue.mutate(miam);
  const { items } = await own.api.certificates.list.query({ caseId });
  expect(items.map(({ status }) => status)).toEqual(["issued", "issued"]);
});

test("a certificate of mediation: when it is recorded that they did not come after all, whoever signed it is asked to look", async () => {
  const { hold, setStatus, come, issue, asked, p1, p2 } = await mediated();
  await hold("2027-03-03T10:00:00Z");
  const last = await hold("2027-04-07T10:00:00Z");
  const { number } = await issue();
  // As one that was signed before its sessions had to be locked.
  await setStatus(last, "ended");
  await come(last, p1.partyId, "late");
  expect(await asked()).toEqual([]);
  await come(last, p2.partyId, "no_show");
  expect(await asked()).toMatchObject([{ title: expect.stringContaining(number) }]);
  // It was a slip: they came, and nobody has to look any more.
  await come(last, p2.partyId, "late");
  expect(await asked()).toEqual([]);
});

test("a certificate that mediation broke down: when it is recorded that no other came to its sessions, whoever signed it is asked to look", async () => {
  const { own, caseId, whose, hold, setStatus, come, asked, p2 } = await mediated();
  await authorise(own);
  const session = await hold("2026-03-03T10:00:00Z");
  const issuedOn = new Date().toISOString().slice(0, 10);
  const record = anAssessment({ ...whose, mediatorId: own.ownerId }, { attendedOn: addDays(issuedOn, -1) });
  const { id: assessmentId } = await own.api.assessments.record.mutate(record);
  const broken = { status: "terminated", ending: "broken_down" };
  await stored("cases").updateOne({ _id: caseId }, { $set: broken });
  const said = { id: newId(), assessmentId, statements: ["broken_down" as const], replaceReason: "" };
  await setStatus(session, "ended");
  expect((await refusal(own.api.certificates.issue.mutate(said))).fields).toEqual({
    statements: expect.stringContaining("Session 1 is not locked yet"),
  });
  await setStatus(session, "locked");
  const { number } = await own.api.certificates.issue.mutate(said);
  await setStatus(session, "ended");
  await come(session, p2.partyId, "late");
  expect(await asked()).toEqual([]);
  await come(session, p2.partyId, "no_show");
  expect(await asked()).toMatchObject([{ title: expect.stringContaining(`${number}: what it says is not recorded`) }]);
});

test("certificates.mediationChoices: outside England and Wales, and in a case of another kind, there are none", async () => {
  const { own, hold, choices, issue, caseId } = await mediated();
  await hold("2027-03-03T10:00:00Z");
  const none = ["Only family cases in England and Wales have this certificate."];
  const cases = stored("cases");
  await cases.updateOne({ _id: caseId }, { $set: { domain: "workplace" } });
  expect((await choices()).blockers).toEqual(none);
  await cases.updateOne({ _id: caseId }, { $set: { domain: "family" } });
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, region: "scotland" });
  expect(await refusal(issue())).toMatchObject({ code: "PRECONDITION_FAILED", message: none[0] });
});

test("certificates: in Scotland the place is all that is said, to whoever has no FMC number too", async () => {
  const { own, whose } = await mediated();
  await authorise(own);
  const record = anAssessment(
    { ...whose, mediatorId: own.ownerId },
    { attendedOn: addDays(new Date().toISOString().slice(0, 10), -1) },
  );
  const { id: assessmentId } = await own.api.assessments.record.mutate(record);
  await stored("users").updateMany({}, { $set: { accreditation: null } });
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, region: "scotland" });
  const said = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  const message = "Only family cases in England and Wales have this certificate.";
  expect(await refusal(own.api.certificates.issue.mutate(said))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message,
  });
  expect(await own.api.certificates.choices.query({ assessmentId })).toMatchObject({
    blockers: [message],
    attended: "",
    statements: [],
  });
});
