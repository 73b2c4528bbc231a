// A certificate says how things stand now: what was said, found or broken off long before its MIAM was about another one.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, addMonths } from "@app/shared/days";
import type { Statement } from "@app/shared/miam-rules";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { ending } from "../support/server/ending.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, DAY, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const made = forEachTest(() => aCase(practice, ledBy(practice.ownerId)));
beforeEach(() => mayContact(made.theCase));

/** The first day from which a MIAM could still be relied on today. */
const OLDEST = addMonths(TODAY, -4);

async function miamOn(attendedOn: string): Promise<string> {
  const whose = { caseId: made.theCase.id, partyId: made.p1.partyId, mediatorId: practice.ownerId };
  return (await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }))).id;
}

async function move(to: PartyStatus, on: string): Promise<void> {
  const { id, version } = await practice.api.cases.get.query({ id: made.theCase.id });
  const { partyId } = made.p2;
  const isOwnDecision = to === "responded" ? null : true;
  const reason = "They said so by phone";
  await practice.api.casework.moveParty.mutate({ id, version, partyId, to, on, reason, isOwnDecision });
}

const saying = async (assessmentId: string, statement: Statement) =>
  (await practice.api.certificates.choices.query({ assessmentId })).statements.find(
    (one) => one.statement === statement,
  );

test.each([
  ["none_willing", ["refused"]],
  ["other_stops", ["refused"]],
  ["other_stops", ["responded", "withdrawn"]],
] as const)(
  "certificates.choices: %s rests on the word of the other (%j) where it is from the time of this MIAM, and not where it is older",
  async (statement, steps) => {
    const tooOld = addDays(OLDEST, -1);
    const before = await miamOn(addDays(tooOld, -10));
    for (const to of steps) await move(to, tooOld);
    const now = await miamOn(TODAY);
    expect(await saying(before, statement)).toMatchObject({ isAllowed: true });
    expect(await saying(now, statement)).toMatchObject({
      isAllowed: false,
      because: expect.stringContaining("ask them again"),
    });
  },
);

test("certificates.choices: a refusal that is said again counts from then", async () => {
  await miamOn(addDays(OLDEST, -10));
  await move("refused", addDays(OLDEST, -1));
  const now = await miamOn(TODAY);
  expect(await saying(now, "none_willing")).toMatchObject({ isAllowed: false });
  await move("refused", TODAY);
  expect(await saying(now, "none_willing")).toMatchObject({ isAllowed: true });
});

test.each([
  [-1, false],
  [0, true],
])(
  "certificates.choices: a refusal %i days after the first on which a MIAM could still be relied on: %s",
  async (days, isAllowed) => {
    await miamOn(addDays(OLDEST, -10));
    await move("refused", addDays(OLDEST, days));
    expect(await saying(await miamOn(TODAY), "none_willing")).toMatchObject({ isAllowed });
  },
);

test("certificates.choices: a silence of before the time of this MIAM is none beside it", async () => {
  const before = await miamOn(addDays(OLDEST, -60));
  const { id, version } = await practice.api.cases.get.query({ id: made.theCase.id });
  const post = { channel: "post" as const, on: addDays(OLDEST, -50), wording: "Come" };
  await practice.api.casework.inviteParty.mutate({ id, version, partyId: made.p2.partyId, ...post, changeId: newId() });
  const { version: then } = await practice.api.cases.get.query({ id });
  const quiet = {
    partyId: made.p2.partyId,
    to: "no_response" as const,
    on: addDays(OLDEST, -30),
    reason: "Not a word",
  };
  await practice.api.casework.moveParty.mutate({ id, version: then, ...quiet, isOwnDecision: null });
  expect(await saying(before, "none_willing")).toMatchObject({ isAllowed: true });
  expect(await saying(await miamOn(TODAY), "none_willing")).toMatchObject({ isAllowed: false });
});

/** As if both had signed long ago, and mediated for so many days until this one, on which it broke down. */
async function brokeDown(endedOn: string, days = 50): Promise<void> {
  const { theCase } = made;
  const ofCase = { _id: theCase.id, ownerId: practice.ownerId };
  const signed = { "parties.$[].consentedOn": DAY, "parties.$[].agreementSignedOn": DAY };
  await CaseModel.updateOne(ofCase, { $set: { status: "in_mediation", "parties.$[].status": "active", ...signed } });
  const { hold, fresh } = ending(practice);
  await hold(theCase, "not_agreed");
  const startedAt = new Date(`${addDays(endedOn, -days)}T10:00:00.000Z`);
  await SessionModel.updateOne({ ownerId: practice.ownerId, caseId: theCase.id }, { $set: { startedAt } });
  const end = { to: "terminated" as const, reason: "As it is", ending: "broken_down" as const };
  await practice.api.casework.move.mutate({ ...at(await fresh(theCase)), ...end, outcome: { ...OUTCOME, issues: [] } });
  await CaseModel.updateOne(ofCase, { $set: { concludedOn: endedOn } });
}

test("certificates.issue: mediation that broke down long before this MIAM is not certified beside it, and what to do is named; of a MIAM of its time it is", async () => {
  await brokeDown(addDays(OLDEST, -1));
  const before = await miamOn(addDays(OLDEST, -20));
  const now = await miamOn(TODAY);
  expect(await saying(before, "broken_down")).toMatchObject({ isAllowed: true });
  expect(await saying(now, "broken_down")).toMatchObject({
    isAllowed: false,
    because: expect.stringMatching(/longer before this MIAM .* record what happened since/),
  });
  const issued = { id: newId(), assessmentId: now, statements: ["broken_down" as const], replaceReason: "" };
  expect((await refusal(practice.api.certificates.issue.mutate(issued))).fields).toHaveProperty("statements");
});

test("certificates.choices: mediation of eight months that broke down last week is certified beside the MIAM before it and beside a new one", async () => {
  await brokeDown(daysAgo(7), 250);
  for (const day of [daysAgo(275), daysAgo(3), TODAY])
    expect(await saying(await miamOn(day), "broken_down")).toMatchObject({ isAllowed: true });
});

test("certificates.choices: mediation that broke down on the first day from which a MIAM could still be relied on is certified", async () => {
  await brokeDown(OLDEST);
  expect(await saying(await miamOn(TODAY), "broken_down")).toMatchObject({ isAllowed: true });
});

test.each([
  ["to_invite", -1, false],
  ["to_invite", 0, true],
  ["miam_attended", -1, false],
  ["miam_attended", 0, true],
] as const)(
  "certificates.choices: that somebody who stood at “%s” was found not safe, typed today, %i days after the first on which a MIAM could still be relied on: %s, until they are screened again",
  async (status, days, isAllowed) => {
    const { id } = made.theCase;
    const { api, ownerId } = practice;
    const find = (heldOn: string) =>
      api.screenings.complete.mutate(aScreening(made.theCase, made.p2.partyId, { ...NOT_SAFE, heldOn }));
    await ScreeningModel.deleteMany({ caseId: id, ownerId, partyId: made.p2.partyId });
    await CaseModel.updateOne({ _id: id, ownerId }, { $set: { "parties.1.status": status } });
    await find(addDays(OLDEST, days));
    const now = await miamOn(TODAY);
    const said = await saying(now, "unsuitable");
    expect(said).toMatchObject({ isAllowed });
    if (!isAllowed) expect(said?.because).toContain("screen them again");
    await find(TODAY);
    expect(await saying(now, "unsuitable")).toMatchObject({ isAllowed: true });
  },
);
