// What a certificate says of what somebody decided: of the round of the case in which the MIAM was, while it stands.
import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import type { Statement } from "@app/shared/miam-rules";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { cleared } from "../support/server/cleared.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, ledBy } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const today = () => clock.now().toISOString().slice(0, 10);
const SINCE = "before the case was reopened";

/** A case whose first party attended a MIAM, which may end and come back. */
async function attended() {
  const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId));
  const caseId = theCase.id;
  const fresh = () => practice.api.cases.get.query({ id: caseId });
  const at = async () => ({ id: caseId, version: (await fresh()).version });
  await mayContact(theCase);
  const miam = async (attendedOn = today()) => {
    const whose = { caseId, partyId: p1.partyId, mediatorId: practice.ownerId };
    return (await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }))).id;
  };
  const judged = async (assessmentId: string, statement: Statement) =>
    (await practice.api.certificates.choices.query({ assessmentId })).statements.find(
      (each) => each.statement === statement,
    );
  const issue = (assessmentId: string, statements: Statement[]) =>
    practice.api.certificates.issue.mutate({
      id: newId(),
      assessmentId,
      statements,
      fewerReason: "They hung up twice",
      replaceReason: "",
    });
  const step = async (to: PartyStatus, partyId = p2.partyId) =>
    practice.api.casework.moveParty.mutate({
      ...(await at()),
      partyId,
      to,
      on: today(),
      reason: "They say so",
      isOwnDecision: to === "refused" || to === "withdrawn" ? true : null,
    });
  const invite = async (on: string) =>
    practice.api.casework.inviteParty.mutate({
      ...(await at()),
      changeId: newId(),
      partyId: p2.partyId,
      channel: "post",
      on,
      wording: "Come",
    });
  /** It ends before its conclusion, and is reopened where it stood. */
  const comeBack = async () => {
    const { move } = stepping(practice);
    const { status } = await fresh();
    await move(await fresh(), "not_proceeding");
    await move(await fresh(), status);
    const said = { partyId: p1.partyId, isAgreed: true, isNamed: false, on: today() };
    await practice.api.casework.recordContactAgreement.mutate({ ...(await at()), ...said });
  };
  const join = async () => {
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "respondent" as const, side: "" };
    const joined = await practice.api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
    await cleared(joined);
    return joined.parties[2]?.partyId ?? "";
  };
  const asked = async () =>
    (await practice.api.tasks.list.query({ caseId })).items
      .map(({ title }) => title)
      .filter((title) => title.startsWith("Look again at"));
  return { caseId, p1, p2, miam, judged, issue, step, invite, comeBack, join, asked };
}

test("casework.moveParty: who refused in the round before, and says no again in this one, is recorded and certified so", async () => {
  const { miam, judged, step, comeBack } = await attended();
  await step("refused");
  await comeBack();
  const now = await miam();
  expect(await judged(now, "none_willing")).toMatchObject({ isAllowed: false });
  expect((await step("refused")).parties[1]).toMatchObject({ status: "refused", lastStep: { on: today() } });
  expect(await judged(now, "none_willing")).toMatchObject({ isAllowed: true });
});

test.each(["refused", "withdrawn"] as const)(
  "certificates.choices: who is “%s” since the round before says nothing beside a MIAM of this one, until they say so again",
  async (to) => {
    const { miam, judged, issue, step, invite, comeBack } = await attended();
    const before = await miam(daysAgo(30));
    await step("responded");
    await step(to);
    for (const statement of ["none_willing", "other_stops"] as const)
      expect(await judged(before, statement)).toMatchObject({ isAllowed: true });
    await comeBack();
    const now = await miam();
    for (const statement of ["none_willing", "other_stops"] as const) {
      expect(await judged(now, statement)).toMatchObject({ isAllowed: false });
      expect(Object.keys((await refusal(issue(now, [statement]))).fields)).toEqual(["statements"]);
      // Nor beside the one of their own round: what they would say now is not known.
      expect(await judged(before, statement)).toMatchObject({ isAllowed: false });
    }
    expect((await judged(now, "other_stops"))?.because).toContain(SINCE);
    // They may be asked anew, and say so again.
    await invite(today());
    await step(to);
    for (const statement of ["none_willing", "other_stops"] as const)
      expect(await judged(now, statement)).toMatchObject({ isAllowed: true });
    await expect(invite(today())).rejects.toThrow("answered already");
  },
);

test("certificates.choices: that the person themself stopped in the round before is not said of this one", async () => {
  const { p1, miam, judged, step, comeBack } = await attended();
  const before = await miam(daysAgo(30));
  await step("withdrawn", p1.partyId);
  expect(await judged(before, "person_stops")).toMatchObject({ isAllowed: true });
  await comeBack();
  expect(await judged(before, "person_stops")).toMatchObject({ isAllowed: false });
  const now = await miam();
  expect(await judged(now, "person_stops")).toMatchObject({ isAllowed: false });
});

