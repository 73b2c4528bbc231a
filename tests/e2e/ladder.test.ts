import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@app/server/core/ids";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { PartyStatus } from "@app/shared/case-states";
import { addDays } from "@app/shared/days";
import { caseSteps } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type Stage, type Watched } from "../support/browser/e2e.ts";
import { anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { aCaseInput, aClient, type Api, ledBy } from "../support/server/people.ts";

const OWEN = "Owen Castell";
const today = new Date().toISOString().slice(0, 10);

let stage: Stage;
let watched: Watched;
let page: Page;
let api: Api;
let caseId = "";
let priyaId = "";
let miamId = "";
let miam: ReturnType<typeof anUnscreenedMiam>;

const theCase = () => api.cases.get.query({ id: caseId });

async function stepOfOwen(to: PartyStatus, on: string) {
  const { version, parties } = await theCase();
  const partyId = parties[1]?.partyId ?? "";
  const hasAgreed = to === "miam_booked" ? true : null;
  await api.casework.moveParty.mutate({ id: caseId, version, partyId, to, on, reason: "", hasAgreed });
}

beforeAll(async () => {
  const made = await aPracticeStage();
  ({ stage, watched, page } = made);
  ({ api } = made.owner);
  const safeContact = DEFAULT_SAFE_CONTACT;
  const priya = aClient({ firstName: "Priya", lastName: "Nandakumar", email: "priya@example.org", safeContact });
  const owen = aClient({ firstName: "Owen", lastName: "Castell", email: "owen@example.org", safeContact });
  priyaId = (await api.clients.create.mutate(priya)).id;
  const { id: owenId } = await api.clients.create.mutate(owen);
  const userId = await authorise(made.owner);
  caseId = (await api.casework.create.mutate(aCaseInput([priyaId, owenId], ledBy(userId)))).id;
  await api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
  const found = await theCase();
  const [first] = found.parties;
  miam = anUnscreenedMiam({ caseId, partyId: first?.partyId ?? "", mediatorId: userId }, { attendedOn: today });
  ({ id: miamId } = await api.assessments.record.mutate(miam));
});
afterAll(() => stage.close());

const { button, dialog, closed, openStep, screen } = caseSteps(() => page);

async function openOwen() {
  await openStep(OWEN);
  await dialog().getByRole("heading", { name: "Invitations" }).waitFor();
}

/** Records an attempt that was made outside of this product. */
async function record(channel: string, on: string, words: string, call?: string) {
  await openOwen();
  await button("Record an invitation", dialog()).click();
  await dialog().getByLabel("By", { exact: true }).selectOption({ label: channel });
  await dialog().getByLabel("Invited on").fill(on);
  if (call) await dialog().getByRole("radio", { name: call }).check();
  await dialog().getByLabel("What was said or sent").fill(words);
  await expectNoAxeViolations(page);
  await button("Record this invitation", dialog()).click();
  await button("Record an invitation", dialog()).waitFor();
  await dialog().getByText(words).waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await closed();
}

test("the other participant, until whoever came first is safe and agrees, is invited by nobody, and the page leads to what is missing", async () => {
  await page.goto(`/clients/view/${priyaId}?tab=case`);
  await openOwen();
  await dialog().getByText("Nobody is invited yet. First:").waitFor();
  expect(await button("Record an invitation", dialog()).count()).toBe(0);
  await expectNoAxeViolations(page);
  await button("Go to safety and suitability", dialog()).click();
  await closed();
  await screen("Priya Nandakumar");
  await openOwen();
  await button("Open their record", dialog()).click();
  const said = page.getByRole("dialog", { name: "P1: Priya Nandakumar" });
  const answers = said.getByRole("form", { name: "Contacting the others" });
  expect(await answers.getByRole("radio", { checked: true }).count()).toBe(0);
  await button("Record what they said", answers).click();
  await answers.getByText("Choose what they said").waitFor();
  await answers.getByRole("radio", { name: "Yes" }).check();
  await answers.getByRole("radio", { name: "No, without a name" }).check();
  await answers.getByLabel("Said on").fill(addDays(today, -70));
  await expectNoAxeViolations(page);
  await button("Record what they said", answers).click();
  await answers.getByText(/^They agreed, without a name, on .* Recorded by /).waitFor();
  await page.keyboard.press("Escape");
  await closed();
});

test("the other participant, when they miss their MIAM and are silent, is written to in the words of the ladder’s first step", async () => {
  for (const to of ["responded", "intake_done", "miam_booked", "miam_missed", "no_response"] as const)
    await stepOfOwen(to, addDays(today, -60));
  await page.goto(`/clients/view/${priyaId}?tab=case`);
  await page.getByText("First contact").waitFor();
  await openOwen();
  await dialog().getByText("Next: email, step 1 of 3, with 10 days to answer.").waitFor();
  await button("Write an invitation by email", dialog()).click();
  const writing = page.getByRole("dialog", { name: /^New message/ });
  await writing
    .getByRole("textbox", { name: "Message" })
    .getByText("Mediation is your own choice: you can say yes, no, or not now.")
    .waitFor();
  expect(await writing.getByLabel("Record it as an invitation").isChecked()).toBe(true);
  expect(await writing.innerText()).not.toContain("Nandakumar");
  await expectNoAxeViolations(page);
  await button("Send", writing).and(page.locator(":enabled")).click();
  await writing.waitFor({ state: "detached" });
  await page.getByText(/^Invited by email on .*, reply by /).waitFor();
  expect((await theCase()).parties[1]?.status).toBe("invited");
});

test("the other participant, when an invitation was recorded in error, stands where they stood without it, and is silent only when somebody says so", async () => {
  const clientId = (await theCase()).parties[1]?.clientId ?? "";
  const { items } = await api.outbox.list.query({ clientId });
  for (const { id } of items) await api.outbox.cancel.mutate({ id });
  await page.reload();
  await record("Letter", addDays(today, -40), "The second letter");
  await record("Text message", addDays(today, -30), "To a number of somebody else");
  await record("Phone call", addDays(today, -20), "Whether they can talk", "They were spoken to");
  await openOwen();
  await dialog().getByText("Next: email, step 1 of 3, with 10 days to answer.").waitFor();
  await button("Strike", dialog().getByRole("listitem").filter({ hasText: "Text message" })).click();
  await dialog().getByLabel("Why was it recorded in error?").fill("It was another case");
  await expectNoAxeViolations(page);
  await button("Strike the invitation", dialog()).click();
  await dialog().getByText("Why it was struck: It was another case").waitFor();
  const step = dialog().getByRole("combobox", { name: "Next step" });
  expect(await step.inputValue()).toBe("");
  await step.selectOption({ label: "No response" });
  await button("Record this step", dialog()).click();
  await closed();
  expect((await api.tasks.list.query({ caseId })).items).toEqual([]);
});

test("whoever came first gets a certificate that says that the other agreed to a MIAM and did not come", async () => {
  const { caseId: _case, partyId: _party, id: _sent, ...details } = miam;
  const assessed = { ...details, riskAssessment: "done" as const, riskReason: "" };
  await api.assessments.correct.mutate({ ...assessed, id: miamId, version: 0, reason: "She was screened since" });
  await page.reload();
  await button("Issue certificate").click();
  await dialog()
    .getByRole("checkbox", { name: /No other participant has attended a MIAM: .* which was booked, and did not come/ })
    .check();
  await expectNoAxeViolations(page);
  await button("Issue certificate", dialog()).click();
  await closed();
  await page.getByText(/\d+ days left/).waitFor();
  expect(watched.complaints).toEqual([]);
});

test("a ladder, when the owner adds a step and moves it up, is kept so", async () => {
  await page.goto("/account?tab=practice");
  const steps = page.getByRole("form", { name: "Steps of the invitation" });
  await button("Add a step", steps).click();
  const fourth = steps.getByRole("listitem", { name: "Step 4" });
  await fourth.getByLabel("By", { exact: true }).selectOption({ label: "Text message" });
  await fourth.getByLabel("Days to answer").fill("3");
  await button("Move step 4 up", steps).click();
  await button("Save steps", steps).click();
  await page.getByText("The steps are saved").waitFor();
  await page.reload();
  const third = steps.getByRole("listitem", { name: "Step 3" });
  await third.waitFor();
  expect(await third.getByLabel("By", { exact: true }).inputValue()).toBe("text");
  expect(await third.getByLabel("Days to answer").inputValue()).toBe("3");
  await expectNoAxeViolations(page);
});
