// What the dialogs of a screening and of a session that starts ask for where somebody told of a risk.
import { addDays } from "@app/shared/days";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { caseSteps } from "../support/browser/case-steps.ts";
import { expectFocusOn } from "../support/browser/dialog-manners.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { aMediatedCase, leading } from "../support/server/led.ts";
import { aMeetingInput } from "../support/server/people.ts";
import { anAmendment, anEntry } from "../support/server/safeguarded.ts";
import { aScreening, withMeasures } from "../support/server/screened.ts";

const LIMIT_MS = 90_000;
const today = new Date().toISOString().slice(0, 10);
const WHY = "They asked for it, and came with supporters";
const NEITHER = "Why neither measures nor a consultation";

let at: PracticeStage;
let page: Page;
let built: Awaited<ReturnType<typeof aMediatedCase>>;
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
  built = await aMediatedCase(at.owner);
  const { theCase, p1 } = built;
  const input = { caseId: theCase.id, startsAt: `${addDays(today, 3)}T10:00:00.000Z` };
  await at.owner.api.meetings.create.mutate(aMeetingInput(at.owner.ownerId, input));
  await at.owner.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
}, LIMIT_MS);
beforeEach(async () => void (await page.goto(await leading(at.owner, built.theCase.id).page(0))));
afterAll(() => at.stage.close());

const { button, dialog, closed, choose, tab } = caseSteps(() => page);

test(
  "a screening in the browser: with a risk told, each field that is missing says so, and nothing is chosen for anybody",
  { timeout: LIMIT_MS },
  async () => {
    await button(/^Screen again: /)
      .first()
      .click();
    expect(await dialog().locator(":checked").count()).toBe(0);
    const orders = questionsOf(toolFor("family")).find(({ id }) => id === "orders");
    await choose(orders?.text ?? "", "Yes");
    await choose("Mediation is", "Suitable");
    await button("Complete the screening", dialog()).click();
    const why = dialog().getByLabel("Why it is safe all the same: orders to keep away");
    const neither = dialog().getByLabel(NEITHER);
    for (const field of [why, neither]) expect(await field.getAttribute("aria-invalid")).toBe("true");
    await expectNoAxeViolations(page);
    await choose("Mediation is", "Suitable with measures");
    await neither.waitFor({ state: "detached" });
  },
);

test(
  "a screening in the browser: a supporter of theirs is asked for by name, and one that was recorded in error is struck and read as that",
  { timeout: LIMIT_MS },
  async () => {
    const { theCase, p1 } = built;
    await button(/^Screen again: /)
      .first()
      .click();
    await choose("Who was with them", "A supporter of their own choice, an intermediary or a litigation friend");
    await button("Complete the screening", dialog()).click();
    for (const label of ["Who that was, and in which role", "They have nothing to do with the other participants"])
      expect(await dialog().getByLabel(label).getAttribute("aria-invalid")).toBe("true");
    await expectNoAxeViolations(page);
    const { id } = await at.owner.api.screenings.complete.mutate(
      aScreening(theCase, p1.partyId, withMeasures("online_only")),
    );
    await page.reload();
    await button(/^Read all/)
      .first()
      .click();
    await button("Strike this screening", dialog()).click();
    const asked = { dialog: "StrikeScreeningDialog", field: page.getByLabel("Why was it recorded in error?") };
    await expectFocusOn(asked.field);
    await asked.field.fill("These are the answers of somebody else");
    await expectNoAxeViolations(page);
    await button("Strike the screening").click();
    await dialog().getByText("Struck: it no longer counts").waitFor();
    await expectNoAxeViolations(page);
    const { items } = await at.owner.api.screenings.list.query({ caseId: theCase.id });
    expect(items.find((each) => each.id === id)).toMatchObject({ status: "struck" });
  },
);

test(
  "a meeting in the browser: that was booked before there were measures, says what it goes without",
  { timeout: LIMIT_MS },
  async () => {
    await tab("Meetings & sessions");
    await button(/^10:00/).click();
    await dialog().getByText("This meeting goes without: shuttle.", { exact: false }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press("Escape");
    await closed();
  },
);

test(
  "a session in the browser: that starts without a meeting against measures, asks why in its own dialog, and keeps it",
  { timeout: LIMIT_MS },
  async () => {
    await tab("Meetings & sessions");
    await button("Start session").click();
    const why = dialog().getByLabel("Why does it go without?");
    await dialog()
      .getByText(/goes without: shuttle/)
      .waitFor();
    await expectNoAxeViolations(page);
    await button("Start session", dialog()).click();
    expect(await why.getAttribute("aria-invalid")).toBe("true");
    await why.fill(WHY);
    await button("Start session", dialog()).click();
    await page.waitForURL(/\/sessions\//);
    const [session] = (await at.owner.api.sessions.ofCase.query({ id: built.theCase.id })).items;
    const { unmet } = await at.owner.api.sessions.get.query({ id: session?.id ?? "" });
    expect(unmet).toMatchObject([{ what: ["What was agreed for their safety: shuttle."], reason: WHY }]);

    const name = built.theCase.parties[0]?.name ?? "";
    await button("Record a safety review").click();
    await choose("Who", `${name} (P1)`);
    await choose(`Has anything changed for ${name} since the screening?`, "No");
    await choose("Is it still safe to mediate?", "Yes");
    await choose("Are the measures still right, or still not needed?", "Yes");
    const save = button("Save the review of P1", dialog());
    // Whether they were asked in time is said by somebody, never taken for granted.
    expect(await save.isDisabled()).toBe(true);
    const asked = `Was ${name} asked before the session began?`;
    await choose(asked, "No");
    await dialog().getByLabel("Asked on (if this was before today)").waitFor();
    await choose(asked, "Yes");
    await dialog().getByLabel("Asked on (if not on the day of the session)").fill(addDays(today, -1));
    await expectNoAxeViolations(page);
    await save.click();
    await page.getByText(/P1: asked before it began, on .*, recorded on .*, unchanged/).waitFor();
  },
);

test("somebody is in danger now, by the safeguarding record: the case says so first, until the record does no more", async () => {
  const { theCase, first } = built;
  const { id } = await at.owner.api.safeguarding.add.mutate(anEntry(theCase.id, { immediacy: "now" }));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/clients/view/${first.id}?tab=case`);
  const danger = page.getByText("In danger now: Her daughter, 7");
  await danger.waitFor();
  await expectNoAxeViolations(page);
  await button("Open the record").click();
  const heading = page.getByRole("heading", { name: "Safeguarding record" });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  const isInSight = () =>
    heading.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return document.elementFromPoint(left + 1, top + 1) === element;
    });
  await expect.poll(isInSight).toBe(true);
  await at.owner.api.safeguarding.amend.mutate(anAmendment(id, theCase.id, { immediacy: "past" }));
  await page.reload();
  await page.getByText("Over, nobody at risk now").waitFor();
  expect(await danger.count()).toBe(0);
});
