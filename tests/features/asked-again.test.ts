// Whoever said no, or left, so long ago that no certificate repeats it any more may be asked again.
import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, addMonths } from "@app/shared/days";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, ledBy } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const made = forEachTest(() => aCase(practice, ledBy(practice.ownerId)));
beforeEach(() => mayContact(made.theCase));

/** The last day on which what was said counts no more beside a MIAM of this day. */
const longBefore = (miam: string) => addDays(addMonths(miam, -4), -1);

const nowCase = () => practice.api.cases.get.query({ id: made.theCase.id });
const p2Now = async () => (await nowCase()).parties[1];

async function miamOn(attendedOn: string, partyId = made.p1.partyId): Promise<string> {
  const whose = { caseId: made.theCase.id, partyId, mediatorId: practice.ownerId };
  return (await practice.api.assessments.record.mutate(anAssessment(whose, { attendedOn }))).id;
}

async function move(to: PartyStatus, on: string, isOwnDecision: boolean | null = true): Promise<void> {
  const { id, version } = await nowCase();
  const said = {
    reason: "They said so by phone",
    isOwnDecision: to === "refused" || to === "withdrawn" ? isOwnDecision : null,
  };
  await practice.api.casework.moveParty.mutate({ id, version, partyId: made.p2.partyId, to, on, ...said });
}

async function invite(on: string) {
  const { id, version } = await nowCase();
  const letter = { channel: "post" as const, on, wording: "Would you come after all?", changeId: newId() };
  return practice.api.casework.inviteParty.mutate({ id, version, partyId: made.p2.partyId, ...letter });
}

const ANSWERED = (as: string) => ({ code: "PRECONDITION_FAILED", message: `P2 has answered already: ${as}.` });

test.each([
  ["refused", ["refused"]],
  ["withdrawn", ["responded", "withdrawn"]],
  ["withdrawn", ["withdrawn"]],
] as const)(
  "casework.inviteParty: when the word of somebody who is %s (%j) is too old for the new MIAM, then they are invited again, and their silence is certified",
  async (_status, steps) => {
    const miam = daysAgo(60);
    await miamOn(addDays(longBefore(miam), -10));
    for (const to of steps) await move(to, longBefore(miam));
    const assessmentId = await miamOn(miam);
    await invite(daysAgo(50));
    expect(await p2Now()).toMatchObject({ status: "invited", lastStep: { from: steps.at(-1), to: "invited" } });
    await move("no_response", TODAY);
    const { statements } = await practice.api.certificates.choices.query({ assessmentId });
    expect(statements.find(({ statement }) => statement === "none_willing")).toMatchObject({ isAllowed: true });
    const { attempts } = await practice.api.casework.invitations.query({ id: made.theCase.id });
    expect(attempts).toMatchObject([{ on: daysAgo(50), isAnswered: false }]);
  },
);

test("casework.inviteParty: when their word counts beside the last MIAM still, then they have answered already", async () => {
  const miam = daysAgo(20);
  await miamOn(addDays(longBefore(miam), -10));
  await move("refused", addDays(longBefore(miam), 1));
  await miamOn(miam);
  expect(await refusal(invite(TODAY))).toMatchObject(ANSWERED("Refused"));
  expect(await p2Now()).toMatchObject({ status: "refused" });
});

test("casework.inviteParty: when no MIAM was held since their word, then it counts for as long as one of today could rest on it", async () => {
  await miamOn(addDays(longBefore(TODAY), -10));
  await move("refused", longBefore(TODAY));
  const { missing } = await practice.api.casework.invitations.query({ id: made.theCase.id });
  expect(missing).toContainEqual({ partyId: made.p2.partyId, gaps: [] });
  expect((await invite(TODAY)).parties[1]).toMatchObject({ status: "invited" });
});

test("casework.inviteParty: when the letter went out before they said no, then it asks nobody again", async () => {
  await miamOn(addDays(longBefore(TODAY), -10));
  await move("refused", longBefore(TODAY));
  expect(Object.keys((await refusal(invite(addDays(longBefore(TODAY), -1)))).fields ?? {})).toEqual(["on"]);
});

test("casework.inviteParty: when whoever withdrew long ago was found not safe, then they are not asked again", async () => {
  await miamOn(addDays(longBefore(TODAY), -10));
  await move("responded", longBefore(TODAY));
  await practice.api.screenings.complete.mutate(aScreening(made.theCase, made.p2.partyId, NOT_SAFE));
  await practice.api.casework.moveParty.mutate({
    ...(await at()),
    partyId: made.p2.partyId,
    to: "withdrawn",
    on: longBefore(TODAY),
    reason: "By phone",
    isOwnDecision: true,
  });
  expect(await refusal(invite(TODAY))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("not safe to mediate"),
  });
  expect(await p2Now()).toMatchObject({ status: "withdrawn" });
});

test("casework.moveParty: when somebody said no themselves long ago, then what others tell of it takes nothing away still", async () => {
  await miamOn(addDays(longBefore(TODAY), -10));
  await move("refused", longBefore(TODAY));
  await miamOn(TODAY);
  expect((await refusal(move("refused", TODAY, false))).fields).toHaveProperty("isOwnDecision");
});

test("casework.strikeInvitation: when the second invitation was recorded in error, then they have said no as before", async () => {
  await miamOn(addDays(longBefore(TODAY), -10));
  await move("refused", longBefore(TODAY));
  await invite(TODAY);
  const { attempts } = await practice.api.casework.invitations.query({ id: made.theCase.id });
  const attemptId = attempts[0]?.id ?? "";
  await practice.api.casework.strikeInvitation.mutate({ ...(await at()), attemptId, reason: "Another case" });
  expect(await p2Now()).toMatchObject({ status: "refused", lastStep: { isOwnDecision: true } });
});

async function at() {
  const { id, version } = await nowCase();
  return { id, version };
}
