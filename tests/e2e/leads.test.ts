// The way of an enquiry, from the call to the case.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aLead } from "../support/access/leads-access.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";

const FOCUS_BACK_MS = 400;
const WINIFRED = "Winifred Dace";

let stage: PracticeStage;
let page: Page;
beforeAll(async () => {
  stage = await aPracticeStage();
  ({ page } = stage);
});
afterAll(() => stage.stage.close());

const column = (name: string) => page.getByRole("region", { name, exact: true });
const cardIn = (state: string, name = WINIFRED) => column(state).getByRole("listitem").filter({ hasText: name });
const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });

/** By the keyboard alone: opens the menu of a card, goes to the item and takes it. */
async function takeInMenu(state: string, item: string, name = WINIFRED) {
  // A dialog that closes gives the focus back first.
  await dialog().waitFor({ state: "detached" });
  await page.waitForTimeout(FOCUS_BACK_MS);
  await cardIn(state, name)
    .getByRole("button", { name: `Move ${name}` })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: item }).waitFor();
  const isThere = () => page.evaluate((text) => document.activeElement?.textContent === text, item);
  for (let tries = 0; tries < 8 && !(await isThere()); tries += 1) await page.keyboard.press("ArrowDown");
  expect(await isThere()).toBe(true);
  await page.keyboard.press("Enter");
}

test("a lead: somebody who rang, when they are added by hand, is asked how they came, and stands under New with a time to reply by", async () => {
  await page.goto("/leads");
  await page.getByText("No open leads").waitFor();
  await page.getByRole("link", { name: "Add lead" }).click();
  await dialog().getByLabel("First name", { exact: true }).fill("Winifred");
  await dialog().getByLabel("Last name", { exact: true }).fill("Dace");
  await dialog().getByLabel("Phone (optional)").fill("07700 900301");
  await dialog().getByLabel("How they may be reached").selectOption({ label: "Text only" });
  await dialog().getByLabel("First name of the other (optional)").fill("Gareth");
  await dialog().getByLabel("Last name of the other (optional)").fill("Holloway");
  await button("Add lead").click();
  await dialog().getByText("Choose how they came").waitFor();
  await expectNoAxeViolations(page);
  await dialog().getByLabel("How they came").selectOption({ label: "Solicitor" });
  await button("Add lead").click();
  await dialog().getByText("No matches found on").waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await cardIn("New")
    .getByText(/Reply by/)
    .waitFor();
  await cardIn("New").getByText("Text only").waitFor();
  expect(page.url()).toMatch(/\/leads$/);
});

test("a lead: by the keyboard, when its menu is used, goes on, is lost with a reason and comes back", async () => {
  await takeInMenu("New", "Move to Contacted");
  await cardIn("Contacted").waitFor();
  await takeInMenu("Contacted", "Mark as lost");
  await button("Mark as lost").click();
  await dialog().getByText("Choose why").waitFor();
  await dialog().getByLabel("Why", { exact: true }).selectOption({ label: "P2 declined" });
  await dialog().getByLabel("In words (optional)").fill("By phone");
  await button("Mark as lost").click();
  await cardIn("Lost").getByText("P2 declined").waitFor();
  await takeInMenu("Lost", "Reopen as new");
  await cardIn("New").waitFor();
});

test("a lead: by the mouse, when its card is dropped, goes on where that is the next step, and nowhere else", async () => {
  const drag = async (from: string, to: string) => {
    const start = await cardIn(from).boundingBox();
    const end = await column(to).boundingBox();
    if (!start || !end) throw new Error("there is nothing to drag");
    await page.mouse.move(start.x + 30, start.y + 40);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2 - 20, end.y + 100, { steps: 8 });
    await page.mouse.move(end.x + end.width / 2, end.y + 110, { steps: 3 });
    await page.mouse.up();
  };
  await drag("New", "Qualified");
  await page.getByText("Next comes Contacted or Lost").waitFor();
  await cardIn("New").waitFor();
  await page.getByRole("button", { name: "Close this message" }).click();
  await drag("New", "Contacted");
  await cardIn("Contacted").waitFor();
  expect(page.url()).toMatch(/\/leads$/);
});

test("a lead: that is ready, when it is converted, becomes a client with a case, with nothing decided beforehand", async () => {
  await takeInMenu("Contacted", "Move to Qualified");
  await cardIn("Qualified").waitFor();
  await takeInMenu("Qualified", "Move to Awaiting P2");
  await cardIn("Awaiting P2").waitFor();
  await takeInMenu("Awaiting P2", "Convert to a case");
  await page.getByRole("heading", { level: 1, name: `Convert ${WINIFRED} to a case` }).waitFor();
  expect(await page.getByLabel("First name", { exact: true }).inputValue()).toBe("Winifred");
  expect(await page.getByLabel("Other participant’s last name").inputValue()).toBe("Holloway");
  expect(await page.getByRole("combobox", { name: "Conflict check" }).inputValue()).toBe("");
  await expectNoAxeViolations(page);
  await page.getByLabel("Issues").selectOption({ label: "All issues" });
  await page.getByLabel("Format").selectOption({ label: "In person" });
  await button("Convert to client and case").click();
  await page.waitForURL(/\/clients\/view\//);
  await page.goto("/leads");
  await cardIn("Converted").getByRole("link", { name: WINIFRED }).click();
  await dialog().getByText("Case", { exact: true }).waitFor();
});

test("the list: when it is opened on a phone, holds the same leads, what is filtered stands in the address, and nothing hides", async () => {
  await stage.owner.api.leads.create.mutate(aLead({ lastName: "Farrant", source: "court", email: "", phone: "" }));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/leads?source=court");
  await cardIn("New", "Winifred Farrant").waitFor();
  await expectNoAxeViolations(page);
  await takeInMenu("New", "Move to Contacted", "Winifred Farrant");
  await cardIn("Contacted", "Winifred Farrant").waitFor();
  await page.getByText("List", { exact: true }).click();
  await page.waitForURL(/view=list/);
  expect(page.url()).toContain("source=court");
  await page.getByRole("link", { name: "Winifred Farrant" }).waitFor();
  await expectNoAxeViolations(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("a lead: when it is deleted, its name is typed first, and it is gone from the report too", async () => {
  await page.goto("/leads?view=list");
  await page.getByRole("link", { name: "Winifred Farrant" }).click();
  await button("Delete").click();
  expect(await button("Delete this lead").isDisabled()).toBe(true);
  await dialog().getByLabel("to go on").fill("Winifred Farrant");
  await button("Delete this lead").click();
  await page.getByText("Winifred Farrant deleted").waitFor();
  await page.goto("/leads?report=true");
  await dialog()
    .getByRole("row", { name: /Solicitor 1/ })
    .waitFor();
  expect(await dialog().getByRole("row", { name: /Court/ }).count()).toBe(0);
  await expectNoAxeViolations(page);
  expect(stage.watched.complaints).toEqual([]);
});
