import { confidencesOfEarlierRounds } from "@app/server/features/cases/case-agreements.migration";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { aSignedCase, SIGNED_ON, standingAt } from "../support/server/signed.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { decide, move, correct } = stepping(practice);
const fresh = (id: string) => practice.api.cases.get.query({ id });

/** A case that came back as it was stored when what had been agreed stayed with it. */
async function backAsBefore() {
  const { theCase } = await aSignedCase(practice, "kept");
  const of = { _id: theCase.id, ownerId: practice.ownerId };
  const over = { status: "terminated", ending: "broken_down", "parties.$[].consentedOn": SIGNED_ON };
  await CaseModel.updateOne(of, { $set: over });
  await decide(theCase.id);
  await move(await fresh(theCase.id), "assessing");
  await CaseModel.updateOne(of, { $set: { confidences: "kept" }, $unset: { "steps.$[].agreedBefore": "" } });
  return theCase.id;
}

async function signAnew(id: string) {
  const theCase = await standingAt(practice, id, ["suitable", "suitable"]);
  const on = new Date().toISOString().slice(0, 10);
  const step = { partyId: theCase.parties[0]?.partyId ?? "", to: "agreement_signed", on, reason: "" } as const;
  await practice.api.casework.moveParty.mutate({ ...at(theCase), ...step, confidences: "kept" });
}

test("confidencesOfEarlierRounds: when nobody signed since a case came back, then nothing is agreed, however often it runs, and it returns with a step taken back", async () => {
  const id = await backAsBefore();
  expect(await fresh(id)).toMatchObject({ confidences: "kept" });
  for (let runs = 0; runs < 2; runs += 1) await confidencesOfEarlierRounds();
  expect(await fresh(id)).toMatchObject({ confidences: null, agreements: [{ to: "kept" }] });
  expect(await correct(await fresh(id))).toMatchObject({ status: "terminated", confidences: "kept" });
});

test("confidencesOfEarlierRounds: when somebody signed since, or a case never came back, then what is agreed stays", async () => {
  const id = await backAsBefore();
  await signAnew(id);
  const { theCase } = await aSignedCase(practice, "none");
  const before = [await fresh(id), await fresh(theCase.id)];
  await confidencesOfEarlierRounds();
  expect([await fresh(id), await fresh(theCase.id)]).toEqual(before);
  expect(before.map(({ confidences }) => confidences)).toEqual(["kept", "none"]);
});
