// A visitor on a phone books by a link, moves and cancels; staff make the link; the same by keyboard alone.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aLink } from "../support/server/booked.ts";
import { aPracticeStage, expectNoAxeViolations, openPage, type PracticeStage } from "../support/browser/e2e.ts";
import { keyboardOn } from "../support/browser/hands.ts";

const POLL_MS = 10_000;
const PICTURES = process.env["BOOKING_PICTURES"];

let staged: PracticeStage;
let publicId: string;
let phone: Page;
let complaints: string[];
beforeAll(async () => {
  staged = await aPracticeStage();
});
beforeEach(async () => {
  const questions = [{ label: "What should we know?", kind: "long" as const, isRequired: false }];
  const link = await staged.owner.api.bookings.createLink.mutate(aLink(staged.owner.ownerId, { questions }));
  publicId = link.publicId;
  const view = { viewport: { width: 360, height: 740 }, timezoneId: "America/New_York", hasTouch: true };
  ({ page: phone, complaints } = await openPage(staged.stage, view));
});
afterAll(() => staged.stage.close());

const heading = (name: string | RegExp) => phone.getByRole("heading", { level: 1, name });
const times = () => phone.getByRole("group", { name: "Time", exact: true }).getByRole("button");

/** A day with all its times: of the first one, what is left depends on the hour. */
async function openWholeDay(): Promise<void> {
  await times().first().waitFor();
  await phone.getByRole("group", { name: "Day", exact: true }).locator("button:enabled").nth(1).click();
}

/** For whoever wants to look at the page. */
async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${PICTURES}/${name}.${scheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function open(): Promise<void> {
  await phone.goto(`/schedule-meeting/${publicId}`);
  await openWholeDay();
}

async function fillIn(email: string): Promise<void> {
  await phone.getByLabel("Your name").fill("Sam Okoro");
  await phone.getByLabel("Email").fill(email);
  await phone.getByLabel("Phone", { exact: true }).fill("07700 900142");
  await phone.getByLabel("What should we know?").fill("Please phone after six");
}

test("a booking link: on a 360 px phone a visitor books in their own zone, keeps the entry, moves it and cancels it", async () => {
  await open();
  expect(await phone.getByText("Times are in New York time (America/New_York).").count()).toBe(1);
  await expectNoAxeViolations(phone);
  await picture(phone, "book.360");
  await times().first().click();
  await phone.getByText(/This time is held for you until/).waitFor();
  await expectNoAxeViolations(phone);
  await picture(phone, "held.360");
  const chosen = (await times().first().textContent()) ?? "";
  await phone.getByRole("button", { name: "Continue to your details" }).click();
  await heading("Your details").waitFor();
  await phone.getByRole("button", { name: "Book this time" }).click();
  await phone.getByText("Enter your name").waitFor();
  await expectNoAxeViolations(phone);
  await fillIn("sam.okoro@example.org");
  await picture(phone, "details.360");
  await phone.getByRole("button", { name: "Book this time" }).click();
  await heading("Your appointment is booked")
    .waitFor()
    .catch(async (error: unknown) => {
      await picture(phone, "not-booked.360");
      throw error;
    });
  expect(await phone.locator("main").textContent()).toContain(chosen.trim());
  expect(phone.url()).not.toContain(publicId);
  await expectNoAxeViolations(phone);
  await picture(phone, "booked.360");

  const downloading = phone.waitForEvent("download");
  await phone.getByRole("link", { name: "Add to your calendar" }).click();
  const kept = path.join(mkdtempSync(path.join(tmpdir(), "evenhand-e2e-")), "appointment.ics");
  await (await downloading).saveAs(kept);
  expect(readFileSync(kept, "utf8")).toContain("BEGIN:VEVENT");

  await phone.getByRole("button", { name: "Choose another time" }).click();
  await openWholeDay();
  await times().nth(5).click();
  const moved = (await times().nth(5).textContent()) ?? "";
  await picture(phone, "move.360");
  await phone.getByRole("button", { name: "Move to this time" }).click();
  await phone.getByRole("button", { name: "Move to this time" }).waitFor({ state: "detached" });
  await phone.getByText(moved.trim(), { exact: false }).first().waitFor();

  await phone.getByRole("button", { name: "Cancel", exact: true }).click();
  await expectNoAxeViolations(phone);
  await phone.getByRole("button", { name: "Cancel the appointment" }).click();
  await heading("This appointment is cancelled").waitFor();
  expect(complaints).toEqual([]);
});

test("a booking link: changed by the practice while a visitor enters their details, says what changed and keeps their time", async () => {
  await open();
  await times().first().click();
  await phone.getByRole("button", { name: "Continue to your details" }).click();
  await heading("Your details").waitFor();
  await fillIn("pat.okoro@example.org");
  const { api, ownerId } = staged.owner;
  const { items } = await api.bookings.listLinks.query({});
  const link = items.find((one) => one.publicId === publicId);
  const { id, questions } = aLink(ownerId, { questions: link?.questions ?? [] });
  await api.bookings.updateLink.mutate({
    ...aLink(ownerId, { questions, minutes: 90 }),
    id: link?.id ?? id,
    version: link?.version ?? 0,
  });
  await phone.getByRole("button", { name: "Book this time" }).click();
  await phone.getByText("It takes 90 minutes now, where it said 60.").waitFor();
  await phone.getByText("The time that you chose is still held for you.").waitFor();
  await expectNoAxeViolations(phone);
  await picture(phone, "changed.360");
  await phone.setViewportSize({ width: 1280, height: 800 });
  await picture(phone, "changed.1280");
  await phone.setViewportSize({ width: 360, height: 740 });
  await phone.getByRole("button", { name: "Continue to your details" }).click();
  expect(await phone.getByLabel("Your name").inputValue()).toBe("Sam Okoro");
  await phone.getByRole("button", { name: "Book this time" }).click();
  await heading("Your appointment is booked").waitFor();
  expect(complaints.filter((line) => !line.includes("412"))).toEqual([]);
});

test("a booking link: on a phone, when a time is chosen, Back leads to the times and a reload loses neither choice nor typing", async () => {
  await open();
  const chosen = ((await times().nth(2).textContent()) ?? "").trim();
  const held = phone.getByRole("heading", { name: "Your meeting" });
  const pressed = () => phone.locator(".booking-time[aria-pressed=true]").textContent();
  await times().nth(2).click();
  await held.waitFor();
  expect(await held.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await phone.getByRole("button", { name: "Continue to your details" }).evaluate(isInSight)).toBe(true);
  await picture(phone, "chosen.360");
  await phone.reload();
  await held.waitFor();
  expect(((await pressed()) ?? "").trim()).toBe(chosen);
  await phone.getByRole("button", { name: "Continue to your details" }).click();
  await heading("Your details").waitFor();
  await fillIn("lee.marsh@example.org");
  await phone.goBack();
  await times().first().waitFor();
  await held.waitFor();
  expect(((await pressed()) ?? "").trim()).toBe(chosen);
  await phone.goForward();
  await heading("Your details").waitFor();
  await phone.reload();
  await heading("Your details").waitFor();
  expect(await phone.getByLabel("Your name").inputValue()).toBe("Sam Okoro");
  expect(await phone.getByLabel("What should we know?").inputValue()).toBe("Please phone after six");
  await phone.getByRole("button", { name: "Book this time" }).click();
  await heading("Your appointment is booked").waitFor();
  expect(await phone.evaluate(() => JSON.stringify(Object.entries(window.sessionStorage)))).not.toContain("Sam Okoro");
  expect(complaints).toEqual([]);
});

const isInSight = (element: HTMLElement | SVGElement): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
};

