// What a calendar shows besides its meetings: how many a day has, when one works, and where a dragged one would land.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aSignedInStage, openPage, type Stage } from "../support/browser/e2e.ts";

const LIMIT_MS = 60_000;

let stage: Stage;
let page: Page;
beforeAll(async () => {
  const demo = await aSignedInStage();
  ({ stage } = demo);
  ({ page } = await openPage(stage));
  await page.context().addCookies(demo.cookies.map((cookie) => ({ ...cookie, url: demo.url })));
});
afterAll(() => stage.close());

const shown = async (view: string) => {
  await page.goto(`/calendar?view=${view}`);
  await page.locator(".calendar-grid [data-status]").first().waitFor();
};

test(
  "the week: when it is shown, then each day says how many meetings it has, and no day is red",
  { timeout: LIMIT_MS },
  async () => {
    await shown("week");
    const labels = page.locator(".mantine-WeekView-weekViewDayLabel");
    const counts = await labels.evaluateAll((all) => all.map((label) => Number(label.getAttribute("data-count"))));
    const uncounted = page.locator(".calendar-grid [data-status='cancelled']");
    const meetings = await page.locator(".calendar-grid [data-status]").count();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(meetings - (await uncounted.count()));
    const colours = await labels.evaluateAll((all) => all.map((label) => getComputedStyle(label).color));
    expect(new Set(colours).size).toBe(1);
  },
);

test("the week: when one has working hours, then what is outside them is shaded", { timeout: LIMIT_MS }, async () => {
  await shown("week");
  const slots = page.locator("[aria-label^='Time slot']");
  await page.locator("[data-outside-hours]").first().waitFor();
  const outside = await page.locator("[data-outside-hours]").count();
  expect(outside).toBeLessThan(await slots.count());
});

test(
  "the month: when a day has more than is shown, then its count tells how many in all",
  { timeout: LIMIT_MS },
  async () => {
    await shown("month");
    const counts = await page
      .locator(".mantine-MonthView-monthViewDayLabel")
      .evaluateAll((all) => all.map((label) => Number(label.getAttribute("data-count"))));
    expect(Math.max(...counts)).toBeGreaterThan(4);
  },
);

test("a meeting: when it is dragged, then the time where it would land is shown", { timeout: LIMIT_MS }, async () => {
  await shown("week");
  const meeting = page
    .locator(".calendar-grid [data-status='booked'], .calendar-grid [data-status='confirmed']")
    .first();
  const from = await meeting.boundingBox();
  if (!from) throw new Error("no meeting can be moved");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y + 40, { steps: 4 });
  await page.mouse.move(from.x + 20, from.y + 66, { steps: 4 });
  const place = page.locator("[class*='ViewDragPreview']");
  await expect.poll(() => place.getAttribute("data-time")).toMatch(/^\d\d:\d\d–\d\d:\d\d$/);
  await page.keyboard.press("Escape");
  await page.mouse.up();
});
