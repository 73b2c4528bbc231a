import { setTimeout as wait } from "node:timers/promises";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays } from "@app/shared/days";
import { caseSteps } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type Stage, type Watched } from "../support/browser/e2e.ts";

const PRIYA = "Priya Nandakumar";
const OWEN = "Owen Castell";
const SECRET = "Would sell the house by spring";
const today = new Date().toISOString().slice(0, 10);
/** A MIAM of that day is over four months old, and a screening of it still counts. */
const longAgo = addDays(today, -150);

let stage: Stage;
let watched: Watched;
let page: Page;
beforeAll(async () => void ({ stage, watched, page } = await aPracticeStage()));
afterAll(() => stage.close());

const { button, dialog, closed, tab, choose, step, consent, move, keptFrom, screen } = caseSteps(() => page);

async function addClient(firstName: string, lastName: string) {
  await page.goto("/clients/create");
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("Last name").fill(lastName);
  await page.getByLabel("Email (optional)").fill(`${firstName.toLowerCase()}@example.org`);
}

async function slowly(route: Route) {
  await wait(500);
  await route.continue();
}

test("an enquiry of two parties becomes a case, once nobody on the other side is known", async () => {
  await addClient("Owen", "Castell");
  await button("Add client").click();
  await page.getByRole("heading", { level: 1, name: OWEN }).waitFor();

  await addClient("Priya", "Nandakumar");
  await page.getByLabel("Open a case for this client").check();
  const other = page.getByRole("combobox", { name: "Other participant (optional)" });
  await other.fill("Kastell");
  await page.getByLabel("Matter (optional)").fill("The house, and where the children live");
  await button("Add client and open case").click();
  await page.getByText("Nobody is chosen by “Kastell”.").waitFor();
  for (const words of ["Choose what it is about", "Choose how you will meet", "Choose how they came"])
    await page.getByText(words).waitFor();
  await other.fill("Castell");
  await page.getByRole("option", { name: /Owen Castell/ }).click();
  await page.getByLabel("Issues").selectOption({ label: "All issues" });
  await page.getByLabel("Format").selectOption({ label: "In person" });
  await page.getByLabel("How they came").selectOption({ label: "Found us themselves" });
  await expectNoAxeViolations(page);
  await button("Add client and open case").click();
  await page.getByRole("heading", { level: 1, name: new RegExp(PRIYA) }).waitFor();
  await tab("Case");
  await page.getByText("Enquiry").first().waitFor();

  expect(await keptFrom("Intake")).toContain("Decide the conflict check as clear or waived.");
  await button("Decide").click();
  await button("Record the decision", dialog()).click();
  await dialog().getByText("Choose what you decide").waitFor();
  await dialog().getByRole("radio", { name: "Clear" }).check();
  await button("Record the decision", dialog()).click();
  await closed();
  await move("Intake");
});

test("a step that the states do not allow is refused, with the legal ones listed", async () => {
  const id = await page.evaluate(async () => {
    const input = encodeURIComponent(JSON.stringify({ page: 1, search: "" }));
    const answer = await (await fetch(`/trpc/cases.list?input=${input}`)).json();
    return String(answer.result.data.items[0].id);
  });
  const refused = await page.evaluate(async (caseId) => {
    const response = await fetch("/trpc/casework.move", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: caseId, version: 1, to: "closed", reason: "" }),
    });
    return response.text();
  }, id);
  expect(refused).toContain("PRECONDITION_FAILED");
  expect(refused).toContain("Awaiting other participant");
  expect(refused).toContain("Not proceeding");
});

