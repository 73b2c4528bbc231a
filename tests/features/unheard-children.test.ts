import { NOT_INCLUDED } from "@app/shared/child-inclusive";
import { caseStatusName } from "@app/shared/case-states";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { AGREED, ending } from "../support/server/ending.ts";
import { setChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);
const { hold } = ending(practice);

async function withChild(voice: { offeredOn: string; outcome: "" | "does_not_want" }, dateOfBirth = "2014-03-03") {
  const theCase = await standing("in_mediation", ["active", "active"]);
  await hold(theCase, "agreed_all");
  return setChild(practice, theCase.id, { ...NOT_INCLUDED, voice }, { dateOfBirth });
}
const conclude = (theCase: Parameters<typeof at>[0], reason = "") =>
  practice.api.casework.move.mutate({
    ...at(theCase),
    to: "concluded",
    reason,
    outcome: AGREED,
  });

test("casework.move: when nobody noted whether a child of ten or more wanted to be heard, then the end says why", async () => {
  const theCase = await withChild({ offeredOn: "", outcome: "" });
  expect((await refusal(conclude(theCase))).fields).toEqual({
    reason: "Nobody noted whether Leo wanted to be heard. Say why.",
  });
  expect(await conclude(theCase, "It was about the pension alone")).toMatchObject({ status: "concluded" });
});

test("casework.move: when the child was asked, or is younger, then nothing is to be explained", async () => {
  const asked = await withChild({ offeredOn: "2026-01-05", outcome: "does_not_want" });
  expect(await conclude(asked)).toMatchObject({ status: "concluded" });
  const young = await withChild({ offeredOn: "", outcome: "" }, "2022-03-03");
  expect(await conclude(young)).toMatchObject({ status: "concluded" });
});

test("caseStatusName: when mediation ended early with proposals on some issues, then it did not end without any", () => {
  const named = (code: string) => caseStatusName({ status: "terminated", outcome: { code } });
  expect(named("agreed_some")).toBe("Ended with proposals on some issues");
  expect(named("not_agreed")).toBe("Ended without agreement");
});
