// A PDF is read where it lies: its pages in small, words found in it, zoom; also by keyboard, and with its words for a screen reader.
import { newId } from "@app/server/core/ids";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buttonOn } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { doc, heading, para } from "../support/documents/content.ts";
import { aCaseInput, aClient } from "../support/server/people.ts";

const LIMIT_MS = 120_000;
const CHAPTERS = 12;

let at: PracticeStage;
let page: Page;
let clientId: string;
let documentId: string;

beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
  const { api } = at.owner;
  const client = await api.clients.create.mutate(aClient({ firstName: "Zofia", lastName: "Wójcik" }));
  clientId = client.id;
  const theCase = await api.casework.create.mutate(aCaseInput([clientId]));
  const { id: templateId } = await api.documentTemplates.create.mutate({ id: newId(), name: "Report", kind: "letter" });
  const chapters = Array.from({ length: CHAPTERS }, (_, number) => [
    heading(1, `Chapter ${number + 1}`),
    ...Array.from({ length: 14 }, () =>
      para("They met in Łódź and spoke of the house, the pension and the school. ".repeat(4)),
    ),
  ]);
  await api.documentTemplates.save.mutate({
    id: templateId,
    version: 0,
    name: "Report",
    content: doc(...chapters.flat()),
  });
  const made = await api.documents.create.mutate({
    id: newId(),
    caseId: theCase.id,
    templateId,
    name: "Long report",
    addressee: { kind: "practice", partyId: null },
    privilege: "confidential",
  });
  documentId = (await api.documents.finish.mutate({ id: made.id, version: made.version })).id;
}, LIMIT_MS);
afterAll(() => at.stage.close());

const button = buttonOn(() => page);
const desk = () => page.getByRole("document", { name: /^Pages of / });
const pageField = () => page.getByRole("textbox", { name: /^Page, of / });
const count = async () => Number(/\d+$/.exec((await pageField().getAttribute("aria-label")) ?? "")?.[0]);

/** The words of a page lie over its picture. */
async function expectWords() {
  await desk()
    .getByRole("group", { name: /^Page 1 of / })
    .getByText("Chapter 1", { exact: true })
    .waitFor({ state: "attached" });
}

describe("the PDF viewer", () => {
  test(
    "a finished document: its pages in small lead to them, and its number can be typed",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto(`/settings/documents/edit/${documentId}`);
      await expectWords();
      const pages = await count();
      expect(pages).toBeGreaterThan(8);
      const overview = page.getByRole("navigation", { name: "Pages in small" });
      await overview.getByRole("button", { name: "Page 3", exact: true }).click();
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>(".pdf-page-field input")?.value === "3",
      );
      await pageField().fill(String(pages));
      await page.keyboard.press("Enter");
      await overview
        .locator(`[aria-current="page"]`)
        .filter({ hasText: String(pages) })
        .waitFor();
      await pageField().fill("999");
      await page.keyboard.press("Enter");
      expect(await pageField().inputValue()).toBe(String(pages));
      await page.getByRole("region", { name: "About" }).getByText("The practice only").waitFor();
      await expectNoAxeViolations(page);
    },
  );

  test("words are found whatever their accents, one after the other, and marked", { timeout: LIMIT_MS }, async () => {
    await page.goto(`/settings/documents/edit/${documentId}`);
    await expectWords();
    await desk().focus();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("CHAPTER 12");
    await page.getByRole("status").getByText("1 of 1", { exact: true }).waitFor();
    await page.waitForFunction(() => CSS.highlights.get("pdf-found-now")?.size === 1);
    expect(Number(await pageField().inputValue())).toBeGreaterThan(5);
    await page.getByRole("textbox", { name: "Find in this PDF" }).fill("łodz and");
    await page
      .getByRole("status")
      .getByText(/^1 of \d{3}$/)
      .waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .getByText(/^2 of \d{3}$/)
      .waitFor();
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Shift+Enter");
    await page
      .getByRole("status")
      .getByText(/^(\d{3}) of \1$/)
      .waitFor();
    await page.getByRole("textbox", { name: "Find in this PDF" }).fill("no such word");
    await page.getByRole("status").getByText("No matches").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Find in this PDF" }).waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("document");
  });

  test(
    "a file of a client: zoomed in, and closed by Escape only where nothing is looked for",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto(`/clients/view/${clientId}?tab=files`);
      await button("Long report.pdf").click();
      await expectWords();
      const width = () =>
        desk()
          .locator("[data-page='1']")
          .evaluate((element) => element.clientWidth);
      const before = await width();
      await button("Zoom in").click();
      await button("Zoom in").click();
      expect(await width()).toBeGreaterThan(before);
      await page.getByRole("button", { name: /^\d+ %$/ }).click();
      expect(await width()).toBe(before);
      await button("Find (Ctrl + F)").click();
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await expectNoAxeViolations(page);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(at.watched.complaints).toEqual([]);
    },
  );
});
