// The board of cases on the dashboard, at the widths at which it has six, three and one column.
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

test.each([1280, 1110, 900, 360])(
  "the board: when the page is %i px wide, then each state stands within its column, beside its count",
  { timeout: LIMIT_MS },
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/dashboard");
    await page.locator(".board-head").first().waitFor();
    const spilt = await page.locator(".board-head").evaluateAll((heads) =>
      heads.flatMap((head) => {
        const [state, count] = head.children;
        if (!state || !count || head.getClientRects().length === 0) return [];
        const [inner, beside, outer] = [state, count, head].map((one) => one.getBoundingClientRect());
        const isSpilt =
          state.scrollWidth > state.clientWidth + 1 ||
          (inner?.right ?? 0) > (beside?.left ?? 0) + 1 ||
          (beside?.right ?? 0) > (outer?.right ?? 0) + 1;
        return isSpilt ? [head.textContent] : [];
      }),
    );
    expect(spilt).toEqual([]);
  },
);
