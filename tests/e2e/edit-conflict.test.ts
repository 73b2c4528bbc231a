import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf, signIn } from "../../scripts/demo-sign-in.ts";
import { aDemoStage, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";

let stage: Stage;
let clientAddress: string;
beforeAll(async () => {
  stage = await aDemoStage();
  clientAddress = `/clients/view/${(await sampleOf(stage.product.url, await signIn(stage.product.url))).clientId}`;
});
afterAll(() => stage.close());

async function anEditor(): Promise<Watched> {
  const watched = await openPage(stage);
  const cookies = await signIn(stage.product.url);
  await watched.page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stage.product.url })));
  await watched.page.goto(`${clientAddress}?edit=true`);
  await watched.page.getByLabel("Known as (optional)").waitFor();
  return watched;
}

test("a client: of two who edit it, the second gets what only the first changed and chooses where both did, and no field is lost", async () => {
  const first = await anEditor();
  const second = await anEditor();
  await first.page.getByLabel("Known as (optional)").fill("Bee");
  await first.page.getByLabel("Title (optional)").fill("Dr");
  await first.page.getByRole("button", { name: "Save", exact: true }).click();
  await first.page.getByRole("tab", { name: "Overview" }).waitFor();

  await second.page.getByLabel("Known as (optional)").fill("Zed");
  await second.page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = second.page.getByRole("dialog", { name: "Someone else changed this client" });
  await dialog.waitFor();
  expect(await dialog.getByRole("button", { name: "Save this choice" }).isDisabled()).toBe(true);
  await dialog.getByRole("button", { name: "Back to editing" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await second.page.getByLabel("Known as (optional)").inputValue()).toBe("Zed");
  expect(await second.page.getByLabel("Title (optional)").inputValue()).toBe("Dr");
  await second.page.getByText("was changed elsewhere while you were editing: Title, Known as").waitFor();
  await second.page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor();
  await dialog.getByRole("radio", { name: /^Known as: yours, Zed/ }).check();
  await dialog.getByRole("button", { name: "Save this choice" }).click();
  await second.page.getByText("known as Zed").waitFor();
  await second.page.getByText("Dr", { exact: true }).waitFor();
  expect(first.complaints).toEqual([]);
  // The browser itself tells of the one save that was refused.
  expect(second.complaints).toEqual([expect.stringContaining("409 (Conflict)")]);
});

test("leaving a form that was not saved asks first", async () => {
  const { page } = await anEditor();
  await page.getByLabel("Known as (optional)").fill("Not saved");
  const asked = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.message());
      void dialog.dismiss();
    });
  });
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await asked).toMatch(/without saving/);
  expect(await page.getByLabel("Known as (optional)").inputValue()).toBe("Not saved");
});
