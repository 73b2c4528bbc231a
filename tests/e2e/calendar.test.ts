import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signIn } from "../../scripts/demo-sign-in.ts";
import { aDemoStage, expectNoAxeViolations, openPage, type Stage } from "../support/browser/e2e.ts";

const MEETINGS = "**/trpc/*meetings.calendar*";

let stage: Stage;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  stage = await aDemoStage();
  const { url } = stage.product;
  ({ page, complaints } = await openPage(stage));
  await page.context().addCookies((await signIn(url)).map((cookie) => ({ ...cookie, url })));
});
afterEach(() => page.unrouteAll());
afterAll(() => stage.close());

const title = () => page.locator("h1").textContent();
const days = () => page.locator(".calendar-grid [aria-label^='Time slot'][tabindex='0']").getAttribute("aria-label");
const meetings = () => page.locator(".calendar-grid [data-status]").count();
const drawn = () => page.locator(".calendar-drawn");

async function openWeek(): Promise<void> {
  await page.goto("/calendar");
  await page.locator(".calendar-grid [data-status]").first().waitFor();
}

/** Holds back what the calendar asks for until it is let go. */
async function holdMeetings() {
  const held: Route[] = [];
  await page.route(MEETINGS, (route) => void held.push(route));
  return { held, letGo: () => page.unroute(MEETINGS) };
}

test("the calendar: when the next week has not come yet, then the week before stands whole until it has", async () => {
  await openWeek();
  const before = { title: await title(), days: await days(), meetings: await meetings() };
  const { letGo } = await holdMeetings();
  await page.getByRole("button", { name: "Earlier", exact: true }).click();
  await expect.poll(title).not.toBe(before.title);
  await expect.poll(() => drawn().getAttribute("aria-busy")).toBe("true");
  expect({ days: await days(), meetings: await meetings() }).toEqual({ days: before.days, meetings: before.meetings });
  await letGo();
  await expect.poll(() => drawn().getAttribute("aria-busy")).toBe("false");
  expect(await days()).not.toBe(before.days);
  expect(await meetings()).toBeGreaterThan(0);
  await expectNoAxeViolations(page);
});

test("the calendar: when a day of the week is opened, then it is shown at once from what the week has", async () => {
  await openWeek();
  const { letGo } = await holdMeetings();
  await page.locator(".mantine-WeekView-weekViewDayLabel").first().click();
  await page.locator(".calendar-grid[data-view='day']").waitFor();
  expect(await drawn().getAttribute("aria-busy")).toBe("false");
  await letGo();
});

test("the calendar: when the pointer rests on a step, then its week is asked for before it is taken", async () => {
  await openWeek();
  const { held, letGo } = await holdMeetings();
  await page.getByRole("button", { name: "Later", exact: true }).hover();
  await expect.poll(() => held.length).toBe(1);
  await letGo();
  expect(complaints).toEqual([]);
});
