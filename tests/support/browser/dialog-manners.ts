// How every dialog behaves: where the keyboard is in it and after it, and what becomes of what was typed.
import type { Dialog as Question, Locator, Page } from "playwright-core";
import { expect } from "vitest";

const QUESTION = "Leave without saving? What you typed here would be lost.";
/** Fits into texts and numbers. */
const TYPED = "7";
const WRITTEN =
  ":is(input:is([type=text], [type=email], [type=password], :not([type])), textarea, [contenteditable=true])";
const TEXT_FIELD = `${WRITTEN}:not([readonly], [aria-haspopup=listbox], :disabled):visible`;

export interface DialogCase {
  /** The component that draws it, as it is called in the source. */
  dialog: string;
  /** What opens it, and of a menu the item. */
  opener: (page: Page) => Locator;
  item?: string | RegExp;
  /** The way on through another dialog. */
  through?: (page: Page) => Promise<unknown>;
  title: string | RegExp;
  /** The label of the field or the part to scroll where it begins, if that is not its first field. */
  begins?: string;
  /** What is typed is asked about, kept as a draft, or sought in a list; in some nothing can be typed. */
  typed: "asked" | "kept" | "sought" | "nothing";
  /** Its choices say what is kept or looked at: one is made before. */
  isChosen?: boolean;
}

const front = (page: Page, title: string | RegExp): Locator => page.getByRole("dialog", { name: title }).last();

/** Opens the dialog by the keyboard. */
export async function openDialog(page: Page, { opener, item, through, title }: DialogCase): Promise<Locator> {
  // One that is disabled until its page knows enough takes no focus.
  await expect.poll(() => opener(page).isEnabled(), { timeout: 10_000 }).toBe(true);
  await opener(page).focus();
  await page.keyboard.press("Enter");
  if (item) await page.getByRole("menuitem", { name: item }).press("Enter");
  await through?.(page);
  await front(page, title).waitFor();
  return front(page, title);
}

/** The name of the field that has the focus, of the one that should have it, and whether they are one. */
async function expectBegun(dialog: Locator, begins: string | undefined): Promise<void> {
  const where = () =>
    dialog.evaluate((element, label) => {
      const active = document.activeElement;
      const all = [...element.querySelectorAll<HTMLInputElement>("input, select, textarea, [contenteditable=true]")];
      const fields = all.filter((field) => field.checkVisibility() && !field.disabled && field.type !== "file");
      const nameOf = (field: Element | null) =>
        (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.labels?.[0] : null)
          ?.textContent ??
        field?.getAttribute("aria-label") ??
        field?.outerHTML.slice(0, 120) ??
        "nothing";
      const chosen = fields.find((field) => field.type === "radio" && field.name === fields[0]?.name && field.checked);
      const places = [...fields, ...element.querySelectorAll("[tabindex='0']")];
      const first = label ? places.find((place) => nameOf(place).startsWith(label)) : (chosen ?? fields[0]);
      const isAtText = fields.length === 0 && element.contains(active) && !active?.matches("button");
      return active === first || isAtText ? "begun" : `${nameOf(active)} instead of ${nameOf(first ?? null)}`;
    }, begins);
  await expect.poll(where, { timeout: 5000 }).toBe("begun");
}

export async function expectFocusOn(opener: Locator): Promise<void> {
  const where = () =>
    opener.evaluate((element) =>
      element === document.activeElement ? "there" : (document.activeElement?.outerHTML.slice(0, 160) ?? "nowhere"),
    );
  await expect.poll(where, { timeout: 5000 }).toBe("there");
}

/** Does what may raise the question, answers it, and gives what was asked. */
export async function answering(page: Page, answer: "stay" | "leave", work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  const reply = (question: Question) => {
    asked.push(question.message());
    void (answer === "stay" ? question.dismiss() : question.accept());
  };
  page.on("dialog", reply);
  await work();
  page.off("dialog", reply);
  return asked;
}

/** Presses Escape; an open list of choices takes one for itself. */
async function escape(page: Page): Promise<void> {
  const isListOpen = () => document.activeElement?.getAttribute("aria-expanded") === "true";
  if (await page.evaluate(isListOpen)) await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
}

async function expectAsked(page: Page, dialog: Locator): Promise<void> {
  const field = dialog.locator(TEXT_FIELD).first();
  const text = () => field.evaluate((element) => Reflect.get(element, "value") ?? element.textContent);
  const before = await text();
  await field.focus();
  await page.keyboard.type(TYPED);
  expect(await answering(page, "stay", () => page.keyboard.press("Escape"))).toEqual([QUESTION]);
  const outside = () => page.mouse.click(5, 400);
  expect(await answering(page, "stay", outside)).toEqual([QUESTION]);
  const button = () => dialog.getByRole("button", { name: "Close", exact: true }).click();
  expect(await answering(page, "stay", button)).toEqual([QUESTION]);
  expect(await text()).not.toBe(before);
  expect(await answering(page, "leave", () => page.keyboard.press("Escape"))).toEqual([QUESTION]);
}

async function expectKept(page: Page, dialog: Locator, one: DialogCase): Promise<void> {
  const words = `Kept ${one.dialog}`;
  await dialog.getByRole("textbox", { name: "Message" }).fill(words);
  expect(await answering(page, "stay", () => escape(page))).toEqual([]);
  await dialog.waitFor({ state: "detached" });
  await (await openDialog(page, one)).getByText(words).waitFor();
  await escape(page);
}

/** Opens a dialog, looks where the keyboard is, types, tries to leave, leaves, and looks where the keyboard is then. */
export async function expectManners(page: Page, one: DialogCase): Promise<void> {
  const dialog = await openDialog(page, one);
  await expectBegun(dialog, one.begins);
  const chosen = dialog.getByRole("radio", { checked: true });
  if (!one.isChosen) expect(await chosen.count(), "what decides is chosen by nobody but the person").toBe(0);
  if (one.typed === "nothing") expect(await dialog.locator(TEXT_FIELD).count()).toBe(0);
  if (one.typed === "sought") await page.keyboard.type(TYPED);
  if (one.typed === "asked") await expectAsked(page, dialog);
  else if (one.typed === "kept") await expectKept(page, dialog, one);
  else expect(await answering(page, "stay", () => escape(page))).toEqual([]);
  await dialog.waitFor({ state: "detached" });
  await expectFocusOn(one.opener(page));
}
