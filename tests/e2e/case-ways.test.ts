import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caseSteps } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { authorise } from "../support/server/assessments.ts";
import { aLedCase, aNamedClient, TODAY } from "../support/server/led.ts";

const LIMIT_MS = 90_000;
const PRIYA = "Priya Nandakumar";
const OWEN = "Owen Castell";

let stage: PracticeStage;
let page: Page;
beforeAll(async () => {
  stage = await aPracticeStage();
  ({ page } = stage);
  await authorise(stage.owner);
});
afterAll(() => stage.stage.close());

const { button, dialog, closed, tab, openStep, step, consent, move, keptFrom } = caseSteps(() => page);
const track = (name: string) => page.locator(".track").filter({ hasText: name });
const facts = () => page.getByRole("region", { name: "Case", exact: true });
const together = () => page.locator(".case-together").innerText();

/** What was refused, the browser reports by itself. */
const expectNoComplaints = () =>
  expect(stage.watched.complaints.filter((text) => !/status of 4(00|12)/.test(text))).toEqual([]);

/** Issues the certificate of the one MIAM that is shown, saying this too. */
async function certify(statement: RegExp) {
  await button("Issue certificate").click();
  await dialog().getByRole("checkbox", { name: statement }).check();
  await expectNoAxeViolations(page);
  await button("Issue certificate", dialog()).click();
  await closed();
  await page.getByText(/\d+ days left/).waitFor();
}

test(
  "the other participant, when they withdraw after their MIAM, leaves a case that only ends, with certificates for both",
  { timeout: LIMIT_MS },
  async () => {
    const led = await aLedCase(stage.owner, [PRIYA, OWEN]);
    await led.clear();
    await led.move("intake", "awaiting_second_party");
    await led.assess(0, 1);
    await led.move("assessing");
    await page.goto(await led.page(0));

    await openStep(OWEN);
    await dialog().getByRole("combobox", { name: "Next step" }).selectOption({ label: "Withdrawn" });
    await button("Record this step", dialog()).click();
    await dialog().getByText("Choose whose decision it was").waitFor();
    await dialog()
      .getByRole("radio", { name: `${OWEN} said so` })
      .check();
    await button("Record this step", dialog()).click();
    await dialog().getByText("Say why.").waitFor();
    await dialog().getByLabel("Why?").fill("Wants a judge to decide");
    await expectNoAxeViolations(page);
    await button("Record this step", dialog()).click();
    await closed();
    await track(OWEN).getByText("Withdrawn").waitFor();
    // That they came to their MIAM stays so.
    await track(OWEN).getByRole("listitem").filter({ hasText: "MIAM" }).getByLabel("Done").waitFor();
    await tab("Overview");
    await page.getByText(`Next: decide what follows the withdrawal of ${OWEN}`).waitFor();
    await tab("Case");
    expect(await keptFrom("Ready")).toContain("At least two sides must take part.");

    await certify(/Another participant/);
    await button("Move on").click();
    await dialog().getByRole("radio", { name: "Not proceeding" }).check();
    await button("Move to Not proceeding", dialog()).click();
    await dialog().getByText("Choose why it ends", { exact: true }).last().waitFor();
    await dialog().getByLabel("How did it end?").selectOption({ label: "Somebody withdrew" });
    await button("Move to Not proceeding", dialog()).click();
    await dialog().getByText("Say why.").waitFor();
    await dialog().getByLabel("Why?").fill("Owen wants a judge to decide");
    await expectNoAxeViolations(page);
    await button("Move to Not proceeding", dialog()).click();
    await closed();
    await facts().getByText("Somebody withdrew").waitFor();
    await facts().getByText("Owen wants a judge to decide").waitFor();
    expect(await together()).toContain("There is no joint work");

    // Whoever withdrew attended all the same, and nobody keeps their certificate from them.
    await page.goto(await led.page(1));
    await certify(/person named above/);
    await tab("History");
    for (const text of ["P2: Withdrawn", "Case moved to Not proceeding"])
      await page.getByText(text, { exact: false }).first().waitFor();
    expectNoComplaints();
  },
);

