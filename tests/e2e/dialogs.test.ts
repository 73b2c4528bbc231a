import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sample } from "../../scripts/demo-sign-in.ts";
import { answering, expectFocusOn, expectManners, openDialog } from "../support/browser/dialog-manners.ts";
import { DIALOGS } from "../support/browser/dialog-table.ts";
import { changeNote, confirmedBefore, ofUninvited } from "../support/browser/dialog-places.ts";
import { aSignedInStage, openPage, type Stage } from "../support/browser/e2e.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const LIMIT_MS = 60_000;
const QUESTION = "Leave without saving? What you typed here would be lost.";

let stage: Stage;
let context: BrowserContext;
let page: Page;
let sample: Sample;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage, sample } = demo);
  const { url, cookies } = demo;
  const first = await openPage(stage);
  context = first.page.context();
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })));
});
/** Where the page is and nothing is left open, for the next dialog of the same place. */
let shown = "";
beforeEach(async () => {
  if (!shown) page = await context.newPage();
});
afterEach(async () => {
  if (!shown) await page.close();
});
afterAll(() => stage.close());

/** The components of the page that draw a dialog. */
function drawn(): string[] {
  const files = globSync("web/src/**/*.tsx", { cwd: ROOT }).filter(
    (file) => !/ui\/(dialog|confirm-dialog)\.tsx$/.test(file),
  );
  return files.flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), "utf8");
    return [...source.matchAll(/<(?:Confirm)?Dialog\b/g)].map(({ index }) => {
      const names = [...source.slice(0, index).matchAll(/(?:function|const) ([A-Z]\w+)[ (:]/g)];
      return names.at(-1)?.[1] ?? file;
    });
  });
}

test("every dialog of the page: when the source is searched, then its manners are tested and it is made by the kit", () => {
  const tests = globSync(["tests/e2e/*.test.ts", "tests/support/browser/*dialog*.ts"], { cwd: ROOT });
  const tested = tests.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), "utf8").matchAll(/dialog: "(\w+)"/g)].map((found) => found[1]),
  );
  expect(
    drawn()
      .filter((name) => !tested.includes(name))
      .toSorted(),
  ).toEqual([]);
  const others = globSync("web/src/**/*.tsx", { cwd: ROOT }).filter((file) =>
    /import \{[^}]*\bModal\b[^}]*\} from "@mantine\/core"/.test(readFileSync(path.join(ROOT, file), "utf8")),
  );
  expect(others).toEqual(["web/src/ui/dialog.tsx"]);
});

describe("one after the other", () => {
  afterAll(async () => {
    shown = "";
    await page.close();
  });

  test.each(DIALOGS)(
    "$dialog: when it is opened and left, then it begins at its first field, loses nothing, and gives the focus back",
    { timeout: LIMIT_MS },
    async (one) => {
      const place = { page, stage, sample };
      const before = shown;
      shown = "";
      await one.before?.(place);
      const address = await one.at(place);
      if (one.before || address !== before) await page.goto(address);
      await one.around?.(place);
      await expectManners(page, one);
      if (!one.around) shown = address;
    },
  );
});

test(
  "two notes in one: when both are kept at Escape, then the keyboard goes on in the text",
  { timeout: LIMIT_MS },
  async () => {
    const newer = { dialog: "NewerNoteDialog", title: "Someone else changed this note" };
    await page.goto(`/clients/view/${sample.clientId}?tab=notes`);
    const note = page.getByRole("article").filter({ hasText: "Rang back" });
    await changeNote({ page, stage, sample }, "Rang back", async () => {
      await note.getByRole("button", { name: "More about this note" }).waitFor();
      await note.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Note", exact: true }).waitFor();
    });
    await page.keyboard.type("Twice.");
    const dialog = page.getByRole("dialog", { name: newer.title });
    await dialog.waitFor();
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocusOn(page.getByRole("textbox", { name: "Note", exact: true }));
  },
);

test(
  "a dialog of several steps: when one gives way to the next, then the keyboard is in that one",
  { timeout: LIMIT_MS },
  async () => {
    await confirmedBefore({ page, stage, sample }, 0);
    await page.goto("/settings/user-permissions?invite=true");
    await page.getByLabel("Email address").fill("ada.moss@example.org");
    await page.getByLabel("First name").fill("Ada");
    await page.getByRole("dialog").getByLabel("Role", { exact: true }).selectOption("Caseworker");
    await page.getByLabel("Last name").fill("Moss");
    await page.keyboard.press("Enter");
    await expectFocusOn(page.getByLabel("Link", { exact: true }));
  },
);

