// An enquiry from a form within another website to the case: with the mouse, and by the keyboard alone.
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aPracticeStage, expectNoAxeViolations, openPage, type PracticeStage } from "../support/browser/e2e.ts";
import { BOTH_HANDS, type Hand } from "../support/browser/hands.ts";

const LIMIT_MS = 240_000;
const WEBSITE = "https://www.example.org";
const NOT_NAMED = "https://www.example.net";

let at: PracticeStage;
beforeAll(async () => {
  at = await aPracticeStage();
});
afterAll(() => at.stage.close());

const exactly = (name: string) => ({ name, exact: true }) as const;

/** Publishes a form for enquiries, lets one website show it, and gives what that website puts into its page. */
async function share(page: Page, hand: Hand): Promise<string> {
  const dialog = page.getByRole("dialog");
  await page.goto("/leads/forms/create");
  await hand.check(page.getByRole("radio", { name: "Enquiry" }));
  await expectNoAxeViolations(page);
  await hand.press(page.getByRole("button", exactly("Make the form")));
  await page.waitForURL("**/leads/forms/edit/*");
  await hand.press(page.getByRole("button", exactly("Publish version 1")));
  await hand.press(dialog.getByRole("button", exactly("Publish version 1")));
  await dialog.waitFor({ state: "detached" });
  await hand.press(page.getByRole("button", exactly("Share")));
  await hand.write(dialog.getByLabel("Websites that may show it"), WEBSITE);
  await hand.write(dialog.getByLabel("Where people go once they sent it"), `${WEBSITE}/thanks`);
  await expectNoAxeViolations(page);
  const frame = await dialog.getByLabel("For those websites: put this where the form is to stand").inputValue();
  await hand.press(dialog.getByRole("button", exactly("Save")));
  await dialog.waitFor({ state: "detached" });
  return frame;
}

/** A visitor's page of somebody else's website, with the form in it. */
async function aWebsite(origin: string, frame: string) {
  const visitor = await openPage(at.stage, { viewport: { width: 360, height: 740 }, hasTouch: true });
  const body = `<!doctype html><html lang="en"><title>Parting well</title><main><h1>Parting well</h1>${frame}</main></html>`;
  const thanks = `<!doctype html><html lang="en"><title>Thanks</title><main><h1>We write soon</h1></main></html>`;
  // What is answered here comes from no network, and Chromium asks whoever is outside before a page of this machine is shown.
  await visitor.page.context().grantPermissions(["local-network-access"], { origin });
  await visitor.page.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: route.request().url().endsWith("/thanks") ? thanks : body }),
  );
  await visitor.page.goto(`${origin}/help?utm_source=newsletter&utm_campaign=Autumn%20days&page=2`);
  return { ...visitor, form: visitor.page.frameLocator("iframe") };
}

interface Names {
  lastName: string;
  otherName: string;
}

async function enquire(page: Page, form: FrameLocator, hand: Hand, { lastName, otherName }: Names): Promise<void> {
  const name = form.getByRole("group", { name: "Your name" });
  const field = (label: string) => form.getByLabel(label);
  await form.getByRole("heading", { level: 1, name: "Your enquiry" }).waitFor();
  await expectNoAxeViolations(page, { isFramed: true });
  await hand.write(name.getByLabel("First name"), "Ida");
  await hand.write(name.getByLabel("Last name"), lastName);
  await hand.write(field("Email"), `ida.${lastName.toLowerCase()}@example.org`);
  await hand.check(form.getByRole("radio", exactly("Children")));
  await hand.write(field("Tell us a little, if you like"), "Where the children stay");
  await hand.press(form.getByRole("button", exactly("Continue")));
  await form.getByRole("heading", { level: 1, name: "The other person" }).waitFor();
  await expectNoAxeViolations(page, { isFramed: true });
  await hand.write(field("First name"), "Gareth");
  await hand.write(field("Last name"), otherName);
  await hand.check(form.getByRole("checkbox"));
  await hand.press(form.getByRole("button", exactly("Continue")));
  await form.getByRole("heading", { level: 1, name: "Check your answers" }).waitFor();
  await expectNoAxeViolations(page, { isFramed: true });
  await hand.press(form.getByRole("button", exactly("Send")));
  await page.waitForURL(`${WEBSITE}/thanks`);
}

async function convert(page: Page, hand: Hand, name: string): Promise<void> {
  const move = async (state: string, item: string) => {
    const card = page.getByRole("region", exactly(state)).getByRole("listitem").filter({ hasText: name });
    await hand.takeInMenu(card.getByRole("button", { name: `Move ${name}` }), item);
  };
  const isAt = async (state: string) => {
    const card = page.getByRole("region", exactly(state)).getByRole("listitem").filter({ hasText: name });
    await expect
      .poll(() => card.getByRole("button").evaluate((button) => button === document.activeElement), { timeout: 8000 })
      .toBe(true);
  };
  await page.goto("/leads");
  await move("New", "Move to Contacted");
  await isAt("Contacted");
  await move("Contacted", "Move to Qualified");
  await move("Qualified", "Move to Awaiting P2");
  await page.getByRole("region", exactly("Awaiting P2")).getByText(name).waitFor();
  await expectNoAxeViolations(page);
  await move("Awaiting P2", "Convert to a case");
  await page.getByRole("heading", { level: 1, name: `Convert ${name} to a case` }).waitFor();
  await expectNoAxeViolations(page);
  await hand.choose(page.getByLabel("Issues"), "Children only");
  await hand.choose(page.getByLabel("Format"), "In person");
  await hand.press(page.getByRole("button", exactly("Convert to client and case")));
  await page.waitForURL(/\/clients\/view\//);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await expectNoAxeViolations(page);
}

test.each([
  { ...BOTH_HANDS[0], lastName: "Quill", otherName: "Holloway" },
  { ...BOTH_HANDS[1], lastName: "Tarn", otherName: "Sandford" },
])(
  "an enquiry, by $name: sent by a form within another website, it becomes a lead, and the lead a client with a case",
  { timeout: LIMIT_MS },
  async ({ hand, ...names }) => {
    const frame = await share(at.page, hand(at.page));
    const { page, form, complaints } = await aWebsite(WEBSITE, frame);
    await enquire(page, form, hand(page), names);
    await convert(at.page, hand(at.page), `Ida ${names.lastName}`);
    const { items } = await at.owner.api.leads.list.query({ state: "all", search: names.lastName });
    const lead = await at.owner.api.leads.get.query({ id: items[0]?.id ?? "" });
    expect(lead).toMatchObject({
      status: "converted",
      channel: "form",
      attribution: { referrerHost: "www.example.org", utmSource: "newsletter", utmCampaign: "Autumn days" },
      campaign: "Autumn days",
      other: { firstName: "Gareth", lastName: names.otherName },
    });
    for (const all of [complaints, at.watched.complaints]) expect(all).toEqual([]);
  },
);

test("a form for enquiries: within a website that the owner did not name, does not show", async () => {
  const frame = await share(at.page, BOTH_HANDS[0].hand(at.page));
  const { form, complaints } = await aWebsite(NOT_NAMED, frame);
  await expect.poll(() => complaints.join("\n")).toContain("frame-ancestors");
  expect(await form.getByRole("heading", { name: "Your enquiry" }).count()).toBe(0);
});