test(
  "mediation, when it is paused, resumed, broken down and sent back by the court, starts anew with what stays true",
  { timeout: LIMIT_MS },
  async () => {
    const led = await aLedCase(stage.owner, [PRIYA, OWEN]);
    await led.mediate();
    await page.goto(await led.page(0));
    await move("Paused", { why: "They wait for a valuation" });
    expect(await together()).toContain("Mediation is paused");
    await tab("Overview");
    await page.locator(".panel-title", { hasText: "Mediation is paused" }).waitFor();
    await tab("Case");
    await move("In mediation");
    await move("Ended without agreement", {
      ending: "Mediation broke down",
      outcome: "Ended without agreement",
      why: "No way forward on the house",
    });
    await facts().getByText("Mediation broke down").waitFor();
    await facts().getByText("No way forward on the house").waitFor();

    await move("Assessing", { why: "The court adjourned for them to mediate" });
    await facts().getByText("The court adjourned for them to mediate").waitFor();
    await facts()
      .getByText(/^Ended without agreement, on .*; Mediation broke down; No way forward on the house$/)
      .waitFor();
    expect(await facts().getByText("Mediation broke down", { exact: true }).count()).toBe(0);
    for (const name of [PRIYA, OWEN]) {
      const at = (label: string) => track(name).getByRole("listitem").filter({ hasText: label });
      await at("MIAM").getByLabel("Done").waitFor();
      await at("Assessment").getByLabel("Now").waitFor();
      await at("Agreement to mediate signed").getByLabel("Later").waitFor();
    }
    await expectNoAxeViolations(page);
    expect(await keptFrom("Ready")).toContain("Screen P1 again: mediation ended since the last screening.");
    await led.screen(0);
    await led.screen(1);
    await page.reload();
    await move("Ready");
    expect(await keptFrom("In mediation")).toContain("P1 and P2 must sign the agreement to mediate.");
    await step(PRIYA, "Agreement signed", { confidences: "Kept: what one person says apart" });
    await step(OWEN, "Agreement signed");
    await move("In mediation");
    await tab("History");
    for (const to of ["Paused", "Ended without agreement", "Assessing"])
      await page.getByText(`Case moved to ${to}`).first().waitFor();
    expectNoComplaints();
  },
);

test(
  "grandparents, when they stand on one side, need somebody on the other, and each has a MIAM of their own",
  { timeout: LIMIT_MS },
  async () => {
    const [ada, bert] = ["Ada Thorne", "Bert Thorne"];
    const led = await aLedCase(stage.owner, [ada, bert], { issueScope: "child_only" });
    await led.clear();
    await led.move("intake", "awaiting_second_party");
    await led.assess(0, 1);
    await led.move("assessing");
    await led.sign(0, 1);
    await page.goto(await led.page(0));
    for (const name of [ada, bert]) {
      await openStep(name);
      await dialog().getByLabel("Role", { exact: true }).selectOption({ label: "Asked for mediation" });
      await dialog().getByLabel("Side (optional)").fill("Grandparents");
      await expectNoAxeViolations(page);
      await button("Save", dialog()).click();
      await closed();
    }
    await track(bert).getByText("Grandparents").waitFor();
    await page.getByText(`beside ${bert}`).waitFor();
    await expectNoAxeViolations(page);
    expect(await together()).toContain("Add the other participant when you know who it is");
    expect(await keptFrom("Ready")).toContain("At least two sides must take part.");

    await aNamedClient(stage.owner, "Celia Marsh");
    await button("More about this case").click();
    await page.getByRole("menuitem", { name: "Add a party" }).click();
    await dialog().getByRole("combobox", { name: "Client" }).fill("Marsh");
    await page.getByRole("option", { name: /Celia Marsh/ }).click();
    await button("Add party", dialog()).click();
    await dialog().getByText("Choose a role").waitFor();
    await expectNoAxeViolations(page);
    await dialog().getByLabel("Role", { exact: true }).selectOption("Takes part");
    await button("Add party", dialog()).click();
    await closed();
    expect(await keptFrom("Ready")).toContain("Decide the conflict check");
    await button("Decide").click();
    await dialog().getByRole("radio", { name: "Clear" }).check();
    await button("Record the decision", dialog()).click();
    await closed();

    await led.assess(2);
    await page.reload();
    expect(await keptFrom("Ready")).toContain("Screen P1 again: P3 joined the case since the last screening");
    await led.screen(0);
    await led.screen(1);
    await page.reload();
    await consent("Celia Marsh", TODAY);
    await step("Celia Marsh", "Agreement signed");
    await move("Ready");
    await move("In mediation");
    // One of two on a side leaves, and there are two sides still; with the other side nobody is left to mediate with.
    await step(bert, "Withdrawn", { why: "Too unwell to come" });
    await track(bert).getByText("Grandparents · Withdrawn").waitFor();
    expect(await together()).toContain("Sessions are under way");
    await step("Celia Marsh", "Withdrawn", { why: "Will not go on" });
    await facts().getByText("Fewer than two sides take part.").waitFor();
    expect(await together()).toContain("Mediation is paused");

    // Ada's certificate is on her page, Bert's on his.
    await certify(/Another participant/);
    await page.goto(await led.page(1));
    await button("Issue certificate").waitFor();
    expect(await page.getByText(/\d+ days left/).count()).toBe(0);
    expectNoComplaints();
  },
);

