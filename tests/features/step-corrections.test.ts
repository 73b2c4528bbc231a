// A step that was taken back: what it told, and what it opened or closed meanwhile.
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { silentPartiesAreOut } from "@app/server/features/cases/case-parties.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import { richTextOf } from "@app/shared/rich-text";
import { SHARED } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, anUnscreenedMiam, only, daysAgo } from "../support/server/assessments.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { aCase, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, withMeasures } from "../support/server/screened.ts";
import { sign } from "../support/server/signed.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

async function aParty(isScreened = true) {
  const built = await aCase(practice, ledBy(practice.ownerId), { isScreened });
  const { p1, theCase } = built;
  const now = () => practice.api.cases.get.query({ id: theCase.id });
  const step = async (to: PartyStatus) => {
    const { id, version } = await now();
    const { partyId } = p1;
    if (to === "invited") {
      const letter = { channel: "post" as const, on: "2026-01-05", wording: "A letter" };
      await practice.api.casework.inviteParty.mutate({ id, version, partyId, ...letter, changeId: newId() });
      return;
    }
    const input = { id, version, partyId, to, on: "2026-01-05", reason: "Canaryreason of the step" };
    await practice.api.casework.moveParty.mutate(input);
  };
  const correct = async (reason = "The wrong one") => {
    const { id, version } = await now();
    return practice.api.casework.correct.mutate({ id, version, partyId: p1.partyId, reason });
  };
  const share = (word: string) =>
    practice.api.notes.create.mutate({
      id: newId(),
      caseId: theCase.id,
      clientId: built.second.id,
      kind: "file_note",
      visibility: SHARED,
      body: richTextOf(word),
    });
  const preview = async () =>
    JSON.stringify(await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p1.partyId }));
  const party = async () => only((await now()).parties.filter(({ partyId }) => partyId === p1.partyId));
  return { ...built, step, correct, share, preview, party };
}

const linesOf = async ({ api }: Pick<typeof practice, "api">, clientId: string) =>
  (await api.timeline.list.query({ clientId })).items.map(({ text }) => text);

test("casework.correct: what was typed about a party's step is read by the practice, and never by that party", async () => {
  const { first, step, correct, preview } = await aParty();
  await step("responded");
  await correct("Canaryother rang us, not she");
  expect(await preview()).toContain("Corrected: back from Responded to Not invited yet");
  expect(await preview()).not.toContain("Canary");
  expect(await linesOf(practice, first.id)).toEqual(
    expect.arrayContaining([expect.stringContaining("because: Canaryother rang us")]),
  );
});

test("casework.correct: what was typed about a finding of safety is read as a screening is", async () => {
  const { first, step, correct } = await aParty();
  for (const to of ["responded", "intake_done", "miam_booked", "miam_attended", "not_suitable"] as const)
    await step(to);
  await correct("Canaryscreening was of somebody else");
  const finance = await aStaffUser(app, practice, { role: 4 });
  expect((await linesOf(practice, first.id)).join()).toContain("Canaryscreening");
  expect((await linesOf(finance, first.id)).join()).not.toContain("Canaryscreening");
});

test("casework.correct: somebody who was called back by mistake, when that is taken back, was away all the time", async () => {
  const { step, correct, share, preview, party } = await aParty();
  await step("withdrawn");
  const { leftAt } = await party();
  await step("responded");
  await share("Canaryafter they left");
  expect(await preview()).toContain("Canaryafter");
  await correct();
  expect(await party()).toMatchObject({ status: "withdrawn", leftAt, absences: [] });
  expect(await preview()).not.toContain("Canaryafter");
});

test("casework.correct: somebody who was put out by mistake, when that is taken back, reads what was shared meanwhile once it is shared again", async () => {
  const { step, correct, share, preview, party } = await aParty();
  await share("Shared before");
  await step("withdrawn");
  const { leftAt } = await party();
  await share("Canarymeanwhile");
  expect(await preview()).not.toContain("Canarymeanwhile");
  await correct();
  expect(await party()).toMatchObject({ status: "to_invite", leftAt: null, absences: [{ from: leftAt }] });
  expect(await preview()).toContain("Shared before");
  expect(await preview()).not.toContain("Canarymeanwhile");
  await share("Canarymeanwhile");
  expect(await preview()).toContain("Canarymeanwhile");
});

