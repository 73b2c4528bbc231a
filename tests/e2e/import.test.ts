import { afterAll, beforeAll, expect, test } from "vitest";
import { imported, settled } from "../support/hostile/import-uploads.ts";
import { dirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { aPracticeStage, expectNoAxeViolations, type Stage, type Watched } from "../support/browser/e2e.ts";
import { aClient, type TestPractice } from "../support/server/people.ts";
import { anEntry } from "../support/server/safeguarded.ts";

const LIMIT_MS = 60_000;

let stage: Stage;
let watched: Watched;
let owner: TestPractice;
beforeAll(async () => void ({ stage, watched, owner } = await aPracticeStage()));
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

test(
  "a case of an import that is undone has a safeguarding entry, and that is found below the clients",
  { timeout: LIMIT_MS },
  async () => {
    const { page, complaints } = watched;
    // Its own each time: a second try finds the first one's there.
    const number = Date.now();
    const client = await owner.api.clients.create.mutate(
      aClient({ firstName: "Ada", email: `ada${number}@example.org` }),
    );
    const list = `Reference,Party 1,Status\nRM-${number},${client.email},Enquiry`;
    const { id } = await imported({ url: stage.product.url, close: () => stage.close() }, owner, list, {
      kind: "cases",
    });
    const { items } = await owner.api.cases.ofClient.query({ id: client.id });
    await owner.api.safeguarding.add.mutate(anEntry(items[0]?.id ?? ""));
    await owner.api.imports.undo.mutate({ id, keepsChanged: false });
    await settled(owner.api, id);

    await page.goto("/clients");
    // Nothing below the list moves any more once it is there.
    await page.getByText(/^1–\d+ of \d+ clients?$/).waitFor();
    await page.getByText("Safeguarding record of removed cases").click();
    await page
      .getByText(
        new RegExp(`^Case RM-${number}: Ada .* \\(P1\\)\\. The case was removed when an import was undone\\.$`),
      )
      .waitFor();
    await expectNoAxeViolations(page);
    expect(complaints).toEqual([]);
  },
);
