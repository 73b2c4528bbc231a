import { bringBackDueTimes } from "@app/server/core/due-times";
import { createLogger } from "@app/server/core/logger";
import { newId } from "@app/server/core/ids";
import { remindOfCertificates } from "@app/server/features/certificates/certificate-reminders";
import { addDays, addMonths } from "@app/shared/days";
import { expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { pdfText } from "../support/hostile/pdf-text.ts";
import { anAssessment, authorise } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, ledBy, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);

const log = createLogger("silent");

/** The clock of the server shows this, and the person signs in again. */
async function itIs({ api, email }: Pick<TestPractice, "api" | "email">, instant: string): Promise<void> {
  moveTime(Date.parse(instant) - Date.now());
  await api.auth.signIn.mutate({ email, password: PASSWORD, isRemembered: false });
}

/** Somebody attended that day, and the certificate was issued on it. */
async function certified(attendedOn: string, timeZone = "Europe/London") {
  const own = await aPractice(app);
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, timeZone });
  const mediatorId = await authorise(own);
  const { theCase, p1, second } = await aCase(own, ledBy(own.ownerId));
  await itIs(own, `${attendedOn}T12:00:00Z`);
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId };
  const { id: assessmentId } = await own.api.assessments.record.mutate(anAssessment(whose, { attendedOn }));
  const input = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  const issued = await own.api.certificates.issue.mutate(input);
  const now = async () => {
    const [certificate] = (await own.api.certificates.list.query({ caseId: theCase.id })).items;
    return certificate && { status: certificate.status, daysLeft: certificate.daysLeft };
  };
  const tasks = async () => (await own.api.tasks.list.query({})).items.map(({ title }) => title);
  const blockers = async () => (await own.api.certificates.choices.query({ assessmentId })).blockers;
  return { own, issued, now, tasks, second, assessmentId, blockers };
}

test("addMonths: four months later, and the end of a month that is shorter", () => {
  expect(["2026-08-02", "2026-10-31", "2027-10-31", "2025-12-31"].map((day) => addMonths(day, 4))).toEqual([
    "2026-12-02",
    "2027-02-28",
    "2028-02-29",
    "2026-04-30",
  ]);
});

const CLOCKS = [
  {
    what: "the last day is the one on which the clocks go forward",
    attendedOn: "2027-11-26",
    lastDay: "2028-03-26",
    stillAt: "2028-03-26T22:59:00Z",
    overAt: "2028-03-26T23:01:00Z",
    inWords: "26 March 2028",
  },
  {
    what: "the last day is the one on which the clocks go back",
    attendedOn: "2028-06-29",
    lastDay: "2028-10-29",
    stillAt: "2028-10-29T23:59:00Z",
    overAt: "2028-10-30T00:01:00Z",
    inWords: "29 October 2028",
  },
  {
    what: "the clocks went forward within the four months, and the fourth has no such day",
    attendedOn: "2028-12-31",
    lastDay: "2029-04-30",
    stillAt: "2029-04-30T22:59:00Z",
    overAt: "2029-04-30T23:01:00Z",
    inWords: "30 April 2029",
  },
  {
    what: "the clocks go back the day after",
    attendedOn: "2027-06-30",
    lastDay: "2027-10-30",
    stillAt: "2027-10-30T22:59:00Z",
    overAt: "2027-10-30T23:01:00Z",
    inWords: "30 October 2027",
  },
  {
    what: "the clocks went back within the four months",
    attendedOn: "2027-07-01",
    lastDay: "2027-11-01",
    stillAt: "2027-11-01T23:59:00Z",
    overAt: "2027-11-02T00:01:00Z",
    inWords: "1 November 2027",
  },
  {
    what: "the fourth month has no such day",
    attendedOn: "2027-10-31",
    lastDay: "2028-02-29",
    stillAt: "2028-02-29T23:59:00Z",
    overAt: "2028-03-01T00:01:00Z",
    inWords: "29 February 2028",
  },
];

test.each(CLOCKS)(
  "certificates: where $what, it runs to the end of that day in the practice's zone, and one that is issued after it is confirmed and says so",
  async ({ attendedOn, lastDay, stillAt, overAt, inWords }) => {
    const { own, issued, now, assessmentId, blockers, tasks } = await certified(attendedOn);
    expect(issued.expiresOn).toBe(lastDay);
    await itIs(own, stillAt);
    expect(await now()).toEqual({ status: "issued", daysLeft: 0 });
    await itIs(own, overAt);
    expect(await now()).toEqual({ status: "expired", daysLeft: -1 });
    expect(await blockers()).toEqual([]);
    const again = (isLateConfirmed?: boolean) =>
      own.api.certificates.issue.mutate({
        id: newId(),
        assessmentId,
        statements: [],
        isLateConfirmed,
        replaceReason: "Lost",
      });
    const today = overAt.slice(0, 10) > lastDay ? overAt.slice(0, 10) : addDays(lastDay, 1);
    for (const isConfirmed of [undefined, false])
      expect((await refusal(again(isConfirmed))).fields).toEqual({
        isLateConfirmed: expect.stringContaining(`The 4 months ended on ${inWords}, so an application made now cannot`),
      });
    const late = await again(true);
    expect(late).toMatchObject({ attendedOn, issuedOn: today, expiresOn: lastDay, status: "expired", daysLeft: -1 });
    const text = (await pdfText(app, own, `/export/certificates/${late.id}.pdf`)).replaceAll(" ", "");
    expect(text).toContain("thatdayhadpassedwhenthiswasissued");
    expect(text).toContain(inWords.toLowerCase().replaceAll(" ", ""));
    await remindOfCertificates(log);
    expect((await tasks()).join()).not.toContain(late.number);
  },
);