test("a silent party: from when their silence is recorded, also invited again, reads nothing new until they answer", async () => {
  const { step, correct, share, preview, party } = await aParty();
  await step("invited");
  await share("Shared before");
  await step("no_response");
  const { leftAt } = await party();
  await share("Canaryone");
  await step("invited");
  await share("Canarytwo");
  expect(await party()).toMatchObject({ status: "invited", leftAt, absences: [] });
  expect(await preview()).toContain("Shared before");
  expect(await preview()).not.toContain("Canary");
  await step("responded");
  expect(await party()).toMatchObject({ leftAt: null, absences: [{ from: leftAt }] });
  await share("Shared after");
  expect(await preview()).toContain("Shared after");
  expect(await preview()).not.toContain("Canary");
  for (const status of ["invited", "no_response"]) {
    await correct();
    expect(await party()).toMatchObject({ status, leftAt, absences: [] });
  }
  await correct();
  expect(await party()).toMatchObject({ status: "invited", leftAt: null, absences: [{ from: leftAt }] });
  expect(await preview()).not.toMatch(/Canary|Shared after/);
});

test("silentPartiesAreOut: when a party did not answer before that counted, then they are out since", async () => {
  const { theCase, step, party, p1 } = await aParty();
  for (const to of ["invited", "no_response"] as const) await step(to);
  const { statusSince } = await party();
  const place = { _id: theCase.id, ownerId: practice.ownerId };
  await CaseModel.updateOne(place, { $set: { "parties.$[].leftAt": null } });
  for (let times = 0; times < 2; times += 1) await silentPartiesAreOut(createLogger("silent"));
  const { parties } = await practice.api.cases.get.query({ id: theCase.id });
  expect(parties.map(({ partyId, leftAt }) => (partyId === p1.partyId ? leftAt : null))).toEqual([statusSince, null]);
});

test("casework.correct: a way out and the way back, when both are taken back, leave what was shared between them hidden", async () => {
  const { step, correct, share, preview, party } = await aParty();
  await step("withdrawn");
  const { leftAt } = await party();
  await share("Canarymeanwhile");
  await step("responded");
  for (let taken = 0; taken < 2; taken += 1) await correct();
  expect(await party()).toMatchObject({ status: "to_invite", leftAt: null, absences: [{ from: leftAt }] });
  expect(await preview()).not.toContain("Canarymeanwhile");
});

/** P1, found not safe while their MIAM was on the record, and what was shared then. */
async function outByScreening() {
  const built = await aParty(false);
  for (const to of ["responded", "intake_done", "miam_booked"] as const) await built.step(to);
  const whose = { caseId: built.theCase.id, partyId: built.p1.partyId, mediatorId: practice.ownerId };
  const record = async (attendedOn: string) =>
    practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn }));
  const recorded = await record("2026-01-05");
  const screen = (found: object) =>
    practice.api.screenings.complete.mutate(aScreening(built.theCase, built.p1.partyId, found));
  await screen(NOT_SAFE);
  await built.share("Canaryout while not safe");
  expect(await built.preview()).not.toContain("Canaryout");
  return { ...built, record, recorded, screen };
}

test("casework.correct: a MIAM after which a screening put somebody out, when it is taken back, leaves them out for that time", async () => {
  const { correct, preview, party } = await outByScreening();
  const { leftAt } = await party();
  await correct();
  expect(await party()).toMatchObject({ status: "not_suitable", miamOn: "", leftAt, absences: [] });
  expect(await preview()).not.toContain("Canaryout");
});

test("assessments.strike: when a screening had put somebody out and the right day is recorded, then they were out for that time", async () => {
  const { record, recorded, preview, party } = await outByScreening();
  const { id, version } = recorded;
  await practice.api.assessments.strike.mutate({ id, version, reason: "Wrong day" });
  expect(await preview()).not.toContain("Canaryout");
  await record("2026-01-06");
  expect((await party()).status).toBe("not_suitable");
  expect(await preview()).not.toContain("Canaryout");
});

