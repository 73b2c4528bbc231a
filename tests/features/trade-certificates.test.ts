// What a certificate may say of how mediation ended, of the others and of their sides, and until when it counts.
import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { Ending, PartyStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { addDays, addMonths } from "@app/shared/days";
import type { Statement } from "@app/shared/miam-rules";
import { describe, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, ledBy, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, DAY, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

const today = () => clock.now().toISOString().slice(0, 10);
const fresh = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";

/** A case whose first party attended a MIAM. */
async function attended(attendedOn = daysAgo(60)) {
  const built = await aCase(practice, ledBy(practice.ownerId));
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const { id: assessmentId } = await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }));
  const judged = async (statement: Statement) => {
    const { statements } = await practice.api.certificates.choices.query({ assessmentId });
    return statements.find((each) => each.statement === statement);
  };
  const issue = (statements: Statement[], said: { isHarmless?: boolean | undefined; fewerReason?: string } = {}) =>
    practice.api.certificates.issue.mutate({ id: newId(), assessmentId, statements, replaceReason: "", ...said });
  return { ...built, assessmentId, judged, issue };
}

describe("how mediation ended", () => {
  const STILL_SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

  /** A session of both was held and locked. */
  async function mediated() {
    const built = await attended();
    const { id: caseId } = built.theCase;
    const signed = { "parties.$[].consentedOn": DAY, "parties.$[].agreementSignedOn": DAY };
    const begun = { status: "in_mediation", "parties.$[].status": "active", ...signed };
    await CaseModel.updateOne({ _id: caseId, ownerId: practice.ownerId }, { $set: begun });
    const { sessions } = practice.api;
    const { id, partyIds } = await sessions.start.mutate({ id: newId(), caseId, meetingId: null });
    const change = () => ({ id, changeId: newId() });
    for (const partyId of partyIds) {
      await sessions.setAttendance.mutate({ ...change(), partyId, state: "present" });
      await sessions.reviewSafety.mutate({ ...change(), partyId, ...STILL_SAFE });
    }
    await sessions.update.mutate({ ...change(), outcome: { code: "not_agreed", text: "" } });
    await sessions.move.mutate({ ...change(), to: "ended" });
    await sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
    const end = async (ending: Ending) => {
      const of = { _id: caseId, ownerId: practice.ownerId };
      if (ending === "no_answer") await CaseModel.updateOne(of, { $set: { "parties.1.status": "no_response" } });
      const conflict = { id: newId(), caseId, decision: "conflicted" as const, reason: "We advise the other side" };
      if (ending === "conflict_of_interest") await practice.api.conflicts.decide.mutate(conflict);
      return practice.api.casework.move.mutate({
        ...at(await fresh(built.theCase)),
        to: "terminated",
        reason: "As it is",
        ending,
        outcome: { ...OUTCOME, issues: [] },
      });
    };
    return { ...built, end };
  }

  test.each<[Ending, Statement, Statement]>([
    ["conflict_of_interest", "unresolved", "broken_down"],
    ["no_answer", "broken_down", "unresolved"],
    ["other_route", "broken_down", "unresolved"],
    ["broken_down", "broken_down", "unresolved"],
  ])("certificates.choices: after an end by %s it may say %s, and not %s", async (ending, may, mayNot) => {
    const { end, judged, issue } = await mediated();
    for (const statement of [may, mayNot]) expect(await judged(statement)).toMatchObject({ isAllowed: false });
    await end(ending);
    expect(await judged(mayNot)).toMatchObject({ isAllowed: false });
    expect(Object.keys((await refusal(issue([mayNot]))).fields)).toEqual(["statements"]);
    const said = await judged(may);
    expect(said).toMatchObject({ isAllowed: true });
    expect((await issue([may])).sentences.slice(1)).toEqual([said?.sentence]);
  });
});

