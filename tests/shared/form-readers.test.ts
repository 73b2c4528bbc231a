// S70: whoever reads some of the answers cannot tell from them what another question was answered.
import type { FormContent } from "@app/shared/form-content";
import { evaluateForm } from "@app/shared/form-evaluation";
import type { Answers } from "@app/shared/form-answers";
import { readersAmong, readersOfFlag } from "@app/shared/form-readers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answer, randomAnswers, randomForm } from "../support/forms/random-form.ts";
import { aFormContent, aFormPage, aGroup, aNumber, aShortText, aSum, aYesNo, when } from "../support/server/forms.ts";

const isOpen = (readers: readonly string[]) => readers.every((one) => one === "practice");

/** The questions that anybody of the practice reads. */
const openIn = (form: FormContent): Set<string> =>
  new Set(
    form.pages.flatMap(({ fields }) =>
      fields.flatMap((field) => (field.type !== "statement" && isOpen(readersAmong(form, field)) ? [field.id] : [])),
    ),
  );

/** The practice reads all but this one. */
const hiding = (form: FormContent, hidden: string): FormContent => ({
  ...form,
  pages: form.pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) =>
      field.type === "statement" ? field : { ...field, sensitivity: field.id === hidden ? "screening" : "practice" },
    ),
  })),
});

/** What anybody of the practice is shown, and which of it was needed. */
function shownOf(form: FormContent, given: Answers) {
  const open = openIn(form);
  const { answers, required, flags } = evaluateForm(form, given);
  return {
    answers: Object.fromEntries(Object.entries(answers).filter(([id]) => open.has(id))),
    required: [...required].filter((id) => open.has(id.split(".")[0] ?? "")),
    flags: flags.filter(({ fieldId }) => isOpen(readersOfFlag(form, fieldId))),
  };
}

describe("readersAmong, readersOfFlag", () => {
  test("of random forms: what the practice is shown is the same, whatever was answered to the question that it may not read", () => {
    fc.assert(
      fc.property(randomForm, randomAnswers, answer, fc.nat(3), (asked, first, other, at) => {
        const hidden = `q${at}`;
        const form = hiding(asked, hidden);
        expect(shownOf(form, { ...first, [hidden]: other })).toEqual(shownOf(form, first));
      }),
      { numRuns: 4000 },
    );
  });

  const harm = aYesNo("harm", { sensitivity: "screening" });
  const isHarmed = when("harm", "equals", "yes");
  const flag = (asked: string) => ({ when: when(asked, "is_set"), text: "Look at this" });

  test("a flag: it is for those who may read what carries it and all that its rule asks", () => {
    const sum = aSum("sum", [{ fieldId: "harm", columnId: null, sign: "plus" }]);
    const form = aFormContent([
      aFormPage("first", [
        harm,
        sum,
        aShortText("town", { flag: flag("town") }),
        aShortText("street", { flag: flag("harm") }),
        aShortText("house", { flag: flag("sum") }),
        aShortText("private", { sensitivity: "mediator", flag: flag("town") }),
        aGroup("children", [aShortText("name", { flag: flag("name") }), aShortText("school", { flag: flag("harm") })]),
      ]),
    ]);
    expect(readersOfFlag(form, "town")).toEqual(["practice"]);
    expect(readersOfFlag(form, "street")).toEqual(["practice", "screening"]);
    expect(readersOfFlag(form, "house")).toEqual(["practice", "screening"]);
    expect(readersOfFlag(form, "private")).toEqual(["mediator", "practice"]);
    expect(readersOfFlag(form, "name")).toEqual(["practice"]);
    expect(readersOfFlag(form, "school")).toEqual(["practice", "screening"]);
  });

  test("a page that is jumped over by one that not everybody comes to: it tells of what decides on that", () => {
    const form = (second: Parameters<typeof aFormPage>[2], jumps: FormContent["pages"][number]["jumps"] = []) =>
      aFormContent([
        aFormPage("first", [harm, aShortText("town")], { jumps }),
        aFormPage("second", [aShortText("more")], {
          ...second,
          jumps: [{ when: when("town", "is_set"), to: "fourth" }],
        }),
        aFormPage("third", [aShortText("told")]),
        aFormPage("fourth", [aShortText("last")]),
      ]);
    const told = aShortText("told");
    expect(readersAmong(form({}), told)).toEqual(["practice"]);
    expect(readersAmong(form({ visibleIf: isHarmed }), told)).toEqual(["practice", "screening"]);
    expect(readersAmong(form({}, [{ when: isHarmed, to: "third" }]), told)).toEqual(["practice", "screening"]);
    const either = [
      { when: isHarmed, to: "third" },
      { when: when("town", "is_set"), to: "fourth" },
    ];
    expect(readersAmong(form({}, either), told)).toEqual(["practice", "screening"]);
    expect(readersAmong(form({ visibleIf: isHarmed }), aShortText("last"))).toEqual(["practice"]);
  });

  test("a question that is needed because of another: that it was left out tells of that other", () => {
    const town = aShortText("town", { requiredIf: isHarmed });
    const group = aGroup("children", [aNumber("age", { requiredIf: isHarmed })]);
    const form = aFormContent([aFormPage("first", [harm, town, group])]);
    expect(readersAmong(form, town)).toEqual(["practice", "screening"]);
    expect(readersAmong(form, group)).toEqual(["practice", "screening"]);
  });

  test("a group of which one question is kept from others: whoever may not read that one reads none of it, nor its sum", () => {
    for (const sensitivity of ["screening", "mediator"] as const) {
      const group = aGroup("children", [aShortText("name"), aNumber("age", { sensitivity })]);
      const total = aSum("total", [{ fieldId: "children", columnId: "age", sign: "plus" }]);
      const form = aFormContent([aFormPage("first", [group, total])]);
      for (const field of [group, total]) expect(readersAmong(form, field)).toEqual(["practice", sensitivity]);
      expect(readersOfFlag(form, "age")).toEqual(["practice", sensitivity]);
    }
  });
});