test("each party goes their own way to the agreement, and mediation waits for both", async () => {
  for (const status of ["Responded", "Intake done", "MIAM booked", "MIAM attended"]) await step(PRIYA, status);
  await screen(PRIYA, "family", longAgo);
  await move("Awaiting other participant");
  await step(OWEN, "Responded");
  await move("Assessing");
  expect(await keptFrom("Ready")).toContain("Record the consent of P1 and P2.");
  for (const name of [PRIYA, OWEN]) await consent(name, today);
  for (const status of ["Intake done", "MIAM booked", "MIAM attended"]) await step(OWEN, status);
  expect(await keptFrom("Ready")).toContain("Complete the screening of P2.");
  await screen(OWEN);
  await move("Ready");
  expect(await keptFrom("In mediation")).toContain("P1 and P2 must sign the agreement to mediate.");
  await step(PRIYA, "Agreement signed", { confidences: "Kept: what one person says apart" });
  await step(OWEN, "Agreement signed");
  await move("In mediation");
}, 90_000);

/** Fills in the record of a MIAM of an hour. */
async function recordMiam() {
  const inDialog = (role: "radio" | "checkbox", name: string) => dialog().getByRole(role, { name, exact: true });
  await dialog().getByLabel("Minutes").fill("60");
  await dialog().getByLabel("How", { exact: true }).selectOption({ label: "By video" });
  await dialog().getByLabel("Conducted by").selectOption({ label: "Ines Marchbank" });
  for (const choice of ["Without any other participant", "Explained", "Done"]) await inDialog("radio", choice).check();
  await inDialog("checkbox", "Mediation").check();
  await dialog().getByLabel("Why", { exact: true }).fill("They can speak with each other.");
  await button("Record MIAM", dialog()).click();
  await closed();
}

test("a certificate of a recorded MIAM runs for four months from it, and of one whose months are over it is issued by somebody who has seen that", async () => {
  await page.goto("/profile");
  await page.getByLabel(/accredited/i).check();
  await page.getByLabel(/registration number/i).fill("1482A");
  await button("Save").click();
  await page.getByText(/saved/i).first().waitFor();
  await page.goto("/settings/user-permissions");
  await button("Confirm number").click();
  await button("Take confirmation back").waitFor();
  await openCase();
  // The step to "MIAM attended" was recorded with its day alone.
  await button("Complete record").click();
  await recordMiam();
  await button("Record MIAM").click();
  await dialog().getByLabel("Day").fill(longAgo);
  await recordMiam();
  await button("Issue certificate").first().click();
  expect(await dialog().getByRole("checkbox", { checked: true }).count()).toBe(0);
  await button("Issue certificate", dialog()).click();
  await closed();
  await page.getByText(/\d+ days left/).waitFor();
  await button("Issue certificate").last().click();
  await dialog()
    .getByText(/^The 4 months ended on .*, so an application made now cannot rely on it\./)
    .waitFor();
  const seen = dialog().getByRole("checkbox", { name: /^Issue it all the same/ });
  expect(await seen.isChecked()).toBe(false);
  await button("Issue certificate", dialog()).click();
  await dialog().getByText("Confirm that you have seen this").waitFor();
  expect(await seen.evaluate((element) => element === document.activeElement)).toBe(true);
  await expectNoAxeViolations(page);
  await seen.check();
  await button("Issue certificate", dialog()).click();
  await closed();
  await page.getByText("Expired").first().waitFor();
});

test("a meeting that was booked is moved to another day, and both are told", async () => {
  await tab("Meetings & sessions");
  await button("Book meeting").click();
  await dialog().getByLabel(`${OWEN} (P2)`).check();
  await dialog().getByLabel("Kind").selectOption({ label: "Mediation" });
  await dialog().getByLabel("Day").fill(addDays(today, 7));
  await dialog().getByLabel("From").fill("10:00");
  await dialog().getByLabel("To", { exact: true }).fill("11:30");
  await button("Book meeting", dialog()).click();
  await closed();
  await page.getByRole("button", { name: /10:00.11:30/ }).click();
  await button("Change details", dialog()).click();
  await dialog().getByLabel("Room, number or link (optional)").fill("Birch Room");
  await expectNoAxeViolations(page);
  await button("Save", dialog()).click();
  await dialog().getByText("In person, Birch Room").waitFor();
  await button("Reschedule", dialog()).click();
  await dialog().getByLabel("Day").fill(addDays(today, 8));
  await dialog().getByLabel("From").fill("14:00");
  await dialog().getByLabel("To", { exact: true }).fill("15:30");
  await button("Move the meeting", dialog()).click();
  await closed();
  await page.getByRole("button", { name: /14:00.15:30/ }).waitFor();
  await tab("Messages");
  await page.getByText("Your appointment", { exact: true }).nth(1).waitFor();
});

