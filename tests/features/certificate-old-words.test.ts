// A certificate says what people wish now: what they said, or did not say, long before its MIAM was about another one.
import { newId } from "@app/server/core/ids";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays, addMonths } from "@app/shared/days";
import type { Statement } from "@app/shared/miam-rules";
import { beforeEach, expect, test } from "vitest";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, ledBy } from "../support/server/people.ts";
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