test("certificates.issue: a meeting of yesterday there is not of today here, when it is past midnight in summer", async () => {
  const { own } = await certified("2028-05-01");
  const mediatorId = own.ownerId;
  const { theCase, p1 } = await aCase(own, ledBy(own.ownerId));
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId };
  await itIs(own, "2028-06-30T22:59:00Z");
  const record = () => own.api.assessments.record.mutate(anAssessment(whose, { attendedOn: "2028-07-01" }));
  expect((await refusal(record())).fields).toHaveProperty("attendedOn");
  await itIs(own, "2028-06-30T23:01:00Z");
  expect(await record()).toMatchObject({ attendedOn: "2028-07-01" });
});

test("certificates.issue: where the months count from the issue, they end with those of the meeting once these are over, which is confirmed", async () => {
  const { own, assessmentId } = await certified("2027-06-01");
  const { currency: _currency, ...settings } = await own.api.practices.get.query();
  await own.api.practices.update.mutate({ ...settings, certificatesCountFrom: "issue" });
  await itIs(own, "2027-11-20T12:00:00Z");
  const issue = (isLateConfirmed = true) =>
    own.api.certificates.issue.mutate({
      id: newId(),
      assessmentId,
      statements: [],
      isLateConfirmed,
      replaceReason: "Typing error",
    });
  // An application relies on the meeting, whatever day the certificate states.
  expect((await refusal(issue(false))).fields).toEqual({
    isLateConfirmed: expect.stringContaining("The 4 months ended on 1 October 2027"),
  });
  expect(await issue()).toMatchObject({ issuedOn: "2027-11-20", expiresOn: "2027-10-01" });
});

test("certificates: reminded of once before and once after its last day, which comes when it is over in the practice's zone", async () => {
  const { own, issued, tasks, second } = await certified("2029-01-10", "America/New_York");
  expect(issued.expiresOn).toBe("2029-05-10");
  await remindOfCertificates(log);
  expect(await tasks()).toEqual([]);
  await itIs(own, "2029-04-20T12:00:00Z");
  await Promise.all([remindOfCertificates(log), remindOfCertificates(log)]);
  const whose = `Certificate ${issued.number} of ${issued.personName}`;
  const before = `${whose} ends on 10 May 2029: remind them to apply by then`;
  expect(await tasks()).toEqual([before]);
  // Past midnight in UTC, and still the last day there.
  await itIs(own, "2029-05-11T01:00:00Z");
  await remindOfCertificates(log);
  expect(await tasks()).toHaveLength(1);
  await itIs(own, "2029-05-11T05:00:00Z");
  await remindOfCertificates(log);
  await remindOfCertificates(log);
  const after = `${whose} counts until 10 May 2029: for an application after that day they need a new MIAM or mediation since`;
  expect((await tasks()).toSorted()).toEqual([after, before].toSorted());
  expect((await tasks()).join()).not.toContain(second.lastName);
  expect(await refusal(own.api.certificates.use.mutate({ id: issued.id, usedOn: "2029-05-11" }))).toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("S79: a clock that is far ahead reminds of certificates, then with the right one each is reminded of when it is time", async () => {
  const { own, issued, tasks } = await certified("2031-01-10");
  const whose = `Certificate ${issued.number} of ${issued.personName}`;
  const before = `${whose} ends on 10 May 2031: remind them to apply by then`;
  await itIs(own, "2032-03-01T12:00:00Z");
  await remindOfCertificates(log);
  expect(await tasks()).toEqual([
    `${whose} counts until 10 May 2031: for an application after that day they need a new MIAM or mediation since`,
  ]);
  await itIs(own, "2031-01-11T12:00:00Z");
  await bringBackDueTimes(log);
  await remindOfCertificates(log);
  expect(await tasks()).not.toContain(before);
  await itIs(own, "2031-05-01T12:00:00Z");
  await remindOfCertificates(log);
  expect(await tasks()).toContain(before);
});

test("dashboard.get: a certificate that was issued late runs out four months after the meeting, and its clock counts from there", async () => {
  const own = await aPractice(app);
  const mediatorId = await authorise(own);
  const { theCase, p1 } = await aCase(own, ledBy(own.ownerId));
  await itIs(own, "2030-05-20T12:00:00Z");
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId };
  const { id: assessmentId } = await own.api.assessments.record.mutate(
    anAssessment(whose, { attendedOn: "2030-02-01" }),
  );
  const input = { id: newId(), assessmentId, statements: [], replaceReason: "" };
  await own.api.certificates.issue.mutate(input);
  expect((await own.api.dashboard.get.query()).certificates.items).toMatchObject([
    { countedFrom: "2030-02-01", expiresOn: "2030-06-01", daysLeft: 12 },
  ]);
});
