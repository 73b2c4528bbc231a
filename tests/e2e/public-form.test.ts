import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectNoAxeViolations,
  openPage,
  aPracticeStage,
  type PracticeStage,
  type Watched,
} from "../support/browser/e2e.ts";
import { aFormContent, aFormPage, aShortText, aYesNo, when } from "../support/server/forms.ts";
import { aClient } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, generalPlace } from "../support/server/submissions.ts";

const NEUTRAL = "https://www.metoffice.gov.uk/**";
const content = aFormContent([
  aFormPage("about", [
    aShortText("town", { label: "Where do you live?", isRequired: true }),
    aShortText("needs", { label: "What would help you on the day?", mapTo: "client.needs" }),
  ]),
  aFormPage("family", [
    aYesNo("children", { label: "Do you have children?", isRequired: true }),
    aShortText("names", { label: "What are their names?", visibleIf: when("children", "equals", "yes") }),
  ]),
]);

let stage: PracticeStage;
let formId: string;
beforeAll(async () => {
  stage = await aPracticeStage();
  ({ id: formId } = await aPublishedForm(stage.owner, content));
});
afterAll(() => stage.stage.close());

async function aPhone(): Promise<Watched> {
  const watched = await openPage(stage.stage, { viewport: { width: 360, height: 740 }, hasTouch: true });
  await watched.page.route(NEUTRAL, (route) => route.fulfill({ contentType: "text/html", body: "<h1>Weather</h1>" }));
  return watched;
}
const pathOf = ({ formId: form, userId }: { formId: string; userId: string }) => `/form/${form}/${userId}`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });

