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
  const { id: sessionId } = await hold(built, [built.p1.partyId, built.p2.partyId], "not_agreed");
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
  const issue = (replaceReason: string) =>
    api.certificates.issue.mutate({ id: newId(), assessmentId, statements, replaceReason });
  const { id: certificateId, number } = await issue("");
  const asked = async () =>
    (await api.tasks.list.query({ caseId, isOpen: true })).items
      .map(({ title }) => title)
      .filter((title) => title.startsWith(`Look again at certificate ${number}`));
  return { ...built, api, now, end, asked, issue, certificateId, sessionId };
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

test("certificates: once one is void, by a new one or by itself, nobody is asked to look at it again", async () => {
  const replaced = await brokenDown();
  const back = { ...at(await replaced.now()), partyId: "", of: "step" as const, reason: "The wrong day" };
  await replaced.api.casework.correct.mutate(back);
  expect(await replaced.asked()).toHaveLength(1);
  await replaced.api.certificates.void.mutate({ id: replaced.certificateId, reason: "It had not ended" });
  expect(await replaced.asked()).toEqual([]);
  const reopened = await brokenDown();
  const { id, version } = await reopened.now();
  await reopened.api.casework.move.mutate({ id, version, to: "assessing", reason: "The court sent them back" });
  const led = leading(practice, id);
  for (const index of [0, 1]) await led.screen(index);
  await led.sign(0, 1);
  await led.move("ready", "in_mediation");
  expect(await reopened.asked()).toHaveLength(1);
  await hold(reopened, [reopened.p1.partyId, reopened.p2.partyId], "not_agreed");
  await reopened.end();
  await reopened.issue("They came back, and it broke down again");
  expect(await reopened.asked()).toEqual([]);
});

test("sessions.amend: an ended case is looked at again once a session of it says otherwise, and no more once its end is taken back", async () => {
  const { api, now, theCase, p1, p2, sessionId } = await brokenDown();
  const caseId = theCase.id;
  const open = async () =>
    (await api.tasks.list.query({ caseId, isOpen: true })).items.filter(({ title }) =>
      title.startsWith(`Look again at how case ${theCase.caseRef} ended`),
    );
  const attendance = [p1, p2].map(({ partyId }) => ({ partyId, state: "present" as const }));
  const outcome = { code: "agreed_all" as const, text: "" };
  await api.sessions.amend.mutate({ id: sessionId, changeId: newId(), text: "They agreed", attendance, outcome });
  expect(await open()).toHaveLength(1);
  const back = { ...at(await now()), partyId: "", of: "step" as const, reason: "They agreed" };
  await api.casework.correct.mutate(back);
  expect(await open()).toEqual([]);
});
