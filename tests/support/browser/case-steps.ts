// What a mediator does on the pages of a case, as several tests lead one.
import { dayIn } from "@app/shared/days";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import type { CaseDomain } from "@app/shared/case-transitions";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** A button by its whole name. */
export const buttonOn =
  (page: () => Page) =>
  (name: string | RegExp, within: Page | Locator = page()): Locator =>
    within.getByRole("button", { name, exact: true });

/** What is there before any page is open, so that one name stands for each step in all tests of a file. */
export function caseSteps(page: () => Page) {
  const button = buttonOn(page);
  const dialog = () => page().getByRole("dialog");
  const closed = () => dialog().waitFor({ state: "detached" });
  const tab = (name: string) => page().getByRole("tab", { name }).click();
  const choose = (question: string, answer: string) =>
    dialog().getByRole("radiogroup", { name: question }).getByRole("radio", { name: answer, exact: true }).check();

  async function openStep(name: string) {
    await button(`Next step of ${name}`).click();
    await dialog().getByRole("heading", { name: "Consent, role and side" }).waitFor();
  }

  /** Records the next step of one party, on today. Whoever signs first says what the agreement says of confidences. */
  async function step(name: string, status: string, { confidences = "", why = "" } = {}) {
    await openStep(name);
    await dialog().getByRole("combobox", { name: "Next step" }).selectOption({ label: status });
    if (confidences) await dialog().getByRole("radio", { name: confidences }).check();
    if (status === "Withdrawn" || status === "Refused")
      await dialog()
        .getByRole("radio", { name: `${name} said so` })
        .check();
    if (status.endsWith(" booked")) await dialog().getByRole("radio", { name: "Yes, they agreed to it" }).check();
    if (why) await dialog().getByLabel("Why?").fill(why);
    await button("Record this step", dialog()).click();
    await closed();
  }

  async function consent(name: string, on: string) {
    await openStep(name);
    await dialog().getByLabel("Consented to mediation on").fill(on);
    await button("Save", dialog()).click();
    await closed();
  }

  /** Moves the case; `ending`, `outcome` and `why` where that way asks how it ended, with what, and why. */
  async function move(to: string, { ending = "", outcome = "", why = "" } = {}) {
    await button("Move on").click();
    await dialog().getByRole("radio", { name: to }).check();
    if (ending) await dialog().getByLabel("How did it end?").selectOption({ label: ending });
    if (outcome) await dialog().getByLabel("Outcome").selectOption({ label: outcome });
    if (why) await dialog().getByLabel("Why?").fill(why);
    await button(`Move to ${to}`, dialog()).click();
    await closed();
  }

  /** Opens the dialog of the next states, and gives what keeps the case from this one. */
  async function keptFrom(to: string): Promise<string> {
    await button("Move on").click();
    const radio = dialog().getByRole("radio", { name: to });
    await radio.waitFor();
    expect(await radio.isDisabled()).toBe(true);
    const text = await dialog().innerText();
    await button("Go back", dialog()).click();
    await closed();
    return text;
  }

  /** Screens somebody whom nothing worries. */
  async function screen(name: string, domain: CaseDomain = "family", on = dayIn("Europe/London", new Date())) {
    await button(`Screen: ${name}`).click();
    await dialog().getByLabel("Day you spoke").fill(on);
    await choose("How you spoke", "In person");
    await choose("Who was with them", "Nobody");
    for (const { text } of questionsOf(toolFor(domain))) await choose(text, "No");
    await choose("Was a scored tool used as well, such as DASH or MASIC?", "No");
    await choose("Was your professional practice consultant, or somebody else, consulted?", "No");
    await dialog().getByLabel("Why nobody was").fill("Nothing to ask about");
    await choose("Mediation is", "Suitable");
    await dialog().getByLabel("Reasons").fill("Nothing worries them");
    await button("Complete the screening", dialog()).click();
    await closed();
  }

  return { button, dialog, closed, tab, choose, openStep, step, consent, move, keptFrom, screen };
}