test("a booking link: by keyboard alone, a visitor books, moves and cancels, and after each step goes on from what came of it", async () => {
  const { press, write } = keyboardOn(phone);
  const button = (name: string) => phone.getByRole("button", { name, exact: true });
  const isAt = (place: Locator) =>
    expect.poll(() => place.evaluate((one) => one === document.activeElement), { timeout: POLL_MS }).toBe(true);
  const chooseDay = async () => {
    await times().first().waitFor();
    await press(phone.getByRole("group", { name: "Day", exact: true }).locator("button:enabled").nth(1));
  };
  await phone.goto(`/schedule-meeting/${publicId}`);
  await chooseDay();
  await press(times().first());
  await press(button("Continue to your details"));
  await heading("Your details").waitFor();
  await expectNoAxeViolations(phone);
  await write(phone.getByLabel("Your name"), "Kim Ash");
  await write(phone.getByLabel("Email"), "kim.ash@example.org");
  await write(phone.getByLabel("Phone", { exact: true }), "07700 900143");
  await press(button("Book this time"));
  const booked = heading("Your appointment is booked");
  await booked.waitFor().catch(async (error: unknown) => {
    await picture(phone, "keyboard.360");
    throw error;
  });
  await isAt(booked);

  await press(button("Choose another time"));
  await isAt(phone.getByRole("region", { name: "Choose another time" }));
  await press(button("Keep the time as it is"));
  await isAt(button("Choose another time"));
  await press(button("Choose another time"));
  await chooseDay();
  await press(times().nth(3));
  await expectNoAxeViolations(phone);
  await press(button("Move to this time"));
  await button("Move to this time").waitFor({ state: "detached" });
  await isAt(booked);

  await press(button("Cancel"));
  await isAt(phone.getByText("Cancel this appointment? The time is then free"));
  await press(button("Cancel the appointment"));
  const cancelled = heading("This appointment is cancelled");
  await cancelled.waitFor();
  await isAt(cancelled);
  await expectNoAxeViolations(phone);
  expect(complaints).toEqual([]);
});

test("a booking link: wrong, when it is opened, says only that it does not work any more", async () => {
  await phone.goto(`/schedule-meeting/${"x".repeat(43)}`);
  await heading("This link does not work any more").waitFor();
  await phone.goto("/schedule-meeting/short");
  await heading("This link does not work any more").waitFor();
  await expectNoAxeViolations(phone);
});

test("the booking links: staff make one, copy it, archive it and take that back", async () => {
  const { page, watched } = staged;
  await page.goto("/calendar");
  await page.getByRole("button", { name: "Booking links" }).click();
  await page.getByRole("heading", { level: 1, name: "Booking links" }).waitFor();
  await page.getByRole("button", { name: "New booking link" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Half an hour by phone");
  await page.getByRole("button", { name: "Add a question" }).click();
  await page.getByRole("textbox", { name: "Question 1" }).fill("What is it about?");
  await expectNoAxeViolations(page);
  await picture(page, "link-dialog.1280");
  await page.getByRole("button", { name: "Make the link" }).click();
  const archive = page.getByRole("button", { name: "Archive Half an hour by phone" });
  await archive.waitFor();
  await picture(page, "links.1280");
  await archive.click();
  await archive.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await archive.waitFor();
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await picture(page, "links.360");
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(watched.complaints).toEqual([]);
});
