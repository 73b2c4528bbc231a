import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD } from "../support/server/people.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";

let stage: Stage;
let watched: Watched;
beforeAll(async () => {
  stage = await aStage();
  watched = await openPage(stage);
});
afterAll(() => stage.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a new installation leads from its first screen to a client that is found again", async () => {
  const { page } = watched;
  await page.goto("/");
  await page.waitForURL("**/setup");
  await page.getByLabel("First name").fill("Ines");
  await page.getByLabel("Last name").fill("Marchbank");
  await page.getByLabel("Email address").fill("ines@quillfeather.example.org");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Continue").click();
  await page.getByLabel("Practice name").fill("Quillfeather Mediation");
  await button(page, "Continue").click();
  await page.getByText("Choose where you mediate").waitFor();
  await page.getByText("Choose what you mediate").waitFor();
  await expectNoAxeViolations(page);
  await page.getByLabel("Where do you mediate?").selectOption("England and Wales");
  await page.getByLabel("What do you mediate?").selectOption("Family");
  await page.getByText("Pound sterling (GBP)").waitFor();
  await expectNoAxeViolations(page);
  await button(page, "Continue").click();
  await button(page, "Continue").click();
  await button(page, "Finish").click();
  await page.waitForURL("**/dashboard");

  const steps = page.getByRole("region", { name: "Getting started" }).getByRole("listitem");
  await steps.filter({ hasText: "Add your first client" }).waitFor();
  expect(await steps.filter({ hasText: "Done:" }).count()).toBe(0);
  await expectNoAxeViolations(page);

  await page.getByRole("navigation").getByRole("link", { name: "Clients" }).click();
  await page.waitForURL("**/clients");
  await page.getByRole("link", { name: "Add client" }).click();
  await page.getByLabel("First name").fill("Maya");
  await page.getByLabel("Last name").fill("Ellery");
  await page.getByLabel("Email (optional)").fill("maya@example.org");
  await button(page, "Add client").click();
  await page.waitForURL("**/clients/view/*");
  await page.getByRole("heading", { level: 1, name: "Maya Ellery" }).waitFor();
  await page.goto("/dashboard");
  await steps.filter({ hasText: "Done: Add your first client" }).waitFor();
  expect(await steps.filter({ hasText: "Done:" }).count()).toBe(1);

  await page.goto("/clients");
  await page.getByRole("searchbox").last().fill("ellery");
  await page.getByRole("link", { name: "Maya Ellery" }).waitFor();
  await page.waitForURL("**search=ellery**");
});

test("after kill -9 of server and database the client is still there, and so is the sign-in", async () => {
  const { page } = watched;
  await killServerAndDatabase();
  await stage.restart();
  await page.goto("/clients");
  await page.getByRole("link", { name: "Maya Ellery" }).click();
  await page.getByRole("heading", { level: 1, name: "Maya Ellery" }).waitFor();
});

test("after signing out a guarded route leads to the first page, and setting up is over", async () => {
  const { page, complaints } = watched;
  await page
    .getByRole("button", { name: /Ines Marchbank|Account menu/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto("/clients");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  expect(complaints.filter((text) => !/net::ERR_/.test(text))).toEqual([]);
});

async function killServerAndDatabase() {
  const { process: server } = stage.product;
  const enginePid = Number(await childOf(server.pid));
  const ended = new Promise((resolve) => server.once("exit", resolve));
  process.kill(enginePid, "SIGKILL");
  server.kill("SIGKILL");
  await ended;
}

/** The process that the server started: the embedded database. */
async function childOf(pid: number | undefined): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const [first] = children.trim().split(" ");
  if (!first) throw new Error("the server has no database process");
  return first;
}
