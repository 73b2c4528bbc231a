import { afterAll, beforeAll, expect, test } from "vitest";
import { dirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { aPracticeStage, expectNoAxeViolations, type Stage, type Watched } from "../support/browser/e2e.ts";

const LIMIT_MS = 60_000;

let stage: Stage;
let watched: Watched;
beforeAll(async () => void ({ stage, watched } = await aPracticeStage()));
afterAll(() => stage.close());

const list = dirtyList(4000);

/** Thousands of rows, on a machine that does other things too. */
const LONG_MS = 25_000;

test(
  "a list is chosen, checked, imported while somebody works elsewhere, and undone",
  { timeout: LIMIT_MS },
  async () => {
    const { page, complaints } = watched;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.goto("/account?tab=data");
    await page.getByRole("link", { name: "Import a list" }).click();
    await page.waitForURL("**import=new**");
    const file = { name: "old list.csv", mimeType: "text/csv", buffer: mixedBytes(list) };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("heading", { name: "old list.csv" }).waitFor();
    await expectNoAxeViolations(page);
    await button("Check all rows").click();
    await page.getByText("3,417 clients can be imported").waitFor({ timeout: LONG_MS });
    await page.getByText("There is no such day.").first().waitFor();

    await button("Import now").click();
    await page.getByText("You can leave this page. It goes on.").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Clients" }).click();
    await page.getByRole("link", { name: /^Importing clients, \d+ %$/ }).click();
    await page.getByText("3,417 clients imported").waitFor({ timeout: LONG_MS });
    await page.getByRole("link", { name: "Open clients" }).click();
    await page.getByText("1–20 of 3,417 clients").waitFor();

    await page.goBack();
    await button("Undo this import").click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo this import" }).click();
    await page.getByText("Undone: 3,417 clients were taken back").waitFor({ timeout: 30_000 });
    await expectNoAxeViolations(page);
    expect(complaints).toEqual([]);
  },
);
