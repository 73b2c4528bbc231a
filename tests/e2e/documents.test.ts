// A template is written, a document is made of it for a case, and finished; two people write one text.
import { newId } from "@app/server/core/ids";
import { linesOf } from "@app/shared/document-walk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { buttonOn } from "../support/browser/case-steps.ts";
import {
  aPracticeStage,
  aSignedInStage,
  expectNoAxeViolations,
  openPage,
  type PracticeStage,
  type Stage,
} from "../support/browser/e2e.ts";
import { doc, heading, para } from "../support/documents/content.ts";
import { aCaseInput, aClient } from "../support/server/people.ts";

const LIMIT_MS = 120_000;

let at: PracticeStage;
let page: Page;
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
}, LIMIT_MS);
afterAll(() => at.stage.close());

const button = buttonOn(() => page);
const dialog = () => page.getByRole("dialog");
const paper = (of = page) => of.getByRole("textbox", { name: /^Text of / });
/** Waits until what is on the screen has reached the server. */
const saved = (of = page) => of.getByText(/^Saved \d/).waitFor();
const settled = async (of = page) => {
  await of.getByText("Saving", { exact: true }).waitFor();
  await saved(of);
};

async function aCaseOfTwo() {
  const { api } = at.owner;
  const first = await api.clients.create.mutate(aClient({ firstName: "Helena", lastName: "Vaskovic" }));
  const second = await api.clients.create.mutate(
    aClient({ firstName: "Petr", lastName: "Vaskovic", email: "petr@example.org", phones: [] }),
  );
  const theCase = await api.casework.create.mutate(aCaseInput([first.id, second.id]));
  return { theCase, first };
}

const templateNamed = async (name: string) => {
  const { items } = await at.owner.api.documentTemplates.list.query({ search: name });
  const opened = await at.owner.api.documentTemplates.get.query({ id: items[0]?.id ?? "" });
  return opened;
};

describe("a document", () => {
  test(
    "a template is written by keyboard: heading, field, table and a part that may go",
    { timeout: LIMIT_MS },
    async () => {
      await page.goto("/settings/documents");
      await page.getByRole("link", { name: "New template" }).click();
      await dialog().getByLabel("Name").fill("Letter about papers");
      await button("Make the template", dialog()).click();
      await page.getByRole("heading", { name: "Letter about papers", level: 1 }).waitFor();
      await paper().focus();
      await page.keyboard.type("# Your papers\nDear ");
      await button("Merge field").click();
      await page.getByRole("menuitem", { name: "First name", exact: true }).click();
      await page.keyboard.type(", please bring these:\n");
      await button("Table").click();
      await page.keyboard.type("What");
      for (const words of ["From whom", "By when", "Payslips", "Your employer", "Monday"]) {
        await page.keyboard.press("Tab");
        await page.keyboard.type(words);
      }
      await saved();
      const { content } = await templateNamed("letter about papers");
      expect(linesOf(content).filter(Boolean)).toEqual([
        "Your papers",
        "Dear [client.firstName], please bring these:",
        "What",
        "From whom",
        "By when",
        "Payslips",
        "Your employer",
        "Monday",
      ]);
      expect(content.content.map(({ type }) => type)).toContain("table");
      await expectNoAxeViolations(page);
      expect(at.watched.complaints).toEqual([]);
    },
  );

  test(
    "a document of a case: what is missing is named and keeps it from being finished; finished it is a file",
    { timeout: LIMIT_MS },
    async () => {
      const { theCase, first } = await aCaseOfTwo();
      const { id } = await at.owner.api.documentTemplates.create.mutate({ id: newId(), name: "Fees", kind: "letter" });
      const amount = { type: "mergeField" as const, attrs: { path: "fill.amount", fallback: "", said: null } };
      const name = { type: "mergeField" as const, attrs: { path: "client.fullName", fallback: "", said: null } };
      const content = doc(heading(1, "What it costs"), para(name, ", an hour is "), para(amount));
      await at.owner.api.documentTemplates.save.mutate({ id, version: 0, name: "Fees", content });
      await page.goto(`/clients/view/${first.id}?tab=documents`);
      await button("New document").click();
      await dialog().getByRole("combobox", { name: "Template" }).fill("Fees");
      await page.getByRole("option", { name: "Fees" }).click();
      await button("Begin the document", dialog()).click();
      await dialog().getByText("Choose for whom it is").waitFor();
      await dialog().getByLabel("For whom it is").selectOption({ label: "Helena Vaskovic (P1)" });
      await button("Begin the document", dialog()).click();
      await page.getByText("Helena can read this, never shown to Petr").waitFor();
      expect(await paper().innerText()).toContain("Helena Vaskovic");
      await page.getByRole("region", { name: "Still to be written" }).getByText("To fill in: amount").waitFor();
      expect(await button("Finish").isDisabled()).toBe(true);
      await expectNoAxeViolations(page);
      await paper().getByText("To fill in: amount").click();
      await page.keyboard.type("£120.00");
      await saved();
      await button("Finish").click();
      await dialog()
        .getByRole("img", { name: /^Page 1/ })
        .or(dialog().locator(".pdf-viewer"))
        .first()
        .waitFor();
      await expectNoAxeViolations(page);
      await button("Finish it", dialog()).click();
      await page.getByRole("region", { name: "About" }).waitFor();
      expect(await paper().count()).toBe(0);
      const { items } = await at.owner.api.documents.list.query({ caseId: theCase.id });
      expect(items).toMatchObject([{ status: "finished", name: "Fees" }]);
      await button("Mail it").click();
      await page.getByRole("menuitem", { name: "To Helena Vaskovic (P1)" }).click();
      await dialog().getByText("Fees.pdf").waitFor();
      expect(await dialog().getByLabel("Subject").inputValue()).toBe("Fees");
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
      await page.goto(`/clients/view/${first.id}?tab=files`);
      await page.getByText("Fees.pdf").waitFor();
      expect(at.watched.complaints).toEqual([]);
    },
  );

  test(
    "versions: an earlier text is compared with the present one, and comes back",
    { timeout: LIMIT_MS },
    async () => {
      const { api } = at.owner;
      const { id, name } = await api.documentTemplates.create.mutate({ id: newId(), name: "Terms", kind: "letter" });
      const save = (version: number, text: string, isRestored = false) =>
        api.documentTemplates.save.mutate({ id, version, name, content: doc(para(text)), isRestored });
      await save(0, "A lump sum of 60,000 is paid.");
      await save(1, "A lump sum of 62,305 is paid.", true);
      await page.goto(`/settings/documents/edit/${id}`);
      await button("Versions").click();
      const versions = page.getByRole("complementary", { name: "Versions" });
      await versions.getByRole("button", { name: /^Version 2/ }).click();
      expect(await versions.locator("del").innerText()).toContain("60,000");
      expect(await versions.locator("ins").innerText()).toContain("62,305");
      await button("Restore this version").click();
      await settled();
      expect(linesOf((await templateNamed("terms")).content)).toEqual(["A lump sum of 60,000 is paid."]);
      expect((await api.documentTemplates.versions.query({ id })).total).toBe(2);
    },
  );
});

