import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { aStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";
import { aCaseInput, aClient, PASSWORD } from "../support/server/people.ts";

const EMAIL = "ines@quillfeather.example.org";

let stage: Stage;
let watched: Watched;
let page: Page;
let cookie = "";
let clientId = "";
beforeAll(async () => {
  stage = await aStage();
  const { url } = stage.product;
  const owner = { firstName: "Ines", lastName: "Marchbank", email: EMAIL, password: PASSWORD };
  const practice = { practiceName: "Quillfeather Mediation", region: "england_wales", mediatorType: "family" };
  await post("auth.setUp", { ...owner, ...practice });
  watched = await openPage(stage);
  page = watched.page;
  const cookies = await signIn(url, EMAIL, PASSWORD);
  cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  await page.context().addCookies(cookies.map((one) => ({ ...one, url })));
  const priya = { firstName: "Priya", lastName: "Nandakumar", email: "priya@example.org" };
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" };
  clientId = await post("clients.create", aClient({ ...priya, safeContact }));
  const owenId = await post(
    "clients.create",
    aClient({ firstName: "Owen", lastName: "Castell", email: "owen@example.org" }),
  );
  await post("casework.create", aCaseInput([clientId, owenId]));
});
afterAll(() => stage.close());

/** Calls the server as the page would; gives the id of what was made. */
async function post(path: string, body: object): Promise<string> {
  const { url } = stage.product;
  const response = await fetch(`${url}/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} failed: ${text}`);
  return /"id":"([^"]+)"/.exec(text)?.[1] ?? "";
}

const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog", { name: /^New message/ });

async function write() {
  await page.goto(`/clients/view/${clientId}`);
  await button("Write").click();
  await dialog().getByRole("textbox", { name: "Message" }).waitFor();
}

test("writing: while the other party is under Cc nothing can be sent, and one click mends it", async () => {
  await write();
  await dialog().getByLabel("Subject").fill("Your papers");
  await dialog().getByRole("textbox", { name: "Message" }).fill("Here are your papers.");
  await button("Send", dialog()).and(page.locator(":enabled")).waitFor();
  await dialog().getByRole("combobox", { name: "Add somebody under Cc" }).fill("owen@example.org,");
  await dialog().getByText("Owen Castell cannot receive this message.").waitFor();
  expect(await button("Send", dialog()).isDisabled()).toBe(true);
  await dialog().getByText("1 person may not receive it").waitFor();
  await dialog().getByText("Kept neutral").waitFor();
  await expectNoAxeViolations(page);
  await button("Remove Owen", dialog()).click();
  await button("Send", dialog()).and(page.locator(":enabled")).waitFor();
});

test("writing: what was begun is there again, after the window was closed with the keyboard", async () => {
  await dialog()
    .getByText(/^Draft saved/)
    .waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  await write();
  expect(await dialog().getByLabel("Subject").inputValue()).toBe("Your papers");
  expect(await dialog().getByRole("textbox", { name: "Message" }).innerText()).toBe("Here are your papers.");
});

test("writing: a field is put in as one thing, and a template that needs a meeting says what is missing", async () => {
  await button("Put in a field", dialog()).click();
  await page.getByRole("menuitem", { name: /^Case reference/ }).click();
  await dialog().locator(".merge-field").getByText(/\d/).waitFor();
  await button("Template", dialog()).click();
  await page.getByRole("menuitem", { name: "Papers before a session" }).click();
  await dialog().getByText("A field has no value.").waitFor();
  expect(await button("Send", dialog()).isDisabled()).toBe(true);
  await button(/^Template: /, dialog()).click();
  await page.getByRole("menuitem", { name: "Follow-up after a meeting" }).click();
  await button("Send", dialog()).and(page.locator(":enabled")).waitFor();
});

test("writing: a message that was sent can be taken back, and is a draft again", async () => {
  await button("Send", dialog()).click();
  await dialog().waitFor({ state: "detached" });
  await button("Undo", page.getByRole("status").filter({ hasText: "The message is on its way" })).click();
  await page.getByText("The message was not sent.").waitFor();
  await write();
  await dialog()
    .getByText(/Thank you for coming/)
    .waitFor();
  await button("Discard", dialog()).click();
  await dialog().waitFor({ state: "detached" });
  expect(watched.complaints).toEqual([]);
});

test("writing: two windows go on with the same draft, then the second is told, and both texts are kept", async () => {
  await write();
  await dialog().getByLabel("Subject").fill("Begun");
  await dialog()
    .getByText(/^Draft saved/)
    .waitFor();
  const second = await page.context().newPage();
  await second.setViewportSize({ width: 360, height: 740 });
  await second.goto(`/clients/view/${clientId}`);
  await button("More about this client", second).click();
  await second.getByRole("menuitem", { name: "Write" }).click();
  const other = second.getByRole("dialog", { name: /^New message/ });
  const saved = page.waitForResponse(/saveDraft/);
  await dialog().getByLabel("Subject").fill("First");
  await saved;
  await other.getByLabel("Subject").fill("Second");
  await other.getByRole("alert").filter({ hasText: "This draft was changed in another window." }).waitFor();
  await expectNoAxeViolations(second);
  if (process.env["LOOK"]) await second.screenshot({ path: process.env["LOOK"] });
  await second.close();
  await button("Discard", dialog()).click();
  await dialog().waitFor({ state: "detached" });
  await write();
  expect(await dialog().getByLabel("Subject").inputValue()).toBe("Second");
  await button("Discard", dialog()).click();
  await dialog().waitFor({ state: "detached" });
});

test("templates: on a phone one can be changed, deleted and had back", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/email-settings?tab=templates");
  await button("Edit Closing a case").click();
  await page.getByLabel("Subject").fill("Your file");
  await button("Save template").click();
  await page.getByText("Your file").waitFor();
  await button("Delete Closing a case").click();
  await button("Edit Closing a case").waitFor({ state: "detached" });
  await button("Undo").click();
  await button("Edit Closing a case").waitFor();
  await expectNoAxeViolations(page);
  expect(watched.complaints).toEqual([]);
});
