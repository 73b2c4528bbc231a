// How somebody tells of a risk who may not read the record, and what whoever may makes of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { caseSteps } from "../support/browser/case-steps.ts";
import { expectFocusOn, expectManners } from "../support/browser/dialog-manners.ts";
import {
  aPracticeStage,
  expectNoAxeViolations,
  openPage,
  type PracticeStage,
  signInAs,
} from "../support/browser/e2e.ts";
import { aMediatedCase, leading } from "../support/server/led.ts";
import { aStaffUser } from "../support/server/people.ts";

const LIMIT_MS = 90_000;

let at: PracticeStage;
let built: Awaited<ReturnType<typeof aMediatedCase>>;
beforeAll(async () => {
  at = await aPracticeStage();
  built = await aMediatedCase(at.owner);
}, LIMIT_MS);
afterAll(() => at.stage.close());

test(
  "a concern in the browser: when a caseworker reports it, then the owner completes what was reported",
  { timeout: LIMIT_MS },
  async () => {
    const { stage, owner } = at;
    const { url } = stage.product;
    const caseworker = await aStaffUser({ url, close: () => Promise.resolve() }, owner, {
      role: 3,
      permissions: ["clients.read", "clients.write"],
    });
    const { page, complaints } = await openPage(stage);
    await signInAs(page, caseworker, url);
    const address = await leading(owner, built.theCase.id).page(0);
    await page.goto(address);
    const { button, dialog, closed, choose } = caseSteps(() => page);
    const opener = button("Report a concern");
    await expectManners(page, {
      dialog: "ReportDialog",
      opener: () => opener,
      title: "Report a concern",
      typed: "asked",
    });
    await opener.click();
    await dialog().getByLabel("Who is at risk").fill("Her daughter, 7");
    await dialog()
      .getByLabel(/^The concern/)
      .fill("Bruises on both arms");
    await choose("How soon", "In danger now");
    await dialog().getByText("Call the emergency services first").waitFor();
    await expectNoAxeViolations(page);
    await button("Report the concern", dialog()).click();
    await closed();
    await page.getByText(/^Your concern is kept/).waitFor();
    await expectFocusOn(opener);
    expect(await page.getByText("Her daughter, 7").count()).toBe(0);
    expect(complaints).toEqual([]);

    await at.page.goto(address);
    await at.page.getByText("In danger now: Her daughter, 7").waitFor();
    await at.page.getByRole("button", { name: "Complete the entry: Her daughter, 7" }).click();
    const completing = at.page.getByRole("dialog");
    await completing.getByText("About Her daughter, 7").waitFor();
    await completing.getByText("Bruises on both arms").first().waitFor();
  },
);

test(
  "the nominated officer in the browser: when they are suspended on the same page, then it says at once that they cannot read, and what to do",
  { timeout: LIMIT_MS },
  async () => {
    const { stage, owner, page } = at;
    const { url } = stage.product;
    const officer = await aStaffUser({ url, close: () => Promise.resolve() }, owner, {
      permissions: ["clients.read", "safeguarding.read"],
    });
    const userId = (await officer.api.auth.status.query()).user?.userId ?? "";
    await owner.api.safeguarding.setOfficer.mutate({ userId });
    await page.goto(`/settings/user-permissions?person=${userId}`);
    const { button, dialog, closed } = caseSteps(() => page);
    const field = page.getByLabel("Nominated officer", { exact: true });
    await expect.poll(() => field.inputValue()).toBe(userId);
    await button("Suspend").click();
    await button("Suspend", dialog()).click();
    await closed();
    await page.getByText(/cannot read it now: they are suspended, or lost a permission/).waitFor();
    await expectNoAxeViolations(page);
  },
);
