// Pictures in a template, by keyboard, and Word documents that are taken over.
import { newId } from "@app/server/core/ids";
import { imagesIn, linesOf } from "@app/shared/document-walk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buttonOn } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { doc, heading, para } from "../support/documents/content.ts";
import { aPng } from "../support/documents/picture.ts";
import { wordDocument } from "../support/hostile/hostile.ts";
import { aCaseInput, aClient } from "../support/server/people.ts";

const LIMIT_MS = 120_000;
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

let at: PracticeStage;
let page: Page;
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
  // As long as somebody listens, the browser asks for files here, from the first time on.
  page.on("filechooser", () => undefined);
}, LIMIT_MS);
afterAll(() => at.stage.close());

const button = buttonOn(() => page);
const dialog = () => page.getByRole("dialog");
const paper = () => page.getByRole("textbox", { name: /^Text of / });
/** Presses Enter where the focus is, and gives the browser this file. */
async function give(name: string, mimeType: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (await chooser).setFiles({ name, mimeType, buffer });
}
const aWord = (...texts: string[]) =>
  wordDocument(texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join(""), {
    "word/header1.xml": "<w:hdr/>",
  });

describe("pictures and Word", () => {
  test(
    "a picture is put in, described, made narrower and set by keyboard, and is in the PDF",
    { timeout: LIMIT_MS },
    async () => {
      const { api } = at.owner;
      const { id: templateId } = await api.documentTemplates.create.mutate({
        id: newId(),
        name: "Plan",
        kind: "letter",
      });
      const content = doc(heading(1, "The way in"), para("Come by the side door."));
      await api.documentTemplates.save.mutate({ id: templateId, version: 0, name: "Plan", content });
      const { id: clientId } = await api.clients.create.mutate(aClient());
      const { id: otherId } = await api.clients.create.mutate(aClient({ email: "other@example.org", phones: [] }));
      const theCase = await api.casework.create.mutate(aCaseInput([clientId, otherId]));
      const { id } = await api.documents.create.mutate({
        id: newId(),
        caseId: theCase.id,
        templateId,
        name: "How to find us",
        addressee: { kind: "practice", partyId: null },
        privilege: "none",
      });
      await page.goto(`/settings/documents/edit/${id}`);
      await paper().focus();
      await page.keyboard.press("Control+End");
      await button("Picture").focus();
      await give("plan.png", "image/png", Buffer.from(aPng(200)));
      await page.getByRole("region", { name: "Pictures to be described" }).waitFor();
      expect(await button("Finish").isDisabled()).toBe(true);
      await button("This picture").focus();
      await page.keyboard.press("Enter");
      await page.getByLabel("What it shows").and(page.locator(":focus")).waitFor();
      await page.keyboard.type("The side door, behind the bicycles");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowRight");
      await expectNoAxeViolations(page);
      await page.keyboard.press("Escape");
      const stored = async () => {
        const open = await api.documents.open.query({ id });
        return open.of === "document" ? imagesIn(open.document.content).map(({ attrs }) => attrs) : [];
      };
      await expect
        .poll(stored)
        .toMatchObject([
          { alt: "The side door, behind the bicycles", widthPercent: 25, align: "center", isDecorative: false },
        ]);
      await expect
        .poll(() =>
          page
            .locator(".document-picture img")
            .evaluate((image) => "naturalWidth" in image && Number(image.naturalWidth)),
        )
        .toBe(200);
      await button("Finish").click();
      await button("Finish it").click();
      await page.getByRole("region", { name: "About" }).waitFor();
      const pdf = await page.request.get(
        (await page.getByRole("link", { name: /^Download / }).getAttribute("href")) ?? "",
      );
      expect((await pdf.body()).toString("latin1")).toContain("/Subtype /Image");
      expect(at.watched.complaints).toEqual([]);
    },
  );

  test("a picture is reached by arrows and taken out by Delete", { timeout: LIMIT_MS }, async () => {
    const { api } = at.owner;
    const { id } = await api.documentTemplates.create.mutate({ id: newId(), name: "Arrows", kind: "letter" });
    await page.goto(`/settings/documents/edit/${id}`);
    await paper().focus();
    await page.keyboard.type("Before");
    await paper().getByText("Before").waitFor();
    await button("Picture").focus();
    await give("plan.png", "image/png", Buffer.from(aPng(40)));
    await button("This picture").waitFor();
    await paper().focus();
    await page.keyboard.press("ArrowUp");
    await button("Picture").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await button("This picture").waitFor();
    await page.keyboard.press("Delete");
    const stored = async () => {
      const { content } = await api.documentTemplates.get.query({ id });
      return [imagesIn(content).length, linesOf(content)[0]];
    };
    await expect.poll(stored).toEqual([0, "Before"]);
    expect(at.watched.complaints).toEqual([]);
  });

  test(
    "a template is made of a Word document, another takes the place of its text, and it goes to Word again",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto("/settings/documents");
      await page.getByRole("link", { name: "New template" }).click();
      await dialog().getByLabel("Name").fill("From our old files");
      await dialog().getByRole("button", { name: "From Word (optional)" }).focus();
      await give("old.docx", WORD, aWord("Dear {{client.firstName}},", "please call us."));
      await button("Make the template", dialog()).click();
      await dialog().getByText("Head and foot of the pages").waitFor();
      await expectNoAxeViolations(page);
      await button("Open the template", dialog()).click();
      await page.getByRole("heading", { name: "From our old files", level: 1 }).waitFor();
      await paper().getByText("please call us.").waitFor();
      expect(await paper().locator("[data-merge-field='client.firstName']").count()).toBe(1);
      await button("Word").click();
      await page.getByRole("menuitem", { name: "Replace with a Word document" }).click();
      await button("Replace the text", dialog()).click();
      await dialog().getByText("Choose a Word document first.").waitFor();
      await dialog().getByRole("button", { name: "Word document (.docx)" }).focus();
      await give("new.docx", WORD, aWord("Something else."));
      await button("Replace the text", dialog()).click();
      await dialog().getByRole("heading", { name: "Taken over from Word" }).waitFor();
      await button("Close", dialog()).last().click();
      await dialog().waitFor({ state: "detached" });
      await paper().getByText("Something else.").waitFor();
      await page.getByText(/^Saved \d/).waitFor();
      const download = page.waitForEvent("download");
      await button("Word").click();
      await page.getByRole("menuitem", { name: "Word (.docx)", exact: true }).click();
      expect((await download).suggestedFilename()).toBe("From our old files.docx");
      await button("Versions").click();
      await page.getByRole("complementary", { name: "Versions" }).getByRole("listitem").first().waitFor();
      expect(at.watched.complaints).toEqual([]);
    },
  );
});