test("casework.correct: all that followed a wrong way back, when it is taken back, leaves somebody away since they left", async () => {
  const { step, correct, share, preview, party, screened } = await aWithdrawn();
  const { leftAt } = await party();
  for (const to of ["responded", "intake_done"] as const) await step(to);
  await share("Canarytwo meanwhile");
  for (const to of ["miam_booked", "miam_attended"] as const) await step(to);
  await screened(NOT_SAFE);
  await screened({});
  expect((await party()).status).toBe("suitable");
  for (let taken = 0; taken < 4; taken += 1) await correct();
  expect(await party()).toMatchObject({ status: "withdrawn", leftAt, absences: [] });
  expect(await preview()).not.toContain("Canarytwo");
});

async function aWithdrawn() {
  const built = await aParty(false);
  const { theCase, p1 } = built;
  await built.step("withdrawn");
  const screened = (found: object) => practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
  return { ...built, screened };
}

const TO_MIAM = ["responded", "intake_done", "miam_booked", "miam_attended"] as const;

/** P1, who came as far as this and then withdrew. */
async function aWithdrawnFrom(stood: "miam_attended" | "suitable" | "agreement_signed") {
  const built = await aParty(false);
  const { theCase, p1 } = built;
  const screened = (found: object) => practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
  for (const to of TO_MIAM) await built.step(to);
  if (stood !== "miam_attended") await screened({});
  if (stood === "agreement_signed")
    await sign(practice, await practice.api.cases.get.query({ id: theCase.id }), { confidences: "kept" });
  expect((await built.party()).status).toBe(stood);
  await built.step("withdrawn");
  return { ...built, screened };
}

test.each(["miam_attended", "suitable", "agreement_signed"] as const)(
  "casework.correct: a party in %s who withdrew and was found not safe then, when the withdrawal is taken back, is out since they left",
  async (stood) => {
    const { screened, correct, share, preview, party } = await aWithdrawnFrom(stood);
    const { leftAt } = await party();
    await screened(NOT_SAFE);
    await share("Canarymeanwhile");
    await correct();
    expect(await party()).toMatchObject({ status: "not_suitable", leftAt, absences: [] });
    await share("Canarylater");
    expect(await preview()).not.toContain("Canary");
  },
);

test("casework.correct: a party who withdrew and was found suitable with measures then, when the withdrawal is taken back, stands there", async () => {
  const { screened, correct, party } = await aWithdrawnFrom("suitable");
  const { leftAt } = await party();
  await screened(withMeasures("shuttle"));
  await correct();
  expect(await party()).toMatchObject({
    status: "suitable_with_measures",
    leftAt: null,
    absences: [{ from: leftAt }],
  });
});

test("casework.correct: a MIAM after which the screening counted at once, when it is taken back, leaves nothing of it", async () => {
  const { step, correct, party } = await aParty();
  for (const to of ["responded", "intake_done", "miam_booked", "miam_attended"] as const) await step(to);
  expect(await party()).toMatchObject({ status: "suitable", miamOn: "2026-01-05" });
  await correct();
  expect(await party()).toMatchObject({ status: "miam_booked", miamOn: "", assessedOn: "" });
});

test("assessments.record: a MIAM of somebody who was screened before, when it is recorded, lets the screening count", async () => {
  const { theCase, p1, party } = await aParty(false);
  await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
  expect((await party()).status).toBe("to_invite");
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const { id, version } = await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn: daysAgo(0) }));
  expect((await party()).status).toBe("suitable_with_measures");
  await practice.api.assessments.strike.mutate({ id, version, reason: "They did not come" });
  expect(await party()).toMatchObject({ status: "to_invite", leftAt: null, miamOn: "", assessedOn: "" });
});

