// The same ways through the pages for a mouse and for the keyboard alone: a test is written once, and taken by both.
import type { Locator, Page } from "playwright-core";

const TABS_MAX = 250;
const ARROWS_MAX = 60;

export interface Hand {
  /** A button or a link. */
  press: (target: Locator) => Promise<void>;
  /** A field of text, in place of what stands there. */
  write: (target: Locator, words: string) => Promise<void>;
  /** A list of the browser's own. */
  choose: (target: Locator, label: string) => Promise<void>;
  /** A list of ours, which is searched. */
  pick: (target: Locator, label: string) => Promise<void>;
  /** A radio button or a checkbox. */
  check: (target: Locator) => Promise<void>;
  /** One of several tabs. */
  openTab: (target: Locator) => Promise<void>;
  /** An item of the menu behind this button. */
  takeInMenu: (target: Locator, item: string) => Promise<void>;
}

export const BOTH_HANDS = [
  { name: "the mouse", hand: mouseOn },
  { name: "the keyboard alone", hand: keyboardOn },
] as const;

function mouseOn(page: Page): Hand {
  return {
    press: (target) => target.click(),
    write: (target, words) => target.fill(words),
    choose: async (target, label) => void (await target.selectOption({ label })),
    async pick(target, label) {
      await target.click();
      await page.getByRole("option", { name: label, exact: true }).click();
    },
    check: (target) => target.check(),
    openTab: (target) => target.click(),
    async takeInMenu(target, item) {
      await target.click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    },
  };
}

/** Goes from one control to the next, as somebody does who has no mouse. */
export function keyboardOn(page: Page): Hand {
  const { keyboard } = page;
  const has = (target: Locator) =>
    target.evaluateAll((elements) => document.hasFocus() && elements.some((one) => one === document.activeElement));
  async function go(target: Locator, key: string, atMost: number): Promise<void> {
    await target.first().waitFor();
    for (let count = 0; count < atMost; count += 1) {
      if (await has(target)) return;
      await keyboard.press(key);
    }
    throw new Error(`${key} never reaches ${String(target)}`);
  }
  const tabTo = (target: Locator) => go(target, "Tab", TABS_MAX);
  /** Those that share one stop of the Tab key with it. */
  const groupOf = async (target: Locator): Promise<Locator> => {
    const name = await target.getAttribute("name");
    const isRadio = (await target.getAttribute("type")) === "radio";
    return isRadio && name ? target.locator(`xpath=ancestor::body//input[@type="radio"][@name="${name}"]`) : target;
  };
  return {
    async press(target) {
      await tabTo(target);
      await keyboard.press("Enter");
    },
    async write(target, words) {
      await tabTo(target);
      await keyboard.press("Control+a");
      await keyboard.type(words);
    },
    async choose(target, label) {
      await tabTo(target);
      const chosen = () =>
        target.evaluate(
          (list, wanted) => list instanceof HTMLSelectElement && list.selectedOptions[0]?.label === wanted,
          label,
        );
      let way = "";
      for (let count = 0; !(await chosen()); count += 1) {
        if (count > ARROWS_MAX) throw new Error(`the arrows never reach ${label}`);
        await keyboard.press(way || "Home");
        way = "ArrowDown";
      }
    },
    async pick(target, label) {
      await tabTo(target);
      await keyboard.type(label);
      const option = page.getByRole("option", { name: label, exact: true });
      await option.waitFor();
      for (let count = 0; count < ARROWS_MAX; count += 1) {
        const isMarked = await option.evaluate((one) => one.matches("[aria-selected=true], [data-combobox-selected]"));
        if (isMarked) break;
        await keyboard.press("ArrowDown");
      }
      await keyboard.press("Enter");
    },
    async check(target) {
      await tabTo(await groupOf(target));
      await go(target, "ArrowDown", ARROWS_MAX);
      if (!(await target.isChecked())) await keyboard.press("Space");
    },
    async openTab(target) {
      await tabTo(target.locator("xpath=ancestor::*[@role='tablist']").getByRole("tab"));
      await go(target, "ArrowRight", ARROWS_MAX);
    },
    async takeInMenu(target, item) {
      await tabTo(target);
      await keyboard.press("Enter");
      await go(page.getByRole("menuitem", { name: item, exact: true }), "ArrowDown", ARROWS_MAX);
      await keyboard.press("Enter");
    },
  };
}
