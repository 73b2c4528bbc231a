// What happened in the right order counts so, though all of it is written up on a later day.
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { ScreeningModel } from "@app/server/features/screenings/screenings.model";
import { expect, test } from "vitest";
import { daysAgo } from "../support/server/assessments.ts";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const HAPPENED = daysAgo(9);

type Built = Awaited<ReturnType<typeof aMediatedCase>>;

const record = ({ theCase }: Built, day: string) =>
  practice.api.sessions.record.mutate({
    id: newId(),
    caseId: theCase.id,
    meetingId: null,
    startedAt: `${day}T10:00:00.000Z`,
    endedAt: `${day}T11:30:00.000Z`,
    unmetReason: "",
  });

const review = (id: string, partyId: string, said: { isSafe: boolean; note: string; heldOn: string }) =>
  practice.api.sessions.reviewSafety.mutate({
    id,
    changeId: newId(),
    partyId,
    hasChanged: false,
    doMeasuresFit: true,
    wasAskedBefore: true,
    ...said,
  });

async function anOlderCase(): Promise<Built> {
  const built = await aMediatedCase(practice);
  const caseId = built.theCase.id;
  const { ownerId } = practice;
  const on = daysAgo(20);
  const days = { "parties.$[].consentedOn": on, "parties.$[].agreementSignedOn": on };
  await CaseModel.updateOne({ _id: caseId, ownerId }, { $set: days });
  await ScreeningModel.updateMany({ caseId, ownerId }, { $set: { heldOn: on } });
  return built;
}

const stored = ({ theCase }: Built, pushed: object) =>
  CaseModel.updateOne({ _id: theCase.id, ownerId: practice.ownerId }, { $push: pushed });
const step = (from: string, to: string) => ({ from, to, at: new Date(), since: new Date(), reason: "" });

test.each<[string, (built: Built) => Promise<unknown>, string]>([
  [
    "P1 left and came back",
    (built) => stored(built, { "parties.0.steps": { ...step("active", "withdrawn"), on: HAPPENED } }),
    "Screen P1 again: they had left the case since the last screening.",
  ],
  [
    "mediation ended and the case came back",
    (built) =>
      stored(built, {
        steps: {
          ...step("terminated", "assessing"),
          endBefore: { ending: null, outcome: null, concludedOn: HAPPENED },
        },
      }),
    "Screen P1 again: mediation ended since the last screening.",
  ],
  [
    "a review raised a concern",
    async (built) => {
      const { id } = await record(built, HAPPENED);
      await review(id, built.p1.partyId, { isSafe: false, note: "They were followed", heldOn: HAPPENED });
    },
    "Screen P1 again: a safety review raised a concern.",
  ],
])(
  "casework.safetyDue: where %s, a screening of a later day answers it, whenever both were written",
  async (...row) => {
    const [, happen, words] = row;
    const built = await anOlderCase();
    await happen(built);
    const { theCase, p1 } = built;
    const again = async () => (await practice.api.casework.safetyDue.query({ id: theCase.id })).again;
    expect(await again()).toContain(words);
    const complete = (heldOn: string) =>
      practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { heldOn }));
    await complete(daysAgo(10));
    expect(await again()).toContain(words);
    await complete(daysAgo(8));
    expect((await again()).filter((each) => each.includes("P1"))).toEqual([]);
  },
);

test("sessions.reviewSafety: of a session that is written up after a later one, then its own day is taken", async () => {
  const built = await anOlderCase();
  await record(built, daysAgo(3));
  const forgotten = await record(built, daysAgo(7));
  const safe = { isSafe: true, note: "", heldOn: daysAgo(7) };
  const { safetyReviews } = await review(forgotten.id, built.p1.partyId, safe);
  expect(safetyReviews).toMatchObject([{ heldOn: daysAgo(7) }]);
});