test("in the session each word has its owner, and what is locked stays as it is", async () => {
  await tab("Meetings & sessions");
  await button("Start session").click();
  await page.getByRole("heading", { level: 1, name: "Session 1" }).waitFor();
  for (const name of [PRIYA, OWEN]) {
    await page.getByRole("button", { name: new RegExp(`^${name}: Attendance`) }).click();
    await page.getByRole("menuitem", { name: "Present" }).click();
    await page.getByRole("button", { name: new RegExp(`^${name}: Present`) }).waitFor();
  }
  await button("Record a safety review").click();
  // Whoever goes on to the next party while one review is saved loses nothing of it.
  await page.route("**/trpc/sessions.reviewSafety", slowly);
  for (const name of [PRIYA, OWEN]) {
    await dialog()
      .getByRole("radio", { name: new RegExp(`^${name}`) })
      .check();
    await choose(`Was ${name} asked before the session began?`, name === PRIYA ? "Yes" : "No");
    await choose(`Has anything changed for ${name} since the screening?`, "No");
    await choose("Is it still safe to mediate?", "Yes");
    await choose("Are the measures still right, or still not needed?", "Yes");
    await button(/^Save the review of/, dialog()).click();
  }
  await closed();
  await page.unrouteAll({ behavior: "wait" });
  await page.keyboard.press("Alt+Digit2");
  await page.getByRole("textbox", { name: `Note in the separate meeting with ${PRIYA}` }).fill(SECRET);
  await page.keyboard.press("Control+Enter");
  await page.getByText(SECRET).waitFor();
  await expectNoAxeViolations(page);

  await page.context().setOffline(true);
  await page
    .getByRole("textbox", { name: `Note in the separate meeting with ${PRIYA}` })
    .fill("Written while the line was down");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Written while the line was down").waitFor();
  await page.context().setOffline(false);
  await page.getByText("All saved").waitFor({ state: "attached", timeout: 20_000 });
  await page.reload();
  await page.getByText("Written while the line was down").waitFor();

  // Answers that take their time put nothing back that is shown already, and what is typed meanwhile stays.
  await page.route("**/trpc/sessions.*", slowly);
  await button("End session").click();
  await dialog().getByRole("radio", { name: "Proposals reached on all issues" }).check();
  await button("End session", dialog()).click();
  await button("Lock session").click();
  await dialog()
    .getByLabel(/Type "lock"/)
    .fill("lock");
  await button("Lock for good", dialog()).click();
  // One of them was asked only when it had begun: why is asked for, and kept.
  await dialog().getByText("P2 was asked only after the session had begun whether it was safe.").waitFor();
  expect(await dialog().innerText()).not.toContain("P1 was asked");
  await dialog().getByLabel("Why was it held all the same?").fill("He came late, and was asked in a break");
  await button("Lock for good", dialog()).click();
  await page.getByText("Held all the same: He came late, and was asked in a break").waitFor();
  await button("Add an amendment").click();
  await dialog().getByLabel("What is to be corrected").fill("The session began ten minutes late.");
  await button("Add amendment", dialog()).click();
  // It is closed once the amendment is kept.
  await dialog().waitFor({ state: "hidden" });
  await page.getByText("The session began ten minutes late.").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  expect(await page.getByRole("textbox").count()).toBe(0);
  expect(await button("End session").count()).toBe(0);
});

