// A case starts on a day that has come, and before what is recorded in it.
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { daysAgo } from "../support/server/assessments.ts";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { aMediatedCase, TODAY } from "../support/server/led.ts";
import { aCase, aCaseInput, aPractice, ledBy } from "../support/server/people.ts";
import { metBefore } from "../support/server/signed.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

test("casework.create: a case that is to start only later is refused at its day, and none is kept", async () => {
  const { first } = await aCase(practice);
  const before = (await practice.api.cases.list.query({})).total;
  const open = practice.api.casework.create.mutate(aCaseInput([first.id], { startedOn: addDays(TODAY, 1) }));
  expect((await refusal(open)).fields).toEqual({ startedOn: expect.stringContaining("in the future") });
  expect((await practice.api.cases.list.query({})).total).toBe(before);
});

test("casework.update: a start that is still to come, or after a signature, is refused with what is recorded; an earlier one is kept", async () => {
  const { theCase } = await aMediatedCase(practice, { ...ledBy(practice.ownerId), startedOn: daysAgo(30) });
  await metBefore(practice, theCase.id, daysAgo(20));
  const now = () => practice.api.cases.get.query({ id: theCase.id });
  const startOn = async (startedOn: string) => {
    const found = await now();
    const { children } = found;
    return practice.api.casework.update.mutate({ ...fieldsOf(found), ...at(found), children, startedOn });
  };
  expect((await refusal(startOn(addDays(TODAY, 60)))).fields).toEqual({
    startedOn: expect.stringContaining("in the future"),
  });
  expect((await refusal(startOn(daysAgo(19)))).fields).toEqual({
    startedOn: expect.stringMatching(
      /^It is recorded that P1 consented to mediation on .+ Enter that day or an earlier/,
    ),
  });
  expect((await now()).startedOn).toBe(daysAgo(30));
  expect((await startOn(daysAgo(20))).startedOn).toBe(daysAgo(20));
});