describe("a form on a phone", () => {
  test("filled in with its logic, gone on with in another browser, sent, reviewed and accepted", async () => {
    const client = await stage.owner.api.clients.create.mutate(aClient({ lastName: "Ellery" }));
    const link = await aFormLink(stage.owner, { formId, clientId: client.id });
    const phone = await aPhone();
    await phone.page.goto(pathOf(link.place));
    await heading(phone.page, "Page about").waitFor();
    expect(await phone.page.title()).toBe("Questions");
    await expectNoAxeViolations(phone.page);

    await button(phone.page, "Continue").click();
    await phone.page.getByRole("link", { name: "Answer this question" }).waitFor();
    expect(
      await phone.page.getByLabel("Where do you live?").evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await expectNoAxeViolations(phone.page);
    await phone.page.getByLabel("Where do you live?").fill("Hull");
    await phone.page.getByLabel("What would help you on the day?").fill("A ramp");
    await button(phone.page, "Continue").click();
    await heading(phone.page, "Page family").waitFor();
    expect(await phone.page.getByLabel("What are their names?").count()).toBe(0);
    await phone.page.getByText("Yes", { exact: true }).click();
    await phone.page.getByLabel("What are their names?").fill("Ada");
    await button(phone.page, "Save and continue later").click();
    await phone.page.getByText("All answers are saved. This link").waitFor();
    await expectNoAxeViolations(phone.page);
    const address = await phone.page.getByLabel("Your link").inputValue();
    await button(phone.page, "Email me the link").click();
    await phone.page.getByText("It goes to the email address that we have for you.").waitFor();
    await expectNoAxeViolations(phone.page);

    const laptop = await openPage(stage.stage);
    await laptop.page.goto(address);
    await heading(laptop.page, "Page family").waitFor();
    expect(await laptop.page.getByLabel("What are their names?").inputValue()).toBe("Ada");
    await button(laptop.page, "Continue").click();
    await heading(laptop.page, "Check your answers").waitFor();
    await expectNoAxeViolations(laptop.page);
    await laptop.page.getByRole("button", { name: "Change Page family" }).click();
    await laptop.page.getByLabel("What are their names?").fill("Ada and Ben");
    await button(laptop.page, "Continue").click();
    await laptop.page.getByText("Ada and Ben").waitFor();
    await button(laptop.page, "Send").click();
    await heading(laptop.page, "Thank you").waitFor();
    await expectNoAxeViolations(laptop.page);
    const [file] = await Promise.all([
      laptop.page.waitForEvent("download"),
      laptop.page.getByRole("link", { name: "Save your answers (PDF)" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("answers.pdf");

    const { page } = stage;
    await page.goto(`/clients/view/${client.id}?tab=forms`);
    await page.getByText("Done", { exact: true }).waitFor();
    await expectNoAxeViolations(page);
    await button(page, "Read answers").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ada and Ben").waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole("button", { name: "Accept: needs" }).click();
    await dialog.getByText(/Accepted by/).waitFor();
    // Nothing is left to decide, so the keyboard stands at what was decided.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Proposed changes to the client");
    expect((await stage.owner.api.clients.get.query({ id: client.id })).needs).toBe("A ramp");
    for (const { complaints } of [phone, laptop, stage.watched]) expect(complaints).toEqual([]);
  });

  test("by the general address and the keyboard alone, also through a reload and a line that breaks", async () => {
    const place = await generalPlace(stage.owner, formId);
    const { page } = await aPhone();
    await page.goto(pathOf(place));
    await page.getByLabel("Where do you live?").focus();
    await page.keyboard.type("York");
    await page.getByText("All answers are saved.").waitFor();
    await page.reload();
    await page.getByLabel("Where do you live?").waitFor();
    expect(await page.getByLabel("Where do you live?").inputValue()).toBe("York");
    await page.route("**/trpc/submissions.filling.save", (route) => route.abort());
    await page.getByLabel("What would help you on the day?").focus();
    await page.keyboard.type("A loop");
    await page.getByText("Not saved yet.").waitFor();
    await page.unroute("**/trpc/submissions.filling.save");
    await page.getByText("All answers are saved.").waitFor();
    await page.keyboard.press("Enter");
    await heading(page, "Page family").waitFor();
    await page.getByRole("radio", { name: "No" }).focus();
    await page.keyboard.press("Space");
    await button(page, "Continue").focus();
    await page.keyboard.press("Enter");
    await heading(page, "Check your answers").waitFor();
    await button(page, "Send").focus();
    await page.keyboard.press("Enter");
    await heading(page, "Thank you").waitFor();
    await button(page, "Email me that they arrived").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel("Your email address").focus();
    await page.keyboard.type("visitor@example.org");
    await page.keyboard.press("Enter");
    await page.getByText("It goes to visitor@example.org, if we can send there.").waitFor();
    const { items } = await stage.owner.api.submissions.list.query({ formId, page: 1 });
    expect(items.filter(({ clientId }) => clientId === null).length).toBe(1);
  });

  test("a file that was not taken: whoever goes on is told at the question, and stays until it is left out", async () => {
    const { maxLength: _maxLength, ...asked } = aShortText("papers", { label: "What may we look at?" });
    const files = aFormContent([
      aFormPage("first", [{ ...asked, type: "file", atMost: 1 }]),
      aFormPage("second", [aShortText("rest", { label: "Anything else?" })]),
    ]);
    const { id } = await aPublishedForm(stage.owner, files);
    const { page } = await aPhone();
    await page.goto(pathOf(await generalPlace(stage.owner, id)));
    const field = page.getByLabel("Add a file: What may we look at?");
    await field.setInputFiles({ name: "tool.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") });
    await page.getByText("Add a PDF, a photograph").waitFor();
    await button(page, "Continue").click();
    await page.getByRole("link", { name: /tool\.exe was not added/ }).waitFor();
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectNoAxeViolations(page);
    await button(page, "Leave out tool.exe").click();
    await button(page, "Continue").click();
    await heading(page, "Page second").waitFor();
  });

  test("Leave this page: by the button or by Escape three times, another site is there, and Back leads nowhere near", async () => {
    const link = await aFormLink(stage.owner, { formId });
    for (const leave of ["button", "keys"]) {
      const { page } = await aPhone();
      await page.goto("about:blank");
      await page.goto(pathOf(link.place));
      await page.getByLabel("Where do you live?").fill("Leeds");
      if (leave === "button") await button(page, "Leave this page").click();
      else for (let press = 0; press < 3; press += 1) await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Weather" }).waitFor();
      await page.goBack();
      expect(page.url()).toBe("about:blank");
    }
    // What was typed went on its way all the same.
    await expect
      .poll(async () => (await stage.owner.api.submissions.openLink.query({ id: link.id })).state)
      .toBe("half_done");
  });

  test("a link that does not work: whatever is wrong with it, says so and asks for a new one", async () => {
    const { page } = await aPhone();
    await page.goto(`/form/${"a".repeat(22)}/${"b".repeat(43)}`);
    await heading(page, "This link does not work any more").waitFor();
    await expectNoAxeViolations(page);
  });
});