test("casework: what was typed on the way out of not safe, or back into it, is read as a screening is, and told to no party", async () => {
  const { theCase, first, step, correct, preview, party } = await aParty();
  for (const to of ["responded", "intake_done", "miam_booked", "miam_attended", "not_suitable", "responded"] as const)
    await step(to);
  const finance = await aStaffUser(app, practice, { role: 4 });
  const seen = async () =>
    JSON.stringify([await linesOf(finance, first.id), await finance.api.cases.get.query({ id: theCase.id })]);
  expect(await seen()).not.toContain("Canaryreason");
  await correct("Canaryback: still not safe");
  // What somebody said of them after the screening stands.
  expect((await party()).status).toBe("not_suitable");
  expect(await seen()).not.toContain("Canaryback");
  expect((await linesOf(practice, first.id)).join()).toContain("Canaryback");
  expect(await preview()).not.toMatch(/suitable|Canary/i);
});

test("casework: what was typed about a case that was not safe, when it is opened again, is read as a screening is", async () => {
  const { theCase, first } = await aParty();
  const found = aScreening(theCase, theCase.parties[0]?.partyId ?? "", NOT_SAFE);
  await practice.api.screenings.complete.mutate(found);
  const move = async (to: "not_proceeding" | "enquiry", reason: string) => {
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const ending = to === "not_proceeding" ? ("not_safe" as const) : null;
    await practice.api.casework.move.mutate({ id, version, to, reason, ending, outcome: null, openEntries: 1 });
  };
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  await move("not_proceeding", "Canaryend");
  await move("enquiry", "Canaryreopen");
  const finance = await aStaffUser(app, practice, { role: 4 });
  const seen = async () =>
    JSON.stringify([await linesOf(finance, first.id), await finance.api.cases.get.query({ id: theCase.id })]);
  expect(await seen()).not.toContain("Canary");
  expect((await practice.api.cases.get.query({ id: theCase.id })).reason).toBe("Canaryreopen");
  const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
  await practice.api.casework.correct.mutate({ id, version, partyId: "", reason: "Canarycase" });
  expect(await seen()).not.toContain("Canary");
});

test("assessments: what was said at a MIAM and why somebody is not safe, when screenings are not for somebody, is kept from them", async () => {
  const { theCase, p1, step } = await aParty();
  for (const to of ["responded", "intake_done", "miam_booked"] as const) await step(to);
  const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const said = { minutes: 30, shortReason: "Canaryshort", formsReason: "Canaryforms", signposting: "Canaryrefuge" };
  await practice.api.assessments.record.mutate(anAssessment(whose, said));
  await step("not_suitable");
  const finance = await aStaffUser(app, practice, { role: 4 });
  const { items } = await finance.api.assessments.list.query({ caseId: theCase.id });
  expect(items).toMatchObject([{ attendedOn: "2026-01-05", minutes: 30, isComplete: true, isWithheld: true }]);
  expect(JSON.stringify(items)).not.toContain("Canary");
  expect(JSON.stringify(await finance.api.cases.get.query({ id: theCase.id }))).not.toContain("Canary");
  const blind = await aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "clients.write"] });
  const other = anAssessment(whose, { attendedOn: "2026-01-06" });
  expect(await refusal(blind.api.assessments.record.mutate(other))).toMatchObject({ code: "FORBIDDEN" });
});

test("casework.correct: a reopening, once somebody was screened in it, is not taken back: they would stand in an ended case that nobody can correct", async () => {
  const { p1, theCase } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: addDays(TODAY, -30) });
  const led = leading(practice, theCase.id, "kept");
  const { casework, screenings } = practice.api;
  const withdrawn = { ending: "other" as const, reason: "They stopped", outcome: { ...OUTCOME, issues: [] } };
  const reopen = async () => casework.move.mutate({ ...at(await led.now()), to: "assessing", reason: "Wrong click" });
  const correct = async () =>
    casework.correct.mutate({ ...at(await led.now()), partyId: "", reason: "It was the wrong case" });
  await casework.move.mutate({ ...at(await led.now()), to: "terminated", ...withdrawn });
  await reopen();
  expect(await correct()).toMatchObject({ status: "terminated" });
  await reopen();
  await screenings.complete.mutate(aScreening(await led.now(), p1.partyId));
  expect((await refusal(correct())).message).toContain("P1 was screened since");
  expect(await led.now()).toMatchObject({ status: "assessing" });
});