describe("two people in one text", () => {
  let demo: Awaited<ReturnType<typeof aSignedInStage>>;
  let stage: Stage;
  beforeAll(async () => {
    demo = await aSignedInStage();
    ({ stage } = demo);
  }, LIMIT_MS);
  afterAll(() => stage.close());

  const aWriter = async (email?: string) => {
    const watched = await openPage(stage);
    const cookies = email ? await signIn(demo.url, email) : demo.cookies;
    await watched.page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: demo.url })));
    await watched.page.goto(`/settings/documents/edit/${demo.sample.textId}`);
    await paper(watched.page).waitFor();
    return watched.page;
  };

  test(
    "the second sees who is writing, and whoever saves second chooses between both texts",
    { timeout: LIMIT_MS },
    async () => {
      const ines = await aWriter();
      const hugh = await aWriter("hugh@quillfeather.example.org");
      await hugh.getByText("Ines Marchbank has this open too.").waitFor();
      const saving = "**/trpc/documentTemplates.save*";
      await hugh.route(saving, (route) => route.abort());
      await paper(hugh).getByRole("heading", { name: "Background" }).click();
      await hugh.keyboard.press("End");
      await hugh.keyboard.type(" as Hugh writes");
      await paper(ines).getByRole("heading", { name: "Pensions" }).click();
      await ines.keyboard.press("End");
      await ines.keyboard.type(" as Ines writes");
      await saved(ines);
      await hugh.getByText(/^Not saved/).waitFor();
      await hugh.unroute(saving);
      await hugh.getByRole("button", { name: /^(Try again|Choose)$/ }).click();
      const asked = hugh.getByRole("dialog", { name: "Someone else changed this template" });
      await asked.waitFor();
      await asked.getByRole("radio", { name: /as Ines writes/ }).waitFor();
      await asked.getByRole("radio", { name: /^Text: yours.*as Hugh writes/ }).check();
      await asked.getByRole("button", { name: "Save this choice" }).click();
      await saved(hugh);
      expect(await paper(hugh).innerText()).toContain("as Hugh writes");
      await hugh.getByRole("button", { name: "Versions" }).click();
      const version = hugh
        .getByRole("complementary", { name: "Versions" })
        .getByRole("button", { name: /Ines Marchbank/ });
      await version.first().click();
      await hugh.locator("del", { hasText: "as Ines writes" }).waitFor();
    },
  );
});
