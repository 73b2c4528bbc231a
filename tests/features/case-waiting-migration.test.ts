import { whomCasesWaitFor } from "@app/server/features/cases/case-waiting.migration";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const cases = () => mongoose.connection.collection<{ _id: string }>("cases");

test("whomCasesWaitFor: when one side had left an open case, then it waits for the practice, is counted so, and others stay", async () => {
  const practice = await aPractice(app);
  const { theCase, p1 } = await aCase(practice);
  const other = await aCase(practice);
  const left = { status: "assessing", "parties.1.status": "withdrawn", waitingFor: p1.partyId };
  await cases().updateOne({ _id: theCase.id }, { $set: left });
  const before = await practice.api.cases.get.query({ id: other.theCase.id });
  for (let runs = 0; runs < 2; runs += 1) await whomCasesWaitFor();
  expect(await practice.api.cases.get.query({ id: theCase.id })).toMatchObject({ waitingFor: "practice" });
  expect(await practice.api.cases.get.query({ id: other.theCase.id })).toEqual(before);
});
