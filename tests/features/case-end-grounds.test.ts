// What an end says of people and of the practice's own decisions is recorded before it.
import { newId } from "@app/server/core/ids";
import type { Ending } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);

const responded = () => standing("assessing", ["responded", "responded"]);
const end = async ({ id }: Case, ending: Ending, { api }: Pick<TestPractice, "api"> = practice) =>
  api.casework.move.mutate({
    ...at(await practice.api.cases.get.query({ id })),
    to: "not_proceeding",
    reason: "As it is",
    ending,
  });

test("a case that ends as not safe: when a screening found it of somebody who had only answered, then it ends so", async () => {
  const theCase = await responded();
  expect((await refusal(end(theCase, "not_safe"))).fields).toEqual({
    ending: expect.stringContaining("recorded as “Not suitable”"),
  });
  const [first] = theCase.parties;
  await practice.api.screenings.complete.mutate(aScreening(theCase, first?.partyId ?? "", NOT_SAFE));
  expect(await end(theCase, "not_safe")).toMatchObject({ ending: "not_safe" });
});

test("a case that ends as not safe: when who ends it may not read screenings, then no answer tells what was found", async () => {
  const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  const [safe, unsafe] = [await responded(), await responded()];
  const [first] = unsafe.parties;
  await practice.api.screenings.complete.mutate(aScreening(unsafe, first?.partyId ?? "", NOT_SAFE));
  for (const theCase of [safe, unsafe])
    expect(await end(theCase, "not_safe", blind)).toMatchObject({ status: "not_proceeding", ending: "not_safe" });
});

test("a case that ends by a conflict of interest: when the check was decided otherwise, then it does not end so", async () => {
  const theCase = await responded();
  expect((await refusal(end(theCase, "conflict_of_interest"))).fields).toEqual({
    ending: expect.stringContaining("not decided as “Conflicted”"),
  });
  const found = { id: newId(), caseId: theCase.id, decision: "conflicted" as const, reason: "We advise P2" };
  await practice.api.conflicts.decide.mutate(found);
  expect(await end(theCase, "conflict_of_interest")).toMatchObject({ ending: "conflict_of_interest" });
});

test("a case that does not proceed: when it is said to have broken down, then it is refused, because nothing began", async () => {
  expect((await refusal(end(await responded(), "broken_down"))).fields).toEqual({
    ending: expect.stringContaining("Mediation never began"),
  });
});
