// A form from the builder to what the practice knows of a client: with the mouse, and by the keyboard alone.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aPracticeStage, expectNoAxeViolations, openPage, type PracticeStage } from "../support/browser/e2e.ts";
import { BOTH_HANDS, type Hand } from "../support/browser/hands.ts";
import { aClient } from "../support/server/people.ts";

const LIMIT_MS = 240_000;

let at: PracticeStage;
beforeAll(async () => {
  at = await aPracticeStage();
  await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterAll(() => at.stage.close());

const buttonIn = (place: Page | Locator, name: string) => place.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

async function build(page: Page, hand: Hand, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  const settings = page.getByRole("region", { name: "Settings" });
  const tab = (which: string) => hand.openTab(settings.getByRole("tab", { name: which }));
  const palette = page.getByRole("region", { name: "Add a question" });
  const field = (label: string) => settings.getByLabel(label);
  const addQuestion = async (type: string, words: string) => {
    await hand.press(buttonIn(palette, type));
    await hand.write(settings.getByRole("textbox", { name: "Question", exact: true }), words);
  };

  await page.goto("/settings/forms");
  await expectNoAxeViolations(page);
  await page.goto("/settings/forms?add=true");
  await hand.check(dialog.getByRole("radio", { name: "A blank form" }));
  await hand.write(dialog.getByLabel("Name"), name);
  await hand.press(buttonIn(dialog, "Make the form"));
  await heading(page, name).waitFor();
  await tab("Form");
  await hand.choose(field("Who reads answers, unless a question says otherwise"), "Practice team");
  await hand.write(field("Title"), "Before we meet");
  await tab("Page");
  await hand.write(field("Title of the page"), "You and your family");
  await addQuestion("Yes or no", "Do you have children?");
  await addQuestion("Long text", "What are their names?");
  await tab("Logic");
  await hand.press(buttonIn(settings, "Show only sometimes"));
  await hand.choose(field("What it is compared with"), "Yes");
  await page
    .getByRole("region", { name: "Questions" })
    .getByText("Show What are their names? when Do you have children? is Yes")
    .waitFor();
  await addQuestion("Short text", "What would help you on the day?");
  await hand.choose(field("Save the answer to"), "Client: needs");
  await page.getByText(/^Saved /).waitFor();
  await expectNoAxeViolations(page);
  await hand.press(buttonIn(page, "Publish version 1"));
  await dialog.getByText("This is the first version.").waitFor();
  await expectNoAxeViolations(page);
  await hand.press(buttonIn(dialog, "Publish version 1"));
  await dialog.waitFor({ state: "detached" });
}

/** Gives the client a link of their own to the form, and says where it leads. */
async function handOver(page: Page, hand: Hand, clientId: string, name: string): Promise<string> {
  const dialog = page.getByRole("dialog");
  await page.goto(`/clients/view/${clientId}?tab=forms`);
  await hand.press(buttonIn(page, "Send a form"));
  await hand.pick(dialog.getByRole("combobox", { name: "Form", exact: true }), name);
  await hand.choose(dialog.getByLabel("How they get it"), "I hand over the link myself");
  await expectNoAxeViolations(page);
  await hand.press(buttonIn(dialog, "Make link"));
  await dialog.waitFor({ state: "detached" });
  await hand.press(buttonIn(page, "Copy link"));
  await page.getByText(/^Link copied/).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Fills it in as far as the children's names and stops; the address leads on from there. */
async function beginOnPhone(page: Page, hand: Hand, address: string): Promise<string> {
  await page.goto(address);
  await heading(page, "You and your family").waitFor();
  await expectNoAxeViolations(page);
  expect(await page.getByLabel("What are their names?").count()).toBe(0);
  await hand.check(page.getByRole("radio", { name: "Yes" }));
  await hand.write(page.getByLabel("What are their names?"), "Ada");
  await hand.press(buttonIn(page, "Save and continue later"));
  await page.getByText("All answers are saved. This link").waitFor();
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  return page.getByLabel("Your link").inputValue();
}

async function goOnElsewhere(page: Page, hand: Hand, address: string): Promise<void> {
  await page.goto(address);
  await heading(page, "You and your family").waitFor();
  expect(await page.getByLabel("What are their names?").inputValue()).toBe("Ada");
  await hand.write(page.getByLabel("What would help you on the day?"), "A ramp");
  await hand.press(buttonIn(page, "Continue"));
  await heading(page, "Check your answers").waitFor();
  await expectNoAxeViolations(page);
  await hand.press(buttonIn(page, "Send"));
  await heading(page, "Thank you").waitFor();
  await expectNoAxeViolations(page);
}

async function accept(page: Page, hand: Hand, clientId: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await page.goto(`/clients/view/${clientId}?tab=forms`);
  await hand.press(buttonIn(page, "Read answers"));
  await dialog.getByText("Ada", { exact: true }).waitFor();
  await expectNoAxeViolations(page);
  await hand.press(buttonIn(dialog, "Accept: needs"));
  await dialog.getByText(/Accepted by/).waitFor();
}

test.each(BOTH_HANDS)(
  "a form, by $name: built with logic, published, handed over, begun on a phone, gone on with in another browser, sent, and accepted into the client",
  { timeout: LIMIT_MS },
  async ({ name, hand }) => {
    const form = `Before we meet, by ${name}`;
    const { id } = await at.owner.api.clients.create.mutate(aClient({ lastName: "Ellery" }));
    await build(at.page, hand(at.page), form);
    const address = await handOver(at.page, hand(at.page), id, form);
    const phone = await openPage(at.stage, { viewport: { width: 360, height: 740 }, hasTouch: true });
    const back = await beginOnPhone(phone.page, hand(phone.page), address);
    const laptop = await openPage(at.stage);
    await goOnElsewhere(laptop.page, hand(laptop.page), back);
    await accept(at.page, hand(at.page), id);
    expect((await at.owner.api.clients.get.query({ id })).needs).toBe("A ramp");
    for (const { complaints } of [phone, laptop, at.watched]) expect(complaints).toEqual([]);
  },
);
