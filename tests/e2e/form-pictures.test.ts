// Pictures to choose from: put into a form, looked at in the preview, and chosen by whoever fills it in.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@app/server/core/ids";
import { buttonOn } from "../support/browser/case-steps.ts";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../support/server/forms.ts";
import { generalPlace } from "../support/server/submissions.ts";

const LIMIT_MS = 90_000;
/** A real one: three by two points, blue. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGNQSFgAQQxwFgBAlAbBmOaO3wAAAABJRU5ErkJggg==",
  "base64",
);

let at: PracticeStage;
let page: Page;
let formId = "";
beforeAll(async () => {
  at = await aPracticeStage();
  ({ page } = at);
  const { maxLength: _maxLength, ...base } = aShortText("place", { label: "Where would you like to meet?" });
  const options = ["Our office", "Your home"].map((label, index) => ({
    value: `answer_${index}`,
    label,
    score: null,
    pictureId: "",
  }));
  const content = aFormContent([aFormPage("first", [{ ...base, type: "picture_choice", atMost: 1, options }])]);
  ({ id: formId } = await at.owner.api.forms.create.mutate({ id: newId(), ...aFormInput({ content }) }));
}, LIMIT_MS);
afterAll(() => at.stage.close());

const button = buttonOn(() => page);
const settings = () => page.getByRole("region", { name: "Settings" });
const dialog = () => page.getByRole("dialog");
/** The picture with these words, once it was drawn. */
const drawn = async (within: ReturnType<typeof dialog> | Page, words: string) => {
  const picture = within.getByRole("img", { name: words });
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth)).toBe(3);
};

test(
  "pictures of a form: added with their words, tried out, published, and chosen",
  { timeout: LIMIT_MS },
  async () => {
    await page.goto(`/settings/forms/create/${formId}`);
    await page.getByRole("region", { name: "Questions" }).getByRole("button", { name: "Where would you like" }).click();
    const names = ["The door of our office", "A house"];
    for (const [index, words] of names.entries()) {
      const chosen = page.waitForEvent("filechooser");
      await button(`Add a picture for answer ${index + 1}`, settings()).click();
      await (await chosen).setFiles({ name: "door.png", mimeType: "image/png", buffer: PICTURE });
      await settings().getByLabel("What the picture shows").nth(index).fill(words);
    }
    await page.getByText(/^Saved /).waitFor();
    await expectNoAxeViolations(page);

    await button("Preview").click();
    for (const words of names) await drawn(dialog(), words);
    await dialog()
      .getByRole("radio", { name: /Our office/ })
      .check();
    await button("Continue", dialog()).click();
    await dialog().getByText("Check your answers").waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press("Escape");

    await button("Publish version 1").click();
    await button("Publish version 1", dialog()).click();
    await dialog().waitFor({ state: "detached" });
    const place = await generalPlace(at.owner, formId);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/form/${place.formId}/${place.userId}`);
    for (const words of names) await drawn(page, words);
    await page.getByRole("radio", { name: /Your home/ }).check();
    await expectNoAxeViolations(page);
    await button("Continue").click();
    await page.getByRole("heading", { name: "Check your answers" }).waitFor();
    await page.getByText("Your home").waitFor();
    expect(at.watched.complaints).toEqual([]);
  },
);