test("what was said in one party's caucus is not in what the other sees", async () => {
  await openCase();
  await button("What each party sees").click();
  for (const name of [PRIYA, OWEN]) {
    await dialog().getByText(`${name} (`).click();
    await dialog().getByText("Meetings").first().waitFor();
    expect(await dialog().innerText()).not.toContain(SECRET);
  }
  await page.keyboard.press("Escape");
  await closed();
});

test("the case is concluded and closed, and its history tells how", async () => {
  await button("Move on").click();
  await dialog().getByRole("radio", { name: "Concluded" }).check();
  await dialog().getByLabel("Outcome").selectOption({ label: "Proposals reached on all issues" });
  await button("Move to Concluded", dialog()).click();
  await dialog().getByText("Name each issue, and what came of it.").waitFor();
  await button("Add an issue", dialog()).click();
  await dialog().getByLabel("Issue 1", { exact: true }).fill("Holidays");
  await dialog().getByLabel("Result").selectOption({ label: "Proposals reached" });
  await button("Move to Concluded", dialog()).click();
  await dialog().getByText("Fill in each issue, or take it out.").waitFor();
  await dialog().getByLabel("About").selectOption({ label: "Children" });
  const given = dialog().getByRole("group", { name: "Memorandum of understanding went to" });
  expect(await given.getByRole("checkbox", { checked: true }).count()).toBe(0);
  for (const name of [PRIYA, OWEN]) await given.getByRole("checkbox", { name }).check();
  await dialog()
    .getByLabel("Which paper is the memorandum of understanding?")
    .selectOption({ label: "It was made outside, and is not on file here" });
  for (const said of ["It was written up", "They were told to take legal advice"]) {
    expect(await dialog().getByRole("checkbox", { name: said }).isChecked()).toBe(false);
    await dialog().getByRole("checkbox", { name: said }).check();
  }
  await expectNoAxeViolations(page);
  await button("Move to Concluded", dialog()).click();
  await closed();
  await move("Closed");
  await page.getByText("Mediation is over").waitFor();
  await page.getByText("Holidays (children): proposals reached").waitFor();
  await page
    .getByText(`To ${OWEN} and ${PRIYA}, made outside`)
    .or(page.getByText(`To ${PRIYA} and ${OWEN}, made outside`))
    .waitFor();
  await tab("History");
  for (const text of [/Session 1/, /Certificate/, /appointment|Mediation on/])
    await page.getByText(text).first().waitFor();
  // What was refused, and what found the line down, the browser reports by itself.
  expect(watched.complaints.filter((text) => !/status of (400|412)|ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([]);
});

async function openCase() {
  await page.goto("/clients");
  await page.getByRole("link", { name: PRIYA }).click();
  await page.getByRole("heading", { level: 1, name: new RegExp(PRIYA) }).waitFor();
  await tab("Case");
}

test("a new client brings a case, and the other participant is added by their name", async () => {
  await addClient("Owen", "Castell");
  await page.getByLabel("Email (optional)").fill("owen.the.younger@example.org");
  await page.getByLabel("Open a case for this client").check();
  await page.getByRole("combobox", { name: "Other participant (optional)" }).fill("Zelda Quigley-Thorne");
  await page.getByRole("option", { name: "Add “Zelda Quigley-Thorne” as a new client" }).click();
  expect(await page.getByLabel("Other participant’s last name").inputValue()).toBe("Quigley-Thorne");
  await page.getByLabel("Issues").selectOption({ label: "Children only" });
  await page.getByLabel("Format").selectOption({ label: "Online" });
  await page.getByLabel("How they came").selectOption({ label: "Solicitor" });
  await expectNoAxeViolations(page);
  await button("Add client and open case").click();
  await page.getByText("Look at who is like them").waitFor();
  const isAnother = page.getByRole("checkbox", { name: "I have looked: this is somebody else" });
  await expect.poll(() => isAnother.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press("Space");
  await button("Add client and open case").click();
  await page.getByRole("heading", { level: 1, name: OWEN }).waitFor();
  await tab("Case");
  await page.getByText("Zelda Quigley-Thorne").first().waitFor();
});
