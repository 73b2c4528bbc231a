import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@app/server/core/ids";
import { type Cookie, signIn } from "../../scripts/demo-sign-in.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, withDatabase } from "../support/browser/e2e.ts";
import { PASSWORD } from "../support/server/people.ts";

const INES = "ines@quillfeather.example.org";
const TOM = "tom@elsewhere.example.org";
const WAITS = "Not saved yet: no connection. It is kept on this device.";
const SAVED_MS = 25_000;

let stage: Stage;
let cookies: Cookie[];
let client: string;
beforeAll(async () => {
  stage = await aStage();
  await open("auth.setUp", { firstName: "Ines", lastName: "Marchbank", email: INES });
  await open("auth.register", { firstName: "Tom", lastName: "Reed", email: TOM });
  cookies = await signIn(stage.product.url, INES, PASSWORD);
  const page = await aPage();
  await page.goto("/clients/create");
  await page.getByLabel("First name").fill("Priya");
  await page.getByLabel("Last name").fill("Nandakumar");
  await page.getByLabel("Email (optional)").fill("priya@example.org");
  await button(page, "Add client").click();
  await page.getByRole("heading", { level: 1, name: "Priya Nandakumar" }).waitFor();
  client = new URL(page.url()).pathname;
  await page.context().close();
});
afterAll(() => stage.close());

