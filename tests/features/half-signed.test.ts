// Each half of shuttle mediation that is held apart rests on what was signed by its own day.
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { apart } from "../support/server/apart.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { hold, mediated, choicesOf } = apart(practice);
const DAY_MS = 86_400_000;

test("when the half of the one was held before they had signed, then it is no mediation of the other either", async () => {
  const built = await mediated();
  const [p1, p2] = [built.p1.partyId, built.p2.partyId];
  await hold(built, p1, "continues");
  await hold(built, p2, "continues");
  expect(await choicesOf(built, built.p2)).toMatchObject({ lastOn: TODAY });
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await CaseModel.updateOne(
    { ownerId: practice.ownerId, _id: built.theCase.id },
    { $set: { "parties.0.agreementSignedOn": tomorrow, "parties.0.steps.$[signing].on": tomorrow } },
    { arrayFilters: [{ "signing.to": "agreement_signed" }] },
  );
  for (const party of [built.p1, built.p2]) expect(await choicesOf(built, party)).toMatchObject({ lastOn: "" });
});
