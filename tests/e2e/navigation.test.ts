import type { BrowserContext, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sample } from "../../scripts/demo-sign-in.ts";
import { addressOf, openContext, openRoute, VIEWS } from "../../scripts/routes.ts";
import { aSignedInStage, type Stage } from "../support/browser/e2e.ts";

/** What each route asks for while it opens. */
const DATA: Record<string, string> = {
  "/account": "practices.get",
  "/calendar": "meetings.calendar",
  "/clients": "clients.list",
  "/clients/view/$id": "clients.get",
  "/contacts": "contacts.list",
  "/email-settings": "mailboxes.get",
  "/leads": "leads.board",
  "/leads/forms/edit/$id": "forms.get",
  "/payment-settings": "invoices.list",
  "/profile": "users.profile",
  "/sessions/$id": "sessions.get",
  "/settings/documents": "documentTemplates.list",
  "/settings/documents/edit/$id": "documents.open",
  "/settings/forms": "forms.list",
  "/settings/forms/create/$id": "forms.get",
  "/settings/user-permissions": "staff.list",
  "/tasks": "tasks.list",
};
/** The root itself leads nowhere else. */
const DASHBOARD = "dashboard.get";

let stage: Stage;
let context: BrowserContext;
let sample: Sample;
let page: Page;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage, sample } = demo);
  context = await openContext(stage.browser, VIEWS[2], demo.cookies, demo.url);
});
afterAll(() => stage.close());
beforeEach(async () => {
  page = (await openRoute(context, `${stage.product.url}/support`)).page;
});
afterEach(() => page.close());

const asks = (path: string) => (url: URL) =>
  url.pathname.startsWith("/trpc/") && url.pathname.slice("/trpc/".length).split(",").includes(path);

/** Each call of the request is refused as an error of the server is. */
async function refuse(route: Route) {
  const { pathname } = new URL(route.request().url());
  const error = {
    message: "Something went wrong.",
    code: -32603,
    data: { code: "INTERNAL_SERVER_ERROR", httpStatus: 500 },
  };
  await route.fulfill({ status: 500, json: pathname.split(",").map(() => ({ error })) });
}

/** As a link does it, without loading the page anew. */
async function goTo(route: string) {
  const address = addressOf(route, sample);
  await page.evaluate((to) => {
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
  await page.waitForURL((url) => url.pathname !== "/support");
}

describe.each(Object.entries(DATA))("%s", (route, path) => {
  test("the server fails to answer what it asks for, when it is gone to, that leads to the start and is told", async () => {
    await page.route(asks(path), refuse);
    await goTo(route);
    await page
      .getByText(/you are back at the start. Something went wrong/)
      .first()
      .waitFor();
    await page.waitForURL(/\/dashboard$/);
  });

  test("nobody answers what it asks for, when it is gone to, the page stays and says so", async () => {
    await page.route(asks(path), (request) => request.abort());
    await goTo(route);
    await page
      .getByText(/The server did not answer/)
      .first()
      .waitFor();
    await page
      .getByRole("button", { name: /try again/i })
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(addressOf(route, sample));
  });
});

test("the dashboard: the server fails to answer, when it is gone to, it says so and stays", async () => {
  await page.route(asks(DASHBOARD), refuse);
  await goTo("/dashboard");
  await page
    .getByText(/could not be read/)
    .first()
    .waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
});

/** Answers the next question, and says what it was. */
const asked = () =>
  new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.message());
      void dialog.dismiss();
    });
  });

test("permissions that were changed and not saved: a link, Back and a reload each ask first, and they stay as they were set", async () => {
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await page.waitForURL(/\/calendar/);
  await goTo("/settings/user-permissions");
  await page
    .getByRole("button", { name: /Hugh Brandt/ })
    .or(page.getByRole("link", { name: /Hugh Brandt/ }))
    .click();
  const box = page.getByRole("switch", { name: /Build forms/ });
  const before = await box.isChecked();
  await box.click({ force: true });
  const link = asked();
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  expect(await link).toMatch(/Leave without saving/);
  const back = asked();
  await page.evaluate(() => history.back());
  expect(await back).toMatch(/Leave without saving/);
  const reload = asked();
  await page.reload({ timeout: 3000 }).catch(() => undefined);
  await reload;
  expect(await box.isChecked()).toBe(!before);
});

test.each([
  ["Book a meeting", "button"],
  ["Calendar settings", "button"],
] as const)("%s over the calendar: when Back is pressed, it closes and the calendar stays", async (name, role) => {
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await page.getByRole(role, { name, exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/calendar");
});
