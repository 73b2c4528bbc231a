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
          [1, 2, 200, 90],
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
  expect(isEmptyAnswer({ name: "", strokes: [[1, 2, 200, 90, 320, 40]] })).toBe(false);
  expect(isEmptyAnswer({ name: "Una File", strokes: [] })).toBe(false);
  const anything = JSON.parse('{"name":"","strokes":[[{"toString":1},{"valueOf":2},null,"900",[],true]]}');
  expect(isEmptyAnswer(anything)).toBe(true);
});
