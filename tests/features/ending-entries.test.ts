// A case that ends while its safeguarding record waits: whoever may read that record is asked, and nobody else learns of it.
import type { Permission } from "@app/shared/access";
import type { CaseStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { anEntry, aReport, dismissEntries } from "../support/server/safeguarded.ts";
import { at, OUTCOME, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { standing } = stepping(practice);
const WITHOUT: Permission[] = ["clients.read", "clients.write", "screening.read"];

const mediated = () => standing("in_mediation", ["active", "active"]);
/** Two entries wait, and others do not. */
async function waiting(): Promise<Case> {
  const theCase = await mediated();
  const { safeguarding } = practice.api;
  await safeguarding.add.mutate(anEntry(theCase.id));
  await safeguarding.add.mutate(anEntry(theCase.id, { kind: "suspicious_activity" }));
  for (let times = 0; times < 2; times += 1) await safeguarding.report.mutate(aReport(theCase.id));
  return theCase;
}
const end = (api: Api, theCase: Case, openEntries?: number, to: CaseStatus = "concluded") =>
  api.casework.move.mutate({
    ...at(theCase),
    to,
    reason: "As it is",
    ending: to === "terminated" ? "other" : null,
    outcome: { ...OUTCOME, issues: [] },
    ...(openEntries === undefined ? {} : { openEntries }),
  });

test.each(["concluded", "terminated"] as const)(
  "casework.move: a case whose safeguarding record waits, when it is %s, then whoever may read the record is told of how many and confirms it",
  async (to) => {
    const theCase = await waiting();
    const { api } = practice;
    expect(await api.casework.steps.query({ id: theCase.id })).toMatchObject({ openEntries: 2 });
    for (const told of [undefined, 1])
      expect((await refusal(end(api, theCase, told, to))).fields).toEqual({
        openEntries: expect.stringContaining("2 safeguarding entries of this case wait."),
      });
    expect(await end(api, theCase, 2, to)).toMatchObject({ status: to });
  },
);

test("casework.move: when every entry was judged, then nothing is asked", async () => {
  const theCase = await waiting();
  await dismissEntries(practice.api, theCase.id);
  expect(await practice.api.casework.steps.query({ id: theCase.id })).toMatchObject({ openEntries: 0 });
  expect(await end(practice.api, theCase)).toMatchObject({ status: "concluded" });
});

test("casework.move: when entries wait, then a step that ends nothing is taken without a word", async () => {
  const theCase = await waiting();
  const pause = { ...at(theCase), to: "paused" as const, reason: "They wait for a valuation" };
  expect(await practice.api.casework.move.mutate(pause)).toMatchObject({ status: "paused" });
});

test("casework.move and casework.steps: for whoever may not read the record, when entries wait or none do, then every answer is the same", async () => {
  const blind = (await aStaffUser(app, practice, { permissions: WITHOUT })).api;
  const answers = [];
  for (const theCase of [await waiting(), await mediated()]) {
    const steps = await blind.casework.steps.query({ id: theCase.id });
    const { status, outcome } = await end(blind, theCase);
    answers.push({ steps, status, outcome });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ steps: { openEntries: null }, status: "concluded" });
});