async function open(call: string, person: object) {
  const { url } = stage.product;
  const practice = {
    practiceName: "Quillfeather",
    region: "england_wales",
    mediatorType: "family",
    password: PASSWORD,
  };
  const response = await fetch(`${url}/trpc/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ ...person, ...practice }),
  });
  if (!response.ok) throw new Error(`${call} failed: ${await response.text()}`);
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const here = (list: Cookie[]) => list.map((cookie) => ({ ...cookie, url: stage.product.url }));
const cut = (route: Route) => route.abort("connectionfailed");
const unsaved = (page: Page) => page.getByRole("article", { name: "Note that is not saved yet" });

async function aPage(): Promise<Page> {
  const { page } = await openPage(stage);
  await page.context().addCookies(here(cookies));
  return page;
}

/** A page of its own with the client's notes. */
async function theNotes(): Promise<Page> {
  const page = await aPage();
  await page.goto(`${client}?tab=notes`);
  await page.getByRole("searchbox", { name: "Search the notes" }).waitFor();
  return page;
}

async function begin(page: Page, text: string) {
  await button(page, "New note").click();
  await page.getByRole("textbox", { name: "New note" }).fill(text);
}

/** The notes that hold these words, as they are stored. */
async function stored(text: string): Promise<{ version: number }[]> {
  let found: { version: number }[] = [];
  await withDatabase(stage, async (database) => {
    const notes = await database.collection("notes").find().toArray();
    found = notes
      .filter((note) => JSON.stringify(note["body"]).includes(text))
      .map((note) => ({ version: Number(note["version"]) }));
  });
  return found;
}

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name }) => name ?? []));

/** What this browser's disk holds of texts that were begun. */
const keptDrafts = (page: Page) =>
  page.evaluate(async () => {
    const [kept] = await indexedDB.databases();
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(kept?.name ?? "");
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
    const drafts = await new Promise((resolve) => {
      const request = database.transaction("drafts").objectStore("drafts").getAll();
      request.addEventListener("success", () => resolve(request.result));
    });
    database.close();
    return JSON.stringify(drafts);
  });

test("a new note: when it is saved without a connection and the page is opened anew, then it is there and is saved once", async () => {
  const text = `She rang while the line was down (${newId()})`;
  const written = await theNotes();
  const context = written.context();
  // From before it is written: a browser that is told to be offline lets a page that goes away send something all the same.
  await context.route("**/trpc/notes.create", cut);
  await begin(written, text);
  await context.setOffline(true);
  await button(written, "Save note").click();
  await written.getByText(WAITS).waitFor();
  await expectNoAxeViolations(written);
  await written.close();

  await context.setOffline(false);
  const page = await context.newPage();
  await page.goto(`${client}?tab=notes`);
  await unsaved(page).getByText(text).waitFor();
  await page.getByText(WAITS).waitFor();
  expect(await stored(text)).toEqual([]);

  // The first answer gets lost on its way: the second call must not make a second note.
  await context.route(
    "**/trpc/notes.create",
    async (route) => {
      await route.fetch();
      await cut(route);
    },
    { times: 1 },
  );
  await context.unroute("**/trpc/notes.create", cut);
  await page.getByText("Note saved").waitFor({ timeout: SAVED_MS });
  await unsaved(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByText(text).waitFor();
  expect(await page.getByText(text).count()).toBe(1);
  expect(await stored(text)).toHaveLength(1);
});

test("a draft: when the page is loaded anew, then text, kind and readers are those that were chosen", async () => {
  const page = await theNotes();
  await begin(page, "Begun and not");
  await page.getByText("Draft kept on this device").waitFor();
  await page.getByRole("radiogroup", { name: "Kind of note" }).getByText("Private").click();
  await page.getByRole("textbox", { name: "New note" }).press("End");
  await page.keyboard.type(" finished");
  await expect.poll(() => keptDrafts(page)).toContain("Begun and not finished");
  await page.reload();
  await page.getByRole("textbox", { name: "New note" }).getByText("Begun and not finished").waitFor();
  expect(await page.getByRole("radio", { name: "Private" }).isChecked()).toBe(true);
  await button(page, "Save note").click();
  await page.getByText("Note saved").waitFor();
  await page.reload();
  await page.getByText("Begun and not finished").waitFor();
  expect(await page.getByRole("textbox", { name: "New note" }).count()).toBe(0);
  expect(await stored("Begun and not finished")).toHaveLength(1);
});

test("a change of a note: when its answer gets lost and the page is loaded anew, then it is saved without an edit conflict with itself", async () => {
  const page = await theNotes();
  await begin(page, "The first words");
  await button(page, "Save note").click();
  await page.getByText("Note saved").waitFor();
  await page.route("**/trpc/notes.update", async (route) => {
    await route.fetch();
    await cut(route);
  });
  const note = page.getByRole("article").filter({ hasText: "The first words" });
  await note.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("The second words");
  await page.getByText(WAITS).first().waitFor();
  await page.unroute("**/trpc/notes.update");
  await page.reload();
  await page.getByText("The second words").first().waitFor();
  await page.getByText("All saved").first().waitFor({ timeout: SAVED_MS });
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await stored("The second words")).toEqual([{ version: 1 }]);
});

test("a change of a note: when somebody else saved it before the page was loaded anew, then both texts are shown", async () => {
  const page = await theNotes();
  await begin(page, "What both change");
  await button(page, "Save note").click();
  await page.getByText("Note saved").waitFor();
  await page.route("**/trpc/notes.update", cut);
  const note = page.getByRole("article").filter({ hasText: "What both change" });
  await note.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Note", exact: true }).fill("What I made of it");
  await page.getByText(WAITS).first().waitFor();

  const other = await theNotes();
  const theirs = other.getByRole("article").filter({ hasText: "What both change" });
  await theirs.getByRole("button", { name: "Edit", exact: true }).click();
  await other.getByRole("textbox", { name: "Note", exact: true }).fill("What they made of it");
  await other.getByText("All saved").nth(1).waitFor();

  await page.unroute("**/trpc/notes.update");
  await page.reload();
  const dialog = page.getByRole("dialog", { name: "Someone else changed this note" });
  await dialog.getByText("What they made of it").waitFor({ timeout: SAVED_MS });
  await dialog.getByText("What I made of it").waitFor();
  await button(page, "Keep both, one after the other").click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await stored("What they made of it")).length).toBe(1);
  await expect.poll(async () => (await stored("What I made of it")).length).toBe(1);
});

test("S33 what is kept: when its writer signs out, then nothing of it stays in the browser, whatever the header does", async () => {
  const own = await signIn(stage.product.url, INES, PASSWORD);
  const page = await aPage();
  await page.context().addCookies(here(own));
  await page.goto(`${client}?tab=notes`);
  await begin(page, "Kept until the sign-out");
  await page.getByText("Draft kept on this device").waitFor();
  expect(await databases(page)).toHaveLength(1);
  await page.route("**/trpc/auth.signOut", async (route) => {
    const response = await route.fetch();
    const { "clear-site-data": _cleared, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await page.getByRole("button", { name: "Account menu of Ines Marchbank" }).first().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Password", { exact: true }).waitFor();
  expect(await databases(page)).toEqual([]);
});

test("what is kept: when another person signs in on that browser, then they meet nothing of it and it is emptied", async () => {
  const page = await theNotes();
  await begin(page, "Not for Tom");
  await page.getByText("Draft kept on this device").waitFor();
  const [before] = await databases(page);
  await page.context().clearCookies();
  await page.context().addCookies(here(await signIn(stage.product.url, TOM, PASSWORD)));
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Account menu of Tom Reed" }).first().waitFor();
  await expect.poll(() => databases(page)).not.toContain(before);
  expect(await databases(page)).toEqual([]);
});

test("what is kept: when an impersonation ends, then it is emptied with it", async () => {
  const page = await aPage();
  await page.goto("/dashboard");
  await page.evaluate(() => localStorage.setItem("impersonation", "true"));
  await page.goto(`${client}?tab=notes`);
  await begin(page, "Written while impersonating");
  await page.getByText("Draft kept on this device").waitFor();
  expect(await databases(page)).toEqual([expect.stringMatching(/impersonating$/)]);
  await page.evaluate(() => localStorage.removeItem("impersonation"));
  await page.goto(`${client}?tab=notes`);
  await button(page, "New note").waitFor();
  await expect.poll(() => databases(page)).not.toContainEqual(expect.stringMatching(/impersonating$/));
});
