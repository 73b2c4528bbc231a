// What was not answered, as those who read and print it meet it.
import { isEmptyAnswer } from "@app/shared/form-answers";
import type { Field } from "@app/shared/form-fields";
import { expect, test } from "vitest";
import { aFormContent, aFormPage, aGroup, aNumber, aShortText, aSum } from "../support/server/forms.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aFormLink, aPublishedForm, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const { maxLength: _most, ...asked } = aShortText("signed", { label: "Signed" });
const signed: Field = { ...asked, type: "signature", text: "", isRequired: true };

async function readAfter(fields: Field[], answers: Parameters<typeof submit>[2]) {
  const form = await aPublishedForm(practice, aFormContent([aFormPage("first", fields)]));
  const { place } = await aFormLink(practice, { formId: form.id });
  expect(await submit(aVisitor(app), place, answers)).toMatchObject({ state: "sent" });
  const { items } = await practice.api.submissions.list.query({ formId: form.id });
  const { pages } = await practice.api.submissions.get.query({ id: items[0]?.id ?? "" });
  const lines = pages.flatMap((page) => page.lines.map(({ label, text }) => [label, text]));
  return Object.fromEntries(lines);
}

test("submissions.get: a sum of what nobody entered, when it is read, is not nought, and its questions say that they were not answered", async () => {
  const debts = aGroup("debts", [aNumber("owed")]);
  const sums = [
    aSum("owing", [{ fieldId: "debts", columnId: "owed", sign: "plus" }]),
    aSum("all", [
      { fieldId: "owing", columnId: null, sign: "plus" },
      { fieldId: "saved", columnId: null, sign: "plus" },
    ]),
  ];
  const fields = [aShortText("town"), debts, aNumber("saved"), ...sums];
  expect(await readAfter(fields, { town: "Hull" })).toEqual({
    "Question town": "Hull",
    "Question debts": "Not answered",
    "Question saved": "Not answered",
    "Sum owing": "Nothing entered",
    "Sum all": "Nothing entered",
  });
  expect(await readAfter(fields, { saved: 0 })).toMatchObject({ "Sum owing": "Nothing entered", "Sum all": "0" });
});

test("filling.submit: a signature that is drawn alone, when it is sent, is taken and read as a drawing", async () => {
  expect(
    await readAfter([signed], {
      signed: {
        name: "",
        strokes: [
          [1, 2, 120, 190, 200, 20],
          [210, 40, 300, 90],
        ],
      },
    }),
  ).toEqual({
    Signed: "Signed with a drawing",
  });
});

test("a signature: a slip of the finger in its box, when it is sent, is none", () => {
  for (const strokes of [[[305, 122, 317, 122]], [[1, 1, 1, 1, 1, 1]], [[1, 2]], []])
    expect(isEmptyAnswer({ name: "", strokes })).toBe(true);
  expect(isEmptyAnswer({ name: "", strokes: [[1, 2, 120, 190, 220, 40]] })).toBe(false);
  expect(isEmptyAnswer({ name: "Una File", strokes: [] })).toBe(false);
  const anything = JSON.parse('{"name":"","strokes":[[{"toString":1},{"valueOf":2},null,"900",[],true]]}');
  expect(isEmptyAnswer(anything)).toBe(true);
});

/** From one place to the other as a finger goes: it trembles, and swings to the side as a thumb does. */
function aSwipe([fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number], swing = 0): number[] {
  const [dx, dy] = [toX - fromX, toY - fromY];
  return Array.from({ length: 15 }, (_, index) => {
    const part = index / 14;
    const aside = swing * 4 * part * (1 - part);
    const tremble = [0, 6, -5, 3, -6][index % 5] ?? 0;
    return [fromX + dx * part - dy * aside + tremble, fromY + dy * part + dx * aside - tremble].map(Math.round);
  }).flat();
}

test.each<[string, number[][]]>([
  ["up", [aSwipe([500, 300], [500, 10])]],
  ["down, in the arc of a thumb", [aSwipe([400, 5], [430, 315], 0.08)]],
  ["across", [aSwipe([10, 160], [990, 150])]],
  ["across, in the arc of a thumb", [aSwipe([100, 100], [900, 260], -0.08)]],
  ["up and down again in one", [[...aSwipe([500, 300], [500, 10]), ...aSwipe([505, 10], [508, 300])]]],
  ["twice", [aSwipe([500, 300], [500, 10]), aSwipe([300, 10], [310, 300])]],
  ["up, and then a slip across it", [aSwipe([500, 300], [500, 10]), [480, 150, 520, 152]]],
])("a signature: a swipe that was to scroll, %s, is none", (_how, strokes) => {
  expect(isEmptyAnswer({ name: "", strokes })).toBe(true);
});

test.each<[string, number[][]]>([
  ["a wave", [[100, 100, 200, 200, 300, 110, 400, 210, 500, 100]]],
  ["a loop", [[300, 250, 420, 40, 360, 30, 350, 200, 450, 240]]],
  [
    "letters by themselves",
    [[100, 60, 100, 200], [100, 60, 160, 90, 110, 130, 180, 200], aSwipe([220, 200], [600, 200])],
  ],
  ["a cross", [aSwipe([300, 60], [480, 240]), aSwipe([480, 60], [300, 240])]],
  ["an H", [aSwipe([300, 60], [300, 240]), aSwipe([420, 60], [420, 240]), aSwipe([300, 150], [420, 150])]],
  ["IV", [aSwipe([200, 60], [200, 240]), aSwipe([260, 60], [320, 240]), aSwipe([380, 60], [320, 240])]],
])("a signature: %s, as people draw one, is one", (_what, strokes) => {
  expect(isEmptyAnswer({ name: "", strokes })).toBe(false);
});

test.each(["\u200B", "\u2060\uFEFF", " \u3164", "\u2800", "\u0301", ".", "- 7", "\u2022"])(
  "a signature: a name without a letter (%j) is none",
  (name) => {
    expect(isEmptyAnswer({ name, strokes: [] })).toBe(true);
  },
);

test.each(["X", "\u674E", "E\u0301lodie", "O'Neil", "\u0645\u0646\u0649"])(
  "a signature: %j, which has a letter, is one",
  (name) => {
    expect(isEmptyAnswer({ name, strokes: [] })).toBe(false);
  },
);