describe("that nobody else is willing", () => {
  const FEWER = { fewerReason: "They hung up twice" };

  /** Two others: of the second nothing is asked yet, and the third refused. */
  async function amongThree() {
    const built = await attended();
    const ofCase = async () => at(await fresh(built.theCase));
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "respondent" as const, side: "" };
    const joined = await practice.api.casework.addParty.mutate({ ...(await ofCase()), changeId: newId(), party });
    const decision = { id: newId(), caseId: joined.id, decision: "clear" as const, reason: "" };
    await practice.api.conflicts.decide.mutate(decision);
    await mayContact(joined);
    const step = async (index: number, to: PartyStatus) =>
      practice.api.casework.moveParty.mutate({
        ...(await ofCase()),
        partyId: partyOf(joined, index),
        to,
        on: today(),
        reason: "Never rang back",
        confidences: null,
        isOwnDecision: to === "refused" ? true : null,
      });
    const invite = async (index: number) =>
      practice.api.casework.inviteParty.mutate({
        ...(await ofCase()),
        changeId: newId(),
        partyId: partyOf(joined, index),
        channel: "phone",
        call: "spoken",
        on: daysAgo(40),
        wording: "Come",
      });
    const stand = async (index: number, side: string) =>
      practice.api.casework.updateParty.mutate({
        ...(await ofCase()),
        partyId: partyOf(joined, index),
        role: joined.parties[index]?.role ?? "participant",
        side,
        consentedOn: "",
        representativeContactIds: [],
      });
    const asked = async () =>
      (await practice.api.tasks.list.query({ caseId: joined.id })).items
        .map(({ title }) => title)
        .filter((title) => title.startsWith("Look again at"));
    const lines = async () =>
      (await practice.api.timeline.list.query({ caseId: joined.id, page: 1 })).items.map(({ text }) => text);
    await invite(2);
    await step(2, "refused");
    return { ...built, step, invite, stand, asked, lines };
  }

  test.each(["invited", "no_response"] as const)(
    "certificates.choices: when somebody in “%s” stands on their own side, then it is not said, and it is once they stand apart",
    async (status) => {
      const { step, invite, stand, judged, issue } = await amongThree();
      await invite(1);
      if (status === "no_response") await step(1, status);
      for (const index of [0, 1]) await stand(index, "Ellery");
      expect(await judged("none_willing")).toMatchObject({
        isAllowed: false,
        because: expect.stringContaining("Look at the sides of this case first."),
      });
      expect(Object.keys((await refusal(issue(["none_willing"], FEWER))).fields)).toEqual(["statements"]);
      await stand(1, "");
      if (status === "invited") await step(1, "no_response");
      expect(await judged("none_willing")).toMatchObject({ isAllowed: true });
    },
  );

  test.each(["to_invite", "responded"] as const)(
    "certificates.choices: when somebody in “%s” stands on their own side, then it is said of the others",
    async (status) => {
      const { step, stand, judged } = await amongThree();
      for (const index of [0, 1]) await stand(index, "Ellery");
      if (status === "responded") await step(1, status);
      expect(await judged("none_willing")).toMatchObject({ isAllowed: true });
    },
  );

  test("casework.updateParty: when a side changes after it was said, then whoever signed it looks again where it is not recorded any more", async () => {
    const { step, invite, stand, issue, asked } = await amongThree();
    await invite(1);
    await step(1, "no_response");
    const { number } = await issue(["none_willing"], FEWER);
    await stand(0, "Ellery");
    expect(await asked()).toEqual([]);
    await stand(1, "Ellery");
    expect(await asked()).toEqual([
      `Look again at certificate ${number}: what it says is not recorded any more. If it was never so, declare it void`,
    ]);
  });

  test("casework.updateParty: when a certificate says no more than that they attended, then nobody looks at sides", async () => {
    const { stand, issue, asked } = await amongThree();
    await issue([]);
    for (const index of [0, 1]) await stand(index, "Ellery");
    expect(await asked()).toEqual([]);
  });

  test("timeline.list: each change of a side has a line, and saving the same again has none", async () => {
    const { stand, lines } = await amongThree();
    const ofSides = async () => (await lines()).filter((text) => text.includes("stands on")).toSorted();
    for (const side of ["", "Ellery", "Ellery"]) await stand(1, side);
    expect(await ofSides()).toEqual(["P2 stands on the side “Ellery” now"]);
    await stand(1, "");
    expect(await ofSides()).toEqual(["P2 stands on a side of their own now", "P2 stands on the side “Ellery” now"]);
  });
});

