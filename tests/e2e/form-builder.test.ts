// A form is put together, with rules, and published: with the mouse, and by keyboard alone.
import type { Form } from "@app/shared/forms";
import { newId } from "@app/server/core/ids";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buttonOn } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../support/server/forms.ts";

const LIMIT_MS = 90_000;

let at: PracticeStage;
let page: Page;
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
}, LIMIT_MS);
afterAll(() => at.stage.close());

const PICTURES = process.env["BUILDER_PICTURES"];

/** For whoever wants to look at the page. */
async function picture(name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}/${name}.${colorScheme}.png` });
  }
}

const button = buttonOn(() => page);
const dialog = () => page.getByRole("dialog");
const settings = () => page.getByRole("region", { name: "Settings" });
const question = (name: string) => page.getByRole("region", { name: "Questions" }).getByRole("button", { name });
const tab = (name: string) => settings().getByRole("tab", { name }).click();

/** The form of this name as it is stored. */
async function stored(name: string): Promise<Form> {
  const { items } = await at.owner.api.forms.list.query({ search: name });
  return at.owner.api.forms.get.query({ id: items[0]?.id ?? "" });
}

async function addQuestion(type: string, words: string): Promise<void> {
  await page.getByRole("region", { name: "Add a question" }).getByRole("button", { name: type, exact: true }).click();
  await settings().getByRole("textbox", { name: "Question", exact: true }).fill(words);
}

/** Waits until what is on the screen has reached the server. */
const saved = () => page.getByText(/^Saved /).waitFor();

async function aBlankForm(name: string): Promise<void> {
  await page.goto("/settings/forms?add=true");
  await dialog().getByRole("radio", { name: "A blank form" }).check();
  await dialog().getByLabel("Name").fill(name);
  await button("Make the form", dialog()).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await tab("Form");
  const readers = settings().getByLabel("Who reads answers, unless a question says otherwise");
  expect(await readers.inputValue()).toBe("");
  await readers.selectOption({ label: "Practice team" });
}

describe("the builder", () => {
  test(
    "a form from blank: questions and a rule are added, it is tried out and published",
    { timeout: LIMIT_MS },
    async () => {
      await aBlankForm("Before we meet");
      await tab("Form");
      await settings().getByLabel("Title").fill("Before we meet");
      await tab("Page");
      await settings().getByLabel("Title of the page").fill("Your family");
      await addQuestion("Yes or no", "Do you have children?");
      await addQuestion("Long text", "Tell us about them");
      await tab("Logic");
      await button("Show only sometimes").click();
      await settings().getByLabel("What it is compared with").selectOption({ label: "Yes" });
      const rule = "Show Tell us about them when Do you have children? is Yes";
      await page.getByRole("region", { name: "Questions" }).getByText(rule).waitFor();
      await page.getByText("Every page can be reached").waitFor();
      await saved();

      await button("Preview").click();
      expect(
        await dialog()
          .getByLabel(/Tell us about them/)
          .count(),
      ).toBe(0);
      await dialog().getByRole("radio", { name: "Yes" }).check();
      await dialog()
        .getByLabel(/Tell us about them/)
        .waitFor();
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });

      await button("Publish version 1").click();
      await dialog().getByText("This is the first version.").waitFor();
      await button("Publish version 1", dialog()).click();
      await dialog().waitFor({ state: "detached" });
      const form = await stored("Before we meet");
      expect(form).toMatchObject({ status: "published", publishedNumber: 1, isChanged: false });
      expect(form.publishedContent?.pages[0]?.fields.map(({ label }) => label)).toEqual([
        "Do you have children?",
        "Tell us about them",
      ]);
      expect(at.watched.complaints).toEqual([]);
    },
  );

  test(
    "a version that is live: what changed since is said, and what becomes of whoever has begun",
    { timeout: LIMIT_MS },
    async () => {
      await question("Do you have children?").click();
      await tab("Question");
      await settings().getByRole("switch", { name: "An answer is needed" }).check();
      await saved();
      await button("Publish version 2").click();
      await dialog().getByText("Do you have children?: an answer is needed now").waitFor();
      await dialog()
        .getByText(/Whoever is filling in version 1 goes on with it/)
        .waitFor();
      await expectNoAxeViolations(page);
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
    },
  );

  test(
    "a question that a rule asks about is taken out: it is said, and one step brings both back",
    { timeout: LIMIT_MS },
    async () => {
      await question("Do you have children?").focus();
      await page.keyboard.press("Delete");
      await page.getByText("Question taken out, with 1 rule that asked about it").waitFor();
      expect(await page.getByText("Show Tell us about them when").count()).toBe(0);
      await page.keyboard.press("Control+z");
      await question("Do you have children?").waitFor();
      await page.keyboard.press("Control+Shift+z");
      await question("Do you have children?").waitFor({ state: "detached" });
      await page.keyboard.press("Control+z");
      await saved();
      expect((await stored("Before we meet")).content.pages[0]?.fields).toHaveLength(2);
    },
  );

  test(
    "by keyboard alone: a question is added, moved and named, and focus is where the work goes on",
    { timeout: LIMIT_MS },
    async () => {
      await question("Tell us about them").focus();
      await page.keyboard.press("/");
      await dialog().getByRole("button", { name: "Short text" }).waitFor();
      await page.keyboard.type("short");
      await dialog().getByRole("button", { name: "Yes or no" }).waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await dialog().waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
      await page.keyboard.type("What is your name?");
      await question("What is your name?").focus();
      await page.keyboard.press("Alt+ArrowUp");
      await page.keyboard.press("Alt+ArrowUp");
      const focused = await page.evaluate(() => document.activeElement?.textContent);
      expect(focused).toContain("What is your name?");
      await page.keyboard.press("ArrowDown");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Do you have children?");
      await saved();
      const { content } = await stored("Before we meet");
      expect(content.pages[0]?.fields.map(({ label }) => label)).toEqual([
        "What is your name?",
        "Do you have children?",
        "Tell us about them",
      ]);
    },
  );

  test(
    "somebody else saved meanwhile: what both changed is chosen, and nothing is lost unasked",
    { timeout: LIMIT_MS },
    async () => {
      const form = await at.owner.api.forms.create.mutate({ id: newId(), ...aFormInput({ name: "Shared form" }) });
      await page.goto(`/settings/forms/create/${form.id}`);
      await page.getByRole("heading", { name: "Shared form", level: 1 }).waitFor();
      const { id, name, content, version } = form;
      await at.owner.api.forms.save.mutate({ id, name, version, content: { ...content, title: "Theirs" } });
      await tab("Form");
      await settings().getByLabel("Title").fill("Mine");
      await dialog()
        .getByRole("radio", { name: /Title: yours, Mine/ })
        .check();
      await button("Save this choice", dialog()).click();
      await dialog().waitFor({ state: "detached" });
      await saved();
      expect((await at.owner.api.forms.get.query({ id })).content.title).toBe("Mine");
    },
  );

  test(
    "on a phone: one part at a time, and nothing that axe complains about in any",
    { timeout: LIMIT_MS },
    async () => {
      await expectNoAxeViolations(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await question("Question children").click();
      await expectNoAxeViolations(page);
      await page.getByText("Pages", { exact: true }).first().click();
      await page.getByText("Checks").waitFor();
      await expectNoAxeViolations(page);
      await page.getByText("Questions", { exact: true }).first().click();
      await button("Add a question").click();
      await expectNoAxeViolations(page);
      await dialog().getByRole("button", { name: "Email" }).click();
      await settings().getByRole("textbox", { name: "Question", exact: true }).fill("Your email");
      await saved();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(360);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test(
    "the list of forms: a copy opens as a draft, and an archived one can be brought back",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto("/settings/forms");
      await button("More for Shared form").click();
      await page.getByRole("menuitem", { name: "Copy" }).click();
      await page.getByRole("heading", { name: "Copy of Shared form", level: 1 }).waitFor();
      await page.goto("/settings/forms");
      await expectNoAxeViolations(page);
      await button("More for Copy of Shared form").click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await button("Undo").click();
      await page.getByText("Copy of Shared form is back").waitFor();
      expect((await stored("Copy of Shared form")).status).toBe("draft");
    },
  );

  test(
    "an enquiry form from its template: it is made beside the leads, and opens in the same builder",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto("/leads/forms/create");
      await page.getByRole("radio", { name: "Enquiry" }).check();
      await expectNoAxeViolations(page);
      await button("Make the form").click();
      await page.waitForURL("**/leads/forms/edit/*");
      await page.getByRole("heading", { name: "Enquiry", level: 1 }).waitFor();
      await button("Publish version 1").click();
      await button("Publish version 1", dialog()).click();
      await dialog().waitFor({ state: "detached" });
      expect(await stored("Enquiry")).toMatchObject({ kind: "lead", status: "published" });
    },
  );
});

test(
  "two people in the builder: what each changed is kept, only the question that both changed asks, and the bar is not cut",
  { timeout: LIMIT_MS },
  async () => {
    const fields = [aShortText("town", { label: "Your town" }), aShortText("debts", { label: "Debts" })];
    const { api } = at.owner;
    const name = "Questions of two people";
    const { id } = await api.forms.create.mutate({
      id: newId(),
      ...aFormInput({ name, content: aFormContent([aFormPage("first", fields)]) }),
    });
    await api.forms.publish.mutate({ id, version: 0, changeId: newId() });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/settings/forms/create/${id}`);
    const words = settings().getByRole("textbox", { name: "Question", exact: true });
    /** As somebody else does, on another screen. */
    const rename = async (from: string, to: string) => {
      const { version, content } = await api.forms.get.query({ id });
      const pages = content.pages.map((one) => ({
        ...one,
        fields: one.fields.map((field) => ("label" in field && field.label === from ? { ...field, label: to } : field)),
      }));
      await api.forms.save.mutate({ id, version, name, content: { ...content, pages } });
    };
    const labels = async () =>
      (await stored(name)).content.pages.flatMap((one) => one.fields.map((field) => "label" in field && field.label));
    await question("Debts").click();
    await rename("Your town", "Which town?");
    await words.fill("What you owe");
    await expect.poll(labels, { timeout: 10_000 }).toEqual(["Which town?", "What you owe"]);
    expect(await dialog().count()).toBe(0);

    await rename("What you owe", "Money owed");
    await words.fill("Your debts");
    const cut = () =>
      page.locator(".builder-head").evaluate((head) => ({
        isCut: [...head.querySelectorAll("h1, [role=alert], button, a")].some(
          (one) => one.scrollWidth > one.clientWidth + 1,
        ),
        isWide: document.documentElement.scrollWidth > innerWidth,
      }));
    await dialog().waitFor();
    await dialog()
      .getByText(/1 field differs/)
      .waitFor();
    expect(await dialog().getByRole("rowheader").allTextContents()).toEqual(["“Your debts”"]);
    await expectNoAxeViolations(page);
    await picture("merge");
    await button("Back to editing", dialog()).click();
    await page.getByText("Not saved: it was changed elsewhere").waitFor();
    expect(await cut()).toEqual({ isCut: false, isWide: false });
    await picture("not-saved.1280");
    await page.setViewportSize({ width: 360, height: 740 });
    await picture("not-saved.360");
    await page.setViewportSize({ width: 1280, height: 800 });
    await button("Choose").click();
    await dialog().getByRole("radio", { name: /yours/ }).check();
    await button("Save this choice", dialog()).click();
    await expect.poll(labels, { timeout: 10_000 }).toEqual(["Which town?", "Your debts"]);
    await saved();
    expect(await cut()).toEqual({ isCut: false, isWide: false });
    await picture("saved.1280");
  },
);
