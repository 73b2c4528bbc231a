// One act asks whoever signed a certificate once, and no more once what it says is recorded again.
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { anAuthorisedPractice } from "../support/server/assessments.ts";
import { apart } from "../support/server/apart.ts";
import { leading } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { at, OUTCOME } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const { hold, mediated } = apart(practice);

/** A case whose mediation broke down, which P1 is certified. */
async function brokenDown() {
  const built = await mediated();
  const { api } = practice;
  const caseId = built.theCase.id;
  const now = () => api.cases.get.query({ id: caseId });
  await hold(built, [built.p1.partyId, built.p2.partyId], "not_agreed");
  const end = async () =>
    api.casework.move.mutate({
      ...at(await now()),
      to: "terminated",
      ending: "broken_down",
      reason: "They could not go on",
      outcome: { ...OUTCOME, code: "not_agreed", issues: [] },
    });
  await end();
  const { items } = await api.assessments.list.query({ caseId });
  const assessmentId = items.find(({ partyId }) => partyId === built.p1.partyId)?.id ?? "";
  const statements = ["broken_down" as const];
  const { number } = await api.certificates.issue.mutate({ id: newId(), assessmentId, statements, replaceReason: "" });
  const asked = async () =>
    (await api.tasks.list.query({ caseId, isOpen: true })).items
      .map(({ title }) => title)
      .filter((title) => title.startsWith(`Look again at certificate ${number}`));
  return { ...built, api, now, end, asked };
}

test("casework.correct: an end that is taken back asks once, and no more once it is recorded again", async () => {
  const { api, now, end, asked } = await brokenDown();
  const back = { ...at(await now()), partyId: "", of: "step" as const, reason: "The wrong day" };
  await api.casework.correct.mutate(back);
  expect(await asked()).toEqual([expect.stringContaining("what it says is not recorded any more")]);
  await end();
  expect(await asked()).toEqual([]);
});

test("casework.move: a case that comes back asks once, also when another session is held in it", async () => {
  const { api, now, asked, p1, p2, ...built } = await brokenDown();
  const led = leading(practice, built.theCase.id);
  await api.casework.move.mutate({ ...at(await now()), to: "assessing", reason: "The court sent them back" });
  for (const index of [0, 1]) await led.screen(index);
  await led.sign(0, 1);
  await led.move("ready", "in_mediation");
  const once = [expect.stringContaining("things changed after it said that mediation is not suitable or over")];
  expect(await asked()).toEqual(once);
  await hold({ ...built, p1, p2 }, [p1.partyId, p2.partyId], "continues");
  expect(await asked()).toEqual(once);
});