test("certificates.choices: who did not answer in the round before is silent in this one only once they were invited again", async () => {
  const { caseId, miam, judged, issue, step, invite, comeBack } = await attended();
  const before = await miam(daysAgo(30));
  await invite(daysAgo(40));
  await step("no_response");
  expect(await judged(before, "none_willing")).toMatchObject({ isAllowed: true });
  await comeBack();
  const now = await miam();
  expect(await judged(now, "none_willing")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining(SINCE),
  });
  await invite(today());
  await step("no_response");
  const attempts = mongoose.connection.collection("invitation_attempts");
  await attempts.updateMany({ caseId, on: today() }, { $set: { replyBy: "2026-01-05" } });
  expect(await judged(now, "none_willing")).toMatchObject({ isAllowed: true, asksFewer: true });
  expect((await issue(now, ["none_willing"])).sentences.join(" ")).toContain(
    "the other participant was invited, and has not answered",
  );
});

test("certificates: when a case is reopened, whoever signed what somebody decided before is asked to look, until that is taken back", async () => {
  const { caseId, miam, issue, step, comeBack, asked } = await attended();
  const assessmentId = await miam(daysAgo(30));
  await step("refused");
  const { number } = await issue(assessmentId, ["none_willing"]);
  await comeBack();
  expect(await asked()).toEqual([expect.stringContaining(`${number}: the case was reopened`)]);
  await stepping(practice).correct(await practice.api.cases.get.query({ id: caseId }));
  expect(await asked()).toEqual([]);
});

test("certificates: when somebody comes back of whom it says that they stopped, whoever signed it is asked to look", async () => {
  const { miam, issue, step, asked } = await attended();
  const assessmentId = await miam(daysAgo(30));
  await step("responded");
  await step("withdrawn");
  const { number } = await issue(assessmentId, ["other_stops"]);
  await step("responded");
  expect(await asked()).toEqual([expect.stringContaining(`${number}: somebody came back`)]);
});

test("certificates: when the person themself comes back, whoever signed that they stopped is asked to look", async () => {
  const { p1, miam, issue, step, asked } = await attended();
  const assessmentId = await miam(daysAgo(30));
  await step("refused", p1.partyId);
  const { number } = await issue(assessmentId, ["person_stops"]);
  await step("responded", p1.partyId);
  expect(await asked()).toEqual([expect.stringContaining(`${number}: somebody came back`)]);
});

test("certificates: while another one still stops, it is true still and nobody is asked", async () => {
  const { p2, miam, issue, step, join, asked } = await attended();
  const third = await join();
  const assessmentId = await miam(daysAgo(30));
  for (const partyId of [p2.partyId, third]) await step("refused", partyId);
  await issue(assessmentId, ["other_stops"]);
  await step("responded", third);
  expect(await asked()).toEqual([]);
});

test("certificates.choices: who was found not safe in the round before is so beside a MIAM of this one once they are screened again", async () => {
  const { caseId, p2, miam, judged, issue, comeBack, step } = await attended();
  const before = await miam(daysAgo(30));
  await step("responded");
  const screen = async () =>
    practice.api.screenings.complete.mutate(
      aScreening(await practice.api.cases.get.query({ id: caseId }), p2.partyId, NOT_SAFE),
    );
  await screen();
  expect(await judged(before, "unsuitable")).toMatchObject({ isAllowed: true });
  await dismissEntries(practice.api, caseId);
  await comeBack();
  const now = await miam();
  expect(await judged(now, "unsuitable")).toMatchObject({
    isAllowed: false,
    because: expect.stringContaining("screen them again"),
  });
  expect(Object.keys((await refusal(issue(now, ["unsuitable"]))).fields)).toEqual(["statements"]);
  expect(await judged(before, "unsuitable")).toMatchObject({ isAllowed: false });
  await screen();
  expect(await judged(now, "unsuitable")).toMatchObject({ isAllowed: true });
});

test("casework.moveParty: a refusal from before the case started, or from an earlier round of it, is not taken", async () => {
  const { api, ownerId } = practice;
  const { theCase, p2 } = await aCase(practice, { ...ledBy(ownerId), startedOn: daysAgo(30) });
  const { move } = stepping(practice);
  const fresh = () => api.cases.get.query({ id: theCase.id });
  const refuse = async (on: string) => {
    const step = { partyId: p2.partyId, to: "refused" as const, reason: "No", isOwnDecision: true, on };
    return api.casework.moveParty.mutate({ id: theCase.id, version: (await fresh()).version, ...step });
  };
  expect((await refusal(refuse(daysAgo(31)))).fields).toEqual({ on: expect.stringContaining("This case started on") });
  const { status } = await fresh();
  await move(await move(await fresh(), "not_proceeding"), status);
  expect((await refusal(refuse(daysAgo(1)))).fields).toEqual({ on: expect.stringContaining("Ask them anew") });
  expect((await refuse(today())).parties[1]).toMatchObject({ status: "refused" });
});
