// A case that came back may be about another dispute: what was held in the round before is certified of that one alone.
import type { CaseStatus } from "@app/shared/case-states";
import type { Statement } from "@app/shared/miam-rules";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { anAssessment, anAuthorisedPractice, daysAgo } from "../support/server/assessments.ts";
import { ending } from "../support/server/ending.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aMediatedCase, leading, TODAY } from "../support/server/led.ts";
import { ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { stepping } from "../support/server/stepping.ts";
import { signedBefore } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));

/** A case in mediation whose parties have a MIAM each, which may end and come back. */
async function mediated() {
  const { theCase, p1, p2 } = await aMediatedCase(practice, ledBy(practice.ownerId));
  const { api } = practice;
  const caseId = theCase.id;
  await signedBefore(practice, caseId);
  // They may have another one today.
  const records = mongoose.connection.collection("assessments");
  await records.updateMany({ caseId }, { $set: { attendedOn: daysAgo(30) } });
  const { items } = await api.assessments.list.query({ caseId });
  const first = items.find(({ partyId }) => partyId === p1.partyId)?.id ?? "";
  const miam = async ({ partyId }: { partyId: string }) =>
    (
      await api.assessments.record.mutate(
        anAssessment({ caseId, partyId, mediatorId: practice.ownerId }, { attendedOn: TODAY }),
      )
    ).id;
  const { move } = stepping(practice);
  const fresh = () => api.cases.get.query({ id: caseId });
  const to = async (status: CaseStatus) => move(await fresh(), status);
  const hold = () => ending(practice).hold(theCase, "broken_off");
  /** Everybody is screened and signs anew. */
  const mediateAnew = async () => {
    for (const { partyId } of [p1, p2]) await api.screenings.complete.mutate(aScreening(await fresh(), partyId));
    await to("ready");
    for (const index of [0, 1]) await leading(practice, caseId).party(index, "agreement_signed");
    await to("in_mediation");
  };
  const isAllowed = async (assessmentId: string, statement: Statement) =>
    (await api.certificates.choices.query({ assessmentId })).statements.find((one) => one.statement === statement)
      ?.isAllowed;
  const choices = () => api.certificates.mediationChoices.query({ caseId, partyId: p1.partyId });
  return { caseId, p1, p2, first, miam, hold, to, mediateAnew, isAllowed, choices };
}

test.each([
  ["broken_down", "terminated"],
  ["unresolved", "concluded"],
] as const)(
  "certificates.choices: “%s” is said beside a MIAM of the round in which they mediated, and of no later one until they mediate again",
  async (statement, end) => {
    const { p1, first, miam, hold, to, mediateAnew, isAllowed } = await mediated();
    await hold();
    await to(end);
    expect(await isAllowed(first, statement)).toBe(true);
    await to("assessing");
    const second = await miam(p1);
    await to("not_proceeding");
    expect(await isAllowed(second, statement)).toBe(false);
    await to("assessing");
    await mediateAnew();
    await hold();
    await to(end);
    expect(await isAllowed(second, statement)).toBe(true);
    expect(await isAllowed(first, statement)).toBe(true);
  },
);

test("certificates.choices: that the others attended separately is said of a MIAM of the same round, or of a later one", async () => {
  const { p1, p2, first, miam, hold, to, isAllowed } = await mediated();
  await hold();
  await to("terminated");
  expect(await isAllowed(first, "separately")).toBe(true);
  await to("assessing");
  const second = await miam(p1);
  expect(await isAllowed(second, "separately")).toBe(false);
  expect(await isAllowed(first, "separately")).toBe(true);
  await miam(p2);
  expect(await isAllowed(second, "separately")).toBe(true);
});

test("certificates.mediationChoices: it names the sessions of the round in which the last one was held", async () => {
  const { caseId, hold, to, mediateAnew, choices } = await mediated();
  for (const [number, days] of [9, 5].entries()) {
    await hold();
    const startedAt = new Date(`${daysAgo(days)}T10:00:00Z`);
    await mongoose.connection.collection("sessions").updateOne({ caseId, number: number + 1 }, { $set: { startedAt } });
  }
  await to("terminated");
  expect(await choices()).toMatchObject({ firstOn: daysAgo(9), lastOn: daysAgo(5) });
  await to("assessing");
  expect(await choices()).toMatchObject({ firstOn: daysAgo(9), lastOn: daysAgo(5) });
  await mediateAnew();
  await hold();
  expect(await choices()).toMatchObject({ firstOn: TODAY, lastOn: TODAY });
});
