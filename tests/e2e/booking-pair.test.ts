// Two parties find a time on their phones, each by a link of their own; neither learns of the other.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aPracticeStage,
  expectNoAxeViolations,
  openPage,
  type PracticeStage,
  withDatabase,
} from "../support/browser/e2e.ts";
import { BOTH_HANDS, type Hand } from "../support/browser/hands.ts";
import { AGREED } from "../support/server/contactable.ts";
import { aPair } from "../support/server/booked.ts";
import { aCase } from "../support/server/people.ts";

const POLL_MS = 10_000;
/** The job comes by every minute. */
const MATCHED_MS = 90_000;
const PICTURES = process.env["BOOKING_PICTURES"];
let staged: PracticeStage;
beforeAll(async () => {
  staged = await aPracticeStage();
});
afterAll(() => staged.stage.close());

async function makePair() {
  const { theCase, p1, p2 } = await aCase(staged.owner);
  const set = {
    "parties.0.contactAgreement": AGREED,
    "parties.0.miamOn": AGREED.on,
    "parties.1.status": "responded",
    "parties.1.respondedOn": AGREED.on,
  };
  await withDatabase(staged.stage, (database) =>
    database.collection<{ _id: string }>("cases").updateOne({ _id: theCase.id }, { $set: set }),
  );
  const partyIds = [p1.partyId, p2.partyId];
  return staged.owner.api.bookings.createPair.mutate(aPair(staged.owner.ownerId, { caseId: theCase.id, partyIds }));
}

/** As if they had chosen long ago, and the time had come to look for what suits both. */
const passHours = () =>
  withDatabase(staged.stage, async (database) => {
    await database.collection("booking_pairs").updateMany({}, { $set: { picksChangedAt: new Date(0) } });
    await database
      .collection("jobs")
      .updateOne({ name: "match choices of two parties" }, { $set: { nextRunAt: new Date() } });
  });

const times = (page: Page) => page.getByRole("group", { name: "Time", exact: true }).getByRole("button");
/** A day with all its times: of the first one, what is left depends on the hour. */
async function openWholeDay(page: Page, hand: Hand) {
  await times(page).first().waitFor();
  await hand.press(page.getByRole("group", { name: "Day", exact: true }).locator("button:enabled").nth(1));
}
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
/** Drawn anew, and not still on its way. */
async function reloaded(page: Page): Promise<Page> {
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}
const textOf = async (page: Page) => (await page.locator("main").textContent()) ?? "";

async function aPhone(publicId: string, handOn: (page: Page) => Hand) {
  const phone = await openPage(staged.stage, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const hand = handOn(phone.page);
  await phone.page.goto(`/schedule-meeting/${publicId}`);
  await openWholeDay(phone.page, hand);
  const press = (name: string) => hand.press(phone.page.getByRole("button", { name, exact: true }));
  /** What came of it is where the keyboard goes on. */
  const arrivesAt = async (name: string) => {
    const at = heading(phone.page, name);
    await at.waitFor().catch(async (error: unknown) => {
      throw new Error(`it does not say ${name}, but ${await textOf(phone.page)}`, { cause: error });
    });
    await expect.poll(() => at.evaluate((one) => one === document.activeElement), { timeout: POLL_MS }).toBe(true);
  };
  return { ...phone, hand, press, arrivesAt };
}

/** For whoever wants to look at the page. */
async function look(page: Page, name: string): Promise<void> {
  await expectNoAxeViolations(page);
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

test.each(BOTH_HANDS)(
  "links for two parties, by $name: each picks and confirms alone, when the second has, it is booked, and no page names the other",
  async ({ name, hand }) => {
    const [one, other] = (await makePair()).sides.map(({ publicId }) => publicId);
    const [first, second] = [await aPhone(one ?? "", hand), await aPhone(other ?? "", hand)];
    const untouched = await textOf(second.page);
    for (const at of [1, 3]) await first.hand.press(times(first.page).nth(at));
    const suits = (await times(first.page).nth(3).textContent()) ?? "";
    await look(first.page, `pick, ${name}`);
    await first.press("Send these times");
    await first.arrivesAt("We have your times");
    await look(first.page, `waiting, ${name}`);

    // That the first one answered shows nowhere.
    await second.page.reload();
    await openWholeDay(second.page, second.hand);
    expect(await textOf(second.page)).toBe(untouched);
    await second.hand.press(times(second.page).nth(3));
    await second.press("Send these times");
    // That both have answered by now shows nowhere either, until it is looked for at its hour.
    await second.arrivesAt("We have your times");
    await passHours();
    await expect
      .poll(() => reloaded(second.page).then(textOf), { timeout: MATCHED_MS, interval: 3000 })
      .toContain("Please confirm this time");
    await look(second.page, `held, ${name}`);
    expect(await textOf(second.page)).toContain(suits.trim());
    await second.press("Confirm this time");
    await second.page.getByText("You have confirmed it.").waitFor();
    await second.arrivesAt("Please confirm this time");

    await first.page.reload();
    await heading(first.page, "Please confirm this time").waitFor();
    expect(await first.page.getByText("You have confirmed it.").count()).toBe(0);
    await first.press("Confirm this time");
    await first.arrivesAt("Your appointment");
    await look(first.page, `booked, ${name}`);
    await second.page.reload();
    await heading(second.page, "Your appointment").waitFor();
    for (const { page, complaints } of [first, second]) {
      expect(await textOf(page)).not.toMatch(/Priya|Owen|other part|both/i);
      expect(complaints).toEqual([]);
    }
    expect(await first.page.getByRole("link", { name: "Add to your calendar" }).count()).toBe(1);
    await first.press("Cancel");
    await look(first.page, `cancel, ${name}`);
    await first.press("Cancel the appointment");
    await first.arrivesAt("Your appointment is cancelled");
    await look(first.page, `cancelled, ${name}`);
  },
);
