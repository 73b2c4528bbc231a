import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays } from "@app/shared/days";
import { type Sample, sampleOf, signIn } from "../../scripts/demo-sign-in.ts";
import { caseSteps } from "../support/browser/case-steps.ts";
import { aDemoStage, expectNoAxeViolations, openPage, type Stage, type Watched } from "../support/browser/e2e.ts";

const LIMIT_MS = 90_000;
const CHILD = "Wren";
const today = new Date().toISOString().slice(0, 10);

let stage: Stage;
let watched: Watched;
let page: Page;
let sample: Sample;
beforeAll(async () => {
  stage = await aDemoStage();
  const { url } = stage.product;
  const cookies = await signIn(url);
  sample = await sampleOf(url, cookies);
  watched = await openPage(stage);
  page = watched.page;
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url })));
});
afterAll(() => stage.close());

const { button, dialog, closed, tab } = caseSteps(() => page);

async function editCase() {
  await page.goto(`/clients/view/${sample.clientId}?tab=case`);
  await page.getByRole("region", { name: "Case", exact: true }).getByRole("button", { name: "Edit" }).click();
  await dialog().getByRole("heading", { name: "Children" }).waitFor();
}

/** Fills in a meeting with a child, nine days from now, with the room and whoever else comes. */
async function beginBooking() {
  await page.goto(`/clients/view/${sample.clientId}?tab=meetings`);
  await button("Book meeting").click();
  for (const box of await dialog().getByRole("group", { name: "Who comes" }).getByRole("checkbox").all())
    await box.uncheck();
  await dialog().getByLabel("Kind").selectOption({ label: "Child-inclusive meeting" });
  await dialog().getByLabel("Mediator", { exact: true }).selectOption({ label: "Ines Marchbank" });
  await dialog().getByLabel("Day").fill(addDays(today, 9));
  await dialog().getByLabel("From").fill("06:00");
  await dialog().getByLabel("To", { exact: true }).fill("07:00");
  await dialog().getByRole("combobox", { name: "Rooms (optional)" }).click({ force: true });
  await page.getByRole("option", { name: /Willow/ }).click();
  await page.keyboard.press("Escape");
  await button("Add a lawyer, interpreter or other", dialog()).click();
}

test("a room: when it is added on the practice's page, then it can be booked", { timeout: LIMIT_MS }, async () => {
  await page.goto("/account?tab=practice");
  await button("Add a room").click();
  await dialog().getByLabel("Name").fill("Willow");
  await dialog().getByLabel("Address or floor (optional)").fill("Second floor");
  await dialog().getByLabel("Seats (optional)").fill("4");
  await expectNoAxeViolations(page);
  await button("Save", dialog()).click();
  await closed();
  await page.getByText("Second floor, 4 seats").waitFor();
});

test(
  "a meeting with a child: when the consents are missing, then it names them; when all are there, then it is booked",
  { timeout: LIMIT_MS },
  async () => {
    await beginBooking();
    // Nothing of who else comes is chosen beforehand.
    for (const label of ["Person 1", "Comes as", "Comes for"])
      expect(await dialog().getByLabel(label, { exact: true }).inputValue()).toBe("");
    await button("Book meeting", dialog()).click();
    await dialog().getByText("Say who comes, as what, and for whom").waitFor();
    await dialog().getByLabel("Person 1", { exact: true }).selectOption("Tom Birch (colleague)");
    await dialog().getByLabel("Comes as").selectOption("Interpreter");
    await dialog().getByLabel("Comes for").selectOption("Everybody");
    await expectNoAxeViolations(page);
    await button("Book meeting", dialog()).click();
    await dialog()
      .getByText(/No child can be heard yet: no child of the case is offered to be heard/)
      .waitFor();

    await editCase();
    await button("Add a child", dialog()).click();
    const last = (label: string) => dialog().getByLabel(label).last();
    await last("First name").fill(CHILD);
    await last("Born (optional)").fill(`${Number(today.slice(0, 4)) - 9}-01-01`);
    expect(await dialog().getByLabel(`Was ${CHILD}, ten or over, offered to be heard?`).count()).toBe(0);
    await last("Born (optional)").fill(`${Number(today.slice(0, 4)) - 11}-01-01`);
    await dialog().getByLabel(`Was ${CHILD}, ten or over, offered to be heard?`).selectOption("Wants to be heard");
    await last("Offered on").fill(today);
    await dialog().getByRole("checkbox", { name: "Child-inclusive mediation offered" }).last().check();
    await consents();
    await expectNoAxeViolations(page);
    await button("Save", dialog()).click();
    await closed();

    await beginBooking();
    await dialog().getByLabel("Person 1", { exact: true }).selectOption("Tom Birch (colleague)");
    await dialog().getByLabel("Comes as").selectOption("Interpreter");
    await dialog().getByLabel("Comes for").selectOption("Everybody");
    await button("Book meeting", dialog()).click();
    await closed();
    await page.getByRole("button", { name: /06:00.07:00/ }).click();
    await dialog().getByText("Willow", { exact: true }).waitFor();
    await dialog()
      .getByLabel(/signed the confidentiality agreement on$/)
      .fill(today);
    await button("Record", dialog()).click();
    await dialog()
      .getByText(/^Signed the confidentiality agreement on/)
      .waitFor();
    await expectNoAxeViolations(page);
  },
);

/** Every party is a parent; each of them is asked, and so are one who is no party and the child. */
async function consents() {
  const asksWho = dialog().getByRole("radiogroup", { name: /parental responsibility/ });
  for (const group of await asksWho.all()) {
    expect(await group.getByRole("radio", { checked: true }).count()).toBe(0);
    await group.getByRole("radio", { name: "Yes" }).check();
  }
  await button("Add a parent who is not a party", dialog()).last().click();
  await dialog().getByLabel("A parent who is not a party").fill("Dee Marsh");
  const asked = dialog().locator("select").filter({ hasText: "Withdrew" });
  for (const select of await asked.all()) await select.selectOption("Consents");
  for (const day of await dialog().getByLabel("On", { exact: true }).all()) await day.fill(today);
  for (const how of await dialog().getByLabel("How", { exact: true }).all()) await how.selectOption("In writing");
}

test(
  "a consent: when it is withdrawn, then it is somebody's task, and the meeting is not confirmed",
  { timeout: LIMIT_MS },
  async () => {
    await editCase();
    await dialog().getByLabel(`${CHILD} (the child)`).selectOption("Withdrew");
    await button("Save", dialog()).click();
    await closed();
    await tab("Overview");
    await page
      .getByText(new RegExp(`Do not hold the meeting with a child on .*: ${CHILD} withdrew consent`))
      .first()
      .waitFor();
    await tab("Meetings & sessions");
    await page.getByRole("button", { name: /06:00.07:00/ }).click();
    await button("Confirm", dialog()).click();
    await page.getByText(`No child can be heard yet: ${CHILD} withdrew consent.`, { exact: false }).waitFor();
    expect(watched.complaints.filter((line) => !line.includes("412"))).toEqual([]);
  },
);
