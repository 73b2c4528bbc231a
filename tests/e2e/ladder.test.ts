import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@app/server/core/ids";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { addDays } from "@app/shared/days";
import { z } from "zod";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";
import { anAssessment } from "../support/server/assessments.ts";
import { aCaseInput, aClient, ledBy, PASSWORD } from "../support/server/people.ts";

const EMAIL = "ines@quillfeather.example.org";
const OWEN = "Owen Castell";
const today = new Date().toISOString().slice(0, 10);

let stage: Stage;
let watched: Watched;
let page: Page;
let cookie = "";
let caseId = "";
let priyaId = "";

const answerSchema = z.object({ result: z.object({ data: z.unknown() }) });
const madeSchema = z.object({ id: z.string() });
const caseSchema = z.object({
  id: z.string(),
  version: z.number(),
  parties: z.array(z.object({ partyId: z.string(), status: z.string() })),
});

/** Calls the server as the page would. */
async function call(path: string, body: object): Promise<unknown> {
  const { url } = stage.product;
  const response = await fetch(`${url}/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} failed: ${text}`);
  return answerSchema.parse(JSON.parse(text)).result.data;
}

async function look(path: string, input: object): Promise<unknown> {
  const asked = encodeURIComponent(JSON.stringify(input));
  const response = await fetch(`${stage.product.url}/trpc/${path}?input=${asked}`, { headers: { cookie } });
  return answerSchema.parse(await response.json()).result.data;
}

const theCase = async () => caseSchema.parse(await look("cases.get", { id: caseId }));

async function stepOfOwen(to: string) {
  const { version, parties } = await theCase();
  await call("casework.moveParty", { id: caseId, version, partyId: parties[1]?.partyId, to, on: today, reason: "" });
}

beforeAll(async () => {
  stage = await aStage();
  const { url } = stage.product;
  const owner = { firstName: "Ines", lastName: "Marchbank", email: EMAIL, password: PASSWORD };
  const practice = { practiceName: "Quillfeather Mediation", region: "england_wales", mediatorType: "family" };
  await call("auth.setUp", { ...owner, ...practice });
  watched = await openPage(stage);
  page = watched.page;
  const cookies = await signIn(url, EMAIL, PASSWORD);
  cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  await page.context().addCookies(cookies.map((one) => ({ ...one, url })));
  const safeContact = DEFAULT_SAFE_CONTACT;
  const priya = aClient({ firstName: "Priya", lastName: "Nandakumar", email: "priya@example.org", safeContact });
  const owen = aClient({ firstName: "Owen", lastName: "Castell", email: "owen@example.org", safeContact });
  priyaId = madeSchema.parse(await call("clients.create", priya)).id;
  const { id: owenId } = madeSchema.parse(await call("clients.create", owen));
  const status = z.object({ user: z.object({ userId: z.string() }) });
  const { userId } = status.parse(await look("auth.status", {})).user;
  const opened = await call("casework.create", aCaseInput([priyaId, owenId], ledBy(userId)));
  caseId = madeSchema.parse(opened).id;
  await call("conflicts.decide", { id: newId(), caseId, decision: "clear", reason: "" });
  const profile = { firstName: "Ines", lastName: "Marchbank", isAccredited: true, accreditationNumber: "1482A" };
  await call("users.updateProfile", { ...profile, version: 0 });
  await call("staff.confirmAccreditation", { id: userId, number: "1482A", isConfirmed: true });
  const [first] = (await theCase()).parties;
  const miam = anAssessment({ caseId, partyId: first?.partyId ?? "", mediatorId: userId }, { attendedOn: today });
  await call("assessments.record", miam);
});
afterAll(() => stage.close());

const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog");

async function openOwen() {
  await button(`Next step of ${OWEN}`).click();
  await dialog().getByRole("heading", { name: "Invitations" }).waitFor();
}

/** Records an attempt that was made outside of this product. */
async function record(channel: string, on: string, words: string) {
  await openOwen();
  await button("Record an invitation", dialog()).click();
  await dialog().getByLabel("By", { exact: true }).selectOption({ label: channel });
  await dialog().getByLabel("Invited on").fill(on);
  await dialog().getByLabel("What was said or sent").fill(words);
  await expectNoAxeViolations(page);
  await button("Record this invitation", dialog()).click();
  await button("Record an invitation", dialog()).waitFor();
  await dialog().getByText(words).waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
}

test("the other participant, when they miss their MIAM and are silent, is written to in the words of the ladder’s first step", async () => {
  for (const to of ["responded", "intake_done", "miam_booked", "miam_missed", "no_response"]) await stepOfOwen(to);
  await page.goto(`/clients/view/${priyaId}?tab=case`);
  await page.getByText("First contact").waitFor();
  await openOwen();
  await dialog().getByText("Next: email, step 1 of 3, with 10 days to answer.").waitFor();
  await button("Write an invitation by email", dialog()).click();
  const writing = page.getByRole("dialog", { name: /^New message/ });
  await writing.getByRole("textbox", { name: "Message" }).getByText("Taking part is your own choice.").waitFor();
  expect(await writing.getByLabel("Record it as an invitation").isChecked()).toBe(true);
  expect(await writing.innerText()).not.toContain("Nandakumar");
  await expectNoAxeViolations(page);
  await button("Send", writing).and(page.locator(":enabled")).click();
  await writing.waitFor({ state: "detached" });
  await page.getByText(/^Invited by email on .*, reply by /).waitFor();
  expect((await theCase()).parties[1]?.status).toBe("invited");
});

test("the other participant, when no step of the ladder is answered, is only proposed as giving no response", async () => {
  await record("Letter", addDays(today, -40), "The second letter");
  await record("Phone call", addDays(today, -20), "Rang twice, nobody answered");
  await page.getByText(/^No reply by .* record “No response” under Next step\.$/).waitFor();
  expect((await theCase()).parties[1]?.status).toBe("invited");
  await expectNoAxeViolations(page);
  await page.getByRole("tab", { name: "Overview" }).click();
  await page
    .getByText(/If P2 has not answered: decide whether to record “No response”/)
    .first()
    .waitFor();
  await page.getByRole("tab", { name: "Case" }).click();
  await openOwen();
  await dialog()
    .getByText(/^There was no reply by/)
    .waitFor();
  const step = dialog().getByRole("combobox", { name: "Next step" });
  expect(await step.inputValue()).toBe("");
  await step.selectOption({ label: "No response" });
  await button("Record this step", dialog()).click();
  await dialog().waitFor({ state: "detached" });
  await page.getByText(/^No reply by/).waitFor({ state: "detached" });
  const tasks = z.object({ items: z.array(z.object({ title: z.string() })) });
  expect(tasks.parse(await look("tasks.list", { caseId })).items).toEqual([]);
});

test("whoever came first gets a certificate that says that nobody else is willing", async () => {
  await button("Issue certificate").click();
  await dialog()
    .getByRole("checkbox", { name: /No other participant is willing/ })
    .check();
  await dialog().getByLabel("Issued on").fill(today);
  await button("Issue certificate", dialog()).click();
  await dialog().waitFor({ state: "detached" });
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