describe("until when it counts", () => {
  const itIs = async ({ api, email }: TestPractice, day: string) => {
    moveTime(Date.parse(`${day}T12:00:00Z`) - Date.now());
    await api.auth.signIn.mutate({ email, password: PASSWORD, isRemembered: false });
  };

  test.each<["issue" | "attendance", (day: string, until: string) => string]>([
    ["issue", (day) => addMonths(day, 4)],
    ["attendance", (_day, until) => until],
  ])(
    "certificates.issue: where it counts from the %s, one that is late has the last day of the meeting",
    async (countsFrom, inTime) => {
      const own = await anAuthorisedPractice(app);
      const { currency: _currency, ...settings } = await own.api.practices.get.query();
      await own.api.practices.update.mutate({ ...settings, certificatesCountFrom: countsFrom });
      const { theCase } = await aCase(own, ledBy(own.ownerId));
      const attendedOn = daysAgo(100);
      const until = addMonths(attendedOn, 4);
      const assessmentIds: string[] = [];
      for (const { partyId } of theCase.parties) {
        const whose = { caseId: theCase.id, partyId, mediatorId: own.ownerId };
        assessmentIds.push((await own.api.assessments.record.mutate(anAssessment(whose, { attendedOn }))).id);
      }
      const issue = (index: number, isLateConfirmed = false) =>
        own.api.certificates.issue.mutate({
          id: newId(),
          assessmentId: assessmentIds[index] ?? "",
          statements: [],
          isLateConfirmed,
          replaceReason: "",
        });
      await itIs(own, until);
      expect(await issue(0)).toMatchObject({ issuedOn: until, expiresOn: inTime(until, until), status: "issued" });
      const dayAfter = addDays(until, 1);
      await itIs(own, dayAfter);
      expect(Object.keys((await refusal(issue(1))).fields)).toEqual(["isLateConfirmed"]);
      expect(await issue(1, true)).toMatchObject({ issuedOn: dayAfter, expiresOn: until, status: "expired" });
    },
  );
});

describe("that mediation is not suitable", () => {
  test.each([
    ["this person", 0],
    ["somebody else", 1],
  ])(
    "certificates.issue: when it is said of %s, then it warns, and is said once it harms nobody",
    async (_whom, index) => {
      const { theCase, judged, issue } = await attended();
      await practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, index), NOT_SAFE));
      const warning = expect.stringContaining("could put somebody in danger");
      expect(await judged("unsuitable")).toMatchObject({ isAllowed: true, warning });
      for (const isHarmless of [undefined, false])
        expect((await refusal(issue(["unsuitable"], { isHarmless }))).fields).toEqual({ isHarmless: warning });
      expect((await issue(["unsuitable"], { isHarmless: true })).sentences).toHaveLength(2);
    },
  );

  test("certificates.issue: when it says no more than that they attended, then nothing is asked", async () => {
    const { theCase, issue } = await attended();
    await practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 0), NOT_SAFE));
    expect((await issue([])).sentences).toHaveLength(1);
  });
});

describe("the risk at a MIAM", () => {
  const attendedOn = daysAgo(30);
  const sixMonthsBefore = addMonths(attendedOn, -6);

  test.each([
    ["over six months before it", addDays(sixMonthsBefore, -1), false],
    ["six months before it", sixMonthsBefore, true],
    ["on its day", attendedOn, true],
    ["the day after it", addDays(attendedOn, 1), false],
  ])(
    "assessments.record: when a screening was held %s, then the risk was assessed as it says",
    async (_when, heldOn, isAssessed) => {
      const { theCase, p1, p2 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
      await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { heldOn }));
      await practice.api.screenings.complete.mutate(aScreening(theCase, p2.partyId, { heldOn: attendedOn }));
      const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
      const record = (said: Parameters<typeof anAssessment>[1] = {}) =>
        practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn, ...said }));
      if (isAssessed) {
        expect(await record()).toMatchObject({ lacksRiskAssessment: false });
        return;
      }
      expect((await refusal(record())).fields).toEqual({
        riskAssessment: expect.stringContaining("in the 6 months up to the day of this meeting"),
      });
      const said = { riskAssessment: "not_done" as const, riskReason: "They had to leave" };
      const { id, version, lacksRiskAssessment } = await record(said);
      expect(lacksRiskAssessment).toBe(true);
      const { id: _sent, caseId: _case, partyId: _party, ...details } = anAssessment(whose, { attendedOn });
      const correction = { ...details, id, version, reason: "Screened that day" };
      expect((await refusal(practice.api.assessments.correct.mutate(correction))).fields).toHaveProperty(
        "riskAssessment",
      );
    },
  );

  test("assessments.record: when an earlier screening was replaced by a later one, then the earlier still counts", async () => {
    const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId), { isScreened: false });
    for (const heldOn of [addDays(attendedOn, -10), addDays(attendedOn, 10)])
      await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { heldOn }));
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
    const recorded = practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }));
    expect(await recorded).toMatchObject({ lacksRiskAssessment: false });
  });
});
