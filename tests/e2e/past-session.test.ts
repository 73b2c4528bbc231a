import { addDays } from "@app/shared/days";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sample, sampleOf, signIn } from "../../scripts/demo-sign-in.ts";
import { caseSteps } from "../support/browser/case-steps.ts";
import { ofCase } from "../support/browser/dialog-places.ts";
import { aDemoStage, expectNoAxeViolations, openPage, type Stage } from "../support/browser/e2e.ts";

const LIMIT_MS = 90_000;
const today = new Date().toISOString().slice(0, 10);
const WHY = "They met in an emergency, before anything was signed";

let stage: Stage;
let page: Page;
let sample: Sample;
beforeAll(async () => {
  stage = await aDemoStage();
  const { url } = stage.product;
  const cookies = await signIn(url);
  sample = await sampleOf(url, cookies);
  ({ page } = await openPage(stage));
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })));
});
afterAll(() => stage.close());

const { button, dialog, closed } = caseSteps(() => page);

async function enter(day: string, from: string, to: string) {
  await dialog().getByLabel("Day").fill(day);
  await dialog().getByLabel("From").fill(from);
  await dialog().getByLabel("To", { exact: true }).fill(to);
}

test(
  "a session from paper: when it is written up, then its day is asked for, and why it was held without what was missing",
  { timeout: LIMIT_MS },
  async () => {
    await page.goto(await ofCase("in_mediation", "meetings")({ page, stage, sample }));
    await button("Record a past session").waitFor();
    await button("Record a past session").click();
    await enter(addDays(today, 1), "10:00", "11:30");
    await button("Record session", dialog()).click();
    await dialog()
      .getByText(/This is still to come/)
      .first()
      .waitFor();
    await enter(addDays(today, -60), "10:00", "11:30");
    await button("Record session", dialog()).click();
    await dialog().getByLabel("Why was it held all the same?").fill(WHY);
    await dialog()
      .getByText(/had not signed the agreement to mediate/)
      .waitFor();
    await expectNoAxeViolations(page);
    await button("Record session", dialog()).click();
    await page.getByText(`Held all the same: ${WHY}`).waitFor();
    await page.getByText("Written up later.", { exact: false }).waitFor();
  },
);

test(
  "its time: when it is corrected, then why is asked for, and the former one stays to be read",
  { timeout: LIMIT_MS },
  async () => {
    await button("Correct the time").click();
    await dialog().getByLabel("To", { exact: true }).fill("09:30");
    await button("Correct the time", dialog()).click();
    await dialog().getByText("This is before the beginning. Enter a later time.").waitFor();
    await dialog().getByLabel("To", { exact: true }).fill("12:00");
    await button("Correct the time", dialog()).click();
    await dialog().getByText("Say why the time is corrected.").waitFor();
    await dialog().getByLabel("Why is it corrected?").fill("It took half an hour longer");
    await expectNoAxeViolations(page);
    await button("Correct the time", dialog()).click();
    await closed();
    await page.getByText(/It took half an hour longer/).waitFor();
    await expectNoAxeViolations(page);
  },
);

test(
  "a prepared session: when it is started, then the keyboard goes on at its heading, and another is started only after a question",
  { timeout: LIMIT_MS },
  async () => {
    const address = await ofCase("in_mediation", "meetings")({ page, stage, sample });
    await page.goto(address);
    await button("Prepare session").click();
    const which = dialog().getByText(/^None of these/);
    await which.or(page.getByRole("heading", { level: 1, name: /^Session \d/ })).waitFor();
    if (await which.isVisible()) {
      await which.click();
      await button("Prepare session", dialog()).click();
    }
    const heading = page.getByRole("heading", { level: 1, name: /^Session \d/ });
    await heading.waitFor();
    const number = await heading.textContent();
    await button("Start session").click();
    await button("End session").waitFor();
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.goto(address);
    await button("Start session").click();
    await dialog().getByText("people who are not in this one", { exact: false }).waitFor();
    await expectNoAxeViolations(page);
    await dialog()
      .getByRole("link", { name: `Go to ${number?.toLowerCase()}` })
      .click();
    await heading.waitFor();
  },
);