test(
  "a wrong step, when it is taken back, leaves both in the history, and one that was acted on says why it stays",
  { timeout: LIMIT_MS },
  async () => {
    const led = await aLedCase(stage.owner, [PRIYA, OWEN]);
    await led.clear();
    await led.move("intake", "awaiting_second_party");
    await led.assess(0);
    await led.invite(1);
    await page.goto(await led.page(0));
    await step(OWEN, "Refused", { why: "Said no on the phone" });
    await track(OWEN).getByText("Refused").waitFor();

    await openStep(OWEN);
    await button("Take the last step back", dialog()).click();
    await dialog().getByText('P2 goes back from "Refused" to "Invited".', { exact: false }).waitFor();
    await dialog()
      .getByText(/What was shared while P2 was out of the case stays hidden from them/)
      .waitFor();
    await button("Take it back", dialog()).click();
    await dialog().getByText("Say what was wrong").waitFor();
    expect(
      await dialog()
        .getByLabel("What was wrong?")
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await expectNoAxeViolations(page);
    await dialog().getByLabel("What was wrong?").fill("It was his brother who rang");
    await button("Take it back", dialog()).click();
    await closed();
    // Whoever works with the keyboard goes on where they were.
    await expect
      .poll(() => button(`Next step of ${OWEN}`).evaluate((opener) => opener === document.activeElement))
      .toBe(true);
    await track(OWEN).getByText("Refused").waitFor({ state: "detached" });
    await tab("History");
    for (const text of ["P2: Refused", "back from Refused to Invited, because: It was his brother who rang"])
      await page.getByText(text).first().waitFor();

    await led.assess(1);
    await led.move("assessing");
    await led.sign(0, 1);
    await led.move("ready", "in_mediation");
    await page.reload();
    await tab("Case");
    await openStep(OWEN);
    await dialog().getByText("P2 is there because the case was moved on.", { exact: false }).waitFor();
    expect(await button("Take the last step back", dialog()).count()).toBe(0);
    await page.keyboard.press("Escape");
    await closed();
    await tab("Meetings & sessions");
    await button("Start session").click();
    await page.getByRole("heading", { level: 1, name: "Session 1" }).waitFor();
    await page.goto(await led.page(0));
    await button("More about this case").click();
    await page.getByRole("menuitem", { name: "Take the last step back" }).click();
    await dialog().getByText('The case goes back from "In mediation" to "Ready".', { exact: false }).waitFor();
    await dialog().getByLabel("What was wrong?").fill("Not all had signed");
    await button("Take it back", dialog()).click();
    await dialog().getByText("Session 1 was begun since, so the case was in mediation. Move it on instead.").waitFor();
    await expectNoAxeViolations(page);
    page.once("dialog", (asked) => void asked.accept());
    await button("Go back", dialog()).click();
    await closed();
    expectNoComplaints();
  },
);