test(
  "a party who was added by mistake: when they are to be taken out, then it asks why, and Escape goes back to the case",
  { timeout: LIMIT_MS },
  async () => {
    const { address, name } = await ofUninvited({ page, stage, sample });
    const asked = { dialog: "TakeOutDialog", title: `Take ${name} out of the case?` };
    await page.goto(address);
    const opener = page.getByRole("button", { name: `Next step of ${name}` });
    await opener.click();
    await page.getByRole("button", { name: "Take out of the case" }).click();
    const dialog = page.getByRole("dialog", { name: asked.title });
    await dialog.waitFor();
    await expectFocusOn(page.getByLabel("Why are they no party of this case?"));
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocusOn(opener);
  },
);

test(
  "what was typed: when Back is pressed or the page is reloaded, then it is asked about first",
  { timeout: LIMIT_MS },
  async () => {
    const task = DIALOGS.find(({ dialog }) => dialog === "TaskDialog");
    if (!task) throw new Error("there is no such row");
    await page.goto("/clients");
    const name = page.getByRole("table").getByRole("link").first();
    await name.click();
    await page.waitForURL("**/clients/view/*");
    const dialog = await openDialog(page, task);
    const field = dialog.getByLabel("What is to be done?");
    await field.fill("Ring the agent");
    const here = page.url();
    const back = () => page.evaluate(() => window.history.back()).then(() => page.waitForTimeout(300));
    expect(await answering(page, "stay", back)).toEqual([QUESTION]);
    expect(page.url()).toBe(here);
    expect(await answering(page, "stay", () => page.reload({ timeout: 2000 }).catch(() => undefined))).toHaveLength(1);
    expect(await field.inputValue()).toBe("Ring the agent");
    expect(await answering(page, "leave", back)).toEqual([QUESTION]);
    await page.waitForURL("**/clients");
  },
);

test(
  "a form of a page: when a link, Back or a reload would leave it, then it is asked about first",
  { timeout: LIMIT_MS },
  async () => {
    await page.goto("/profile");
    const field = page.getByLabel("First name");
    await field.fill("Inessa");
    const link = page.getByRole("navigation").getByRole("link", { name: "Clients" });
    expect(await answering(page, "stay", () => link.click())).toEqual([QUESTION]);
    expect(await answering(page, "stay", () => page.reload({ timeout: 2000 }).catch(() => undefined))).toHaveLength(1);
    expect(await field.inputValue()).toBe("Inessa");
    expect(await answering(page, "leave", () => link.click())).toEqual([QUESTION]);
    await page.waitForURL("**/clients");
  },
);

const heading = (of: Page) =>
  of.evaluate(() => (document.activeElement?.matches("h1") ? document.activeElement.textContent : null));

test(
  "a navigation: when another page is shown, then the focus is on its heading, and not where only the search changed",
  { timeout: LIMIT_MS },
  async () => {
    await page.goto("/dashboard");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await heading(page)).toBeNull();
    const links = page.getByRole("navigation");
    for (const name of ["Clients", "Calendar", "Contacts"]) {
      await links.getByRole("link", { name, exact: true }).click();
      await page.waitForURL(`**/${name.toLowerCase()}`);
      await expect.poll(() => heading(page)).not.toBeNull();
    }
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^Search clients/).fill("Reports");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/reports");
    await expect.poll(() => heading(page)).not.toBeNull();
    await links.getByRole("link", { name: "Clients", exact: true }).click();
    await page.getByRole("table").getByRole("link").first().click();
    await expect.poll(() => heading(page)).toMatch(/\w+ \w+/);
    const tab = page.getByRole("tab", { name: "Notes" });
    await tab.click();
    await page.waitForURL("**tab=notes**");
    await expectFocusOn(tab);
  },
);

test(
  "Back after a reload: when a signed-in page was reloaded, then it leads where one came from",
  { timeout: LIMIT_MS },
  async () => {
    /** Until the page listens to the subscription, which ends as the page is left. */
    const listening = (load: () => Promise<unknown>) => Promise.all([page.waitForResponse(/access\.onChange/), load()]);
    for (const name of ["clients", "calendar", "contacts"]) await listening(() => page.goto(`/${name}`));
    await listening(() => page.reload());
    await listening(() => page.goBack());
    expect(new URL(page.url()).pathname).toBe("/calendar");
    await page.getByRole("navigation").getByRole("link", { name: "Reports" }).click();
    await page.waitForURL("**/reports");
    await listening(() => page.reload());
    await page.goBack();
    await page.waitForURL("**/calendar");
    await listening(() => page.goBack());
    expect(new URL(page.url()).pathname).toBe("/clients");
  },
);
