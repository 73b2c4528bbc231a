import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { caseSteps } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { only } from "../support/server/assessments.ts";
import { aNamedClient, leading, TODAY } from "../support/server/led.ts";

const LIMIT_MS = 90_000;
const MEERA = "Meera Das";
const COLIN = "Colin Frayn";

let stage: PracticeStage;
let page: Page;
beforeAll(async () => {
  stage = await aPracticeStage();
  ({ page } = stage);
});
afterAll(() => stage.stage.close());

const { button, dialog, closed, tab, step, consent, move, keptFrom, screen } = caseSteps(() => page);

/** What this kind of case never speaks of. */
const expectNoFamilyWords = async () =>
  expect(await page.getByRole("main").innerText()).not.toMatch(/MIAM|certificate|child|spouse|parent/i);

test(
  "two employees whom their employer sends are led from the first call to the end in the words of a workplace",
  { timeout: LIMIT_MS },
  async () => {
    const meera = await aNamedClient(stage.owner, MEERA);
    await aNamedClient(stage.owner, COLIN);
    const hr = aContact({ firstName: "Jo", lastName: "Park", organisation: "Harrow Mills", roles: ["employer_hr"] });
    await stage.owner.api.contacts.create.mutate(hr);

    await page.goto(`/clients/view/${meera}?tab=case`);
    await button("Open a case", page.getByRole("tabpanel")).click();
    await dialog().getByRole("combobox", { name: "Other participant (optional)" }).fill("Frayn");
    await page.getByRole("option", { name: /Colin Frayn/ }).click();
    await dialog().getByLabel("Matter").fill("How work is handed over");
    await dialog().getByLabel("Kind").selectOption({ label: "Workplace" });
    const issues = dialog().getByLabel("Issues");
    expect(await issues.innerText()).not.toMatch(/child/i);
    await issues.selectOption({ label: "Other" });
    await button("Open case", dialog()).click();
    await dialog().getByText("Choose how you will meet").waitFor();
    await dialog().getByLabel("Format").selectOption({ label: "In person" });
    await dialog().getByLabel("How they came").selectOption({ label: "Employer" });
    await expectNoAxeViolations(page);
    await button("Open case", dialog()).click();
    await closed();
    await page.getByText("Individual meeting").first().waitFor();
    await expectNoFamilyWords();

    await button("Add a person").click();
    await dialog().getByRole("combobox", { name: "Contact" }).fill("Harrow");
    await page.getByRole("option", { name: /Jo Park, Harrow Mills/ }).click();
    expect(await dialog().getByLabel("Role in this case").inputValue()).toBe("employer_hr");
    expect(await dialog().getByLabel("On whose side?").inputValue()).toBe("");
    await expectNoAxeViolations(page);
    await button("Add to the case", dialog()).click();
    await closed();
    await page.getByText("Employer’s HR, Harrow Mills").waitFor();
    await button("More about this case").click();
    await page.getByRole("menuitem", { name: "Funding" }).click();
    for (const name of [MEERA, COLIN])
      await dialog().getByLabel(`Funding of ${name}`).selectOption({ label: "Employer" });
    await expectNoAxeViolations(page);
    await button("Save funding", dialog()).click();
    await closed();
    expect(await page.getByText("Employer, share 50 %").count()).toBe(2);

    await button("Edit", page.getByRole("region", { name: "Case", exact: true })).click();
    expect(await dialog().innerText()).not.toMatch(/child/i);
    await button("Go back", dialog()).click();
    await closed();

    await button("Decide").click();
    await dialog().getByRole("radio", { name: "Clear" }).check();
    await button("Record the decision", dialog()).click();
    await closed();
    await move("Intake");
    // Their employer named both: nobody has to be won over first.
    await move("Assessing");
    for (const status of ["Responded", "Intake done", "Individual meeting booked", "Individual meeting attended"])
      await step(MEERA, status);
    await tab("Overview");
    await page.getByText(`Next: decide on the suitability of ${MEERA}`).waitFor();
    const { items } = await stage.owner.api.cases.ofClient.query({ id: meera });
    await leading(stage.owner, only(items).id).assess(1);
    await page.reload();
    await tab("Case");
    await screen(MEERA, "workplace");
    for (const name of [MEERA, COLIN]) await consent(name, TODAY);
    await move("Ready");
    expect(await keptFrom("In mediation")).toContain("P1 and P2 must sign the agreement to mediate.");
    await openStepOfSigning();
    await step(COLIN, "Agreement signed");
    await page.getByText("Kept: what one person says apart").waitFor();
    await move("In mediation");
    await expectNoFamilyWords();

    await tab("Meetings & sessions");
    await button("Book meeting").click();
    await expect.poll(() => dialog().getByLabel("Kind").innerText()).not.toMatch(/assessment|child/i);
    await page.keyboard.press("Escape");
    await closed();
    await tab("Case");

    await button("Move on").click();
    await dialog().getByRole("radio", { name: "Concluded" }).check();
    await dialog().getByLabel("Outcome").selectOption({ label: "Settled before a session" });
    expect(await dialog().innerText()).not.toMatch(/Parenting plan|Open financial statement|Legal Aid/);
    await expectNoAxeViolations(page);
    await button("Move to Concluded", dialog()).click();
    await closed();
    await page.getByText("Mediation is over").waitFor();
    expect(stage.watched.complaints).toEqual([]);
  },
);

/** The first to sign is asked what the agreement says, in the words of this kind of case. */
async function openStepOfSigning() {
  await button(`Next step of ${MEERA}`).click();
  await dialog().getByRole("combobox", { name: "Next step" }).selectOption({ label: "Agreement signed" });
  await dialog().getByText("They are usually kept in mediation of this kind.").waitFor();
  await dialog().getByRole("radio", { name: /^Kept/ }).check();
  await button("Record this step", dialog()).click();
  await closed();
}
