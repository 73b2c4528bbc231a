// What the builder does to a form, without the page: whatever is done, a form is left.
import { formProblems } from "@app/shared/form-checks";
import { formContentSchema, type FormContent } from "@app/shared/form-content";
import { FIELD_TYPES } from "@app/shared/form-limits";
import { comparisonsOf } from "@app/shared/form-logic";
import { formRules, plainWords } from "@app/shared/form-words";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addField,
  changeField,
  duplicateField,
  findField,
  moveField,
  moveFieldTo,
  removeField,
} from "../../../web/src/features/forms/field-edits.ts";
import { begin, redo, step, undo } from "../../../web/src/features/forms/form-history.ts";
import { freeId, idsIn } from "../../../web/src/features/forms/form-ids.ts";
import { newField } from "../../../web/src/features/forms/new-field.ts";
import { addOption, moveOption, removeOption } from "../../../web/src/features/forms/option-edits.ts";
import { addPage, duplicatePage, movePage, newPage, removePage } from "../../../web/src/features/forms/page-edits.ts";
import { rulesAbout } from "../../../web/src/features/forms/rule-edits.ts";
import {
  aChoice,
  aFormContent,
  aFormPage,
  aGroup,
  aNumber,
  aShortText,
  aSum,
  aYesNo,
  when,
} from "../../support/server/forms.ts";

type Edit = (content: FormContent) => FormContent;

const START = aFormContent([
  aFormPage("page_1", [
    aYesNo("yes_no_1"),
    aChoice("one_of_1", ["answer_1", "answer_2"], { visibleIf: when("yes_no_1", "equals", "yes") }),
  ]),
  aFormPage("page_2", [
    aGroup("repeat_group_1", [
      aNumber("number_1"),
      aShortText("short_text_1", { visibleIf: when("number_1", "gt", 1) }),
    ]),
    aSum("calculated_1", [{ fieldId: "repeat_group_1", columnId: "number_1", sign: "plus" }]),
    aShortText("short_text_2", { requiredIf: when("one_of_1", "one_of", ["answer_1", "answer_2"]) }),
  ]),
]);

const at = <One,>(list: readonly One[], number: number): One | undefined => list[number % list.length];
const fieldAt = ({ pages }: FormContent, number: number) =>
  at(
    pages.flatMap(({ fields }) => fields),
    number,
  )?.id ?? "none";
const pageAt = ({ pages }: FormContent, number: number) => at(pages, number)?.id ?? "none";

const edit: fc.Arbitrary<Edit> = fc
  .record({
    kind: fc.nat(11),
    n: fc.nat(60),
    m: fc.nat(60),
    by: fc.constantFrom(-1 as const, 1 as const),
    type: fc.constantFrom(...FIELD_TYPES),
  })
  .map(({ kind, n, m, by, type }) => (content) => {
    const [field, page] = [fieldAt(content, n), pageAt(content, m)];
    const other = fieldAt(content, m);
    const edits: Edit[] = [
      (form) => addField(form, page, n, newField(type, freeId(idsIn(form), type))),
      (form) => removeField(form, field),
      (form) => moveField(form, field, by),
      (form) => moveFieldTo(form, field, page, m),
      (form) => duplicateField(form, field),
      (form) => addPage(form, n, newPage(freeId(idsIn(form), "page"))),
      (form) => removePage(form, page),
      (form) => movePage(form, page, by),
      (form) => duplicatePage(form, page),
      (form) => removeOption(addOption(form, field, "More"), field, `answer_${m % 4}`),
      (form) => moveOption(form, field, `answer_${m % 4}`, by),
      (form) =>
        changeField(form, field, (one) => ("visibleIf" in one ? { ...one, visibleIf: when(other, "is_set") } : one)),
    ];
    return edits[kind]?.(content) ?? content;
  });

describe("edits of a form", () => {
  test("any sequence of them: what is left is a form that can be stored, and either it can be published or it says why", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const content = edits.reduce((form, change) => change(form), START);
        expect(formContentSchema.safeParse(content).error).toBeUndefined();
        const ids = content.pages.flatMap((page) => [
          page.id,
          ...page.fields.flatMap((one) => [
            one.id,
            ...(one.type === "repeat_group" ? one.fields.map(({ id }) => id) : []),
          ]),
        ]);
        expect(new Set(ids).size).toBe(ids.length);
        const problems = formProblems(content, "questionnaire");
        expect(problems.every(({ text }) => /^[“A-Z].+\.$/.test(text))).toBe(true);
        expect(problems.filter(({ text }) => text.includes("not there any more") && !text.includes("adds up"))).toEqual(
          [],
        );
      }),
      { numRuns: 300 },
    );
  });

  test("undo and redo of any sequence: each step goes back to what was there, and forth again", () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 20 }), (edits) => {
        let history = begin(START);
        const seen = [START];
        for (const change of edits) {
          const next = change(history.present);
          history = step(history, next);
          if (next !== seen.at(-1)) seen.push(next);
        }
        for (const before of seen.slice(0, -1).toReversed()) {
          history = undo(history);
          expect(history.present).toBe(before);
        }
        expect(undo(history)).toBe(history);
        for (const after of seen.slice(1)) {
          history = redo(history);
          expect(history.present).toBe(after);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("typing in one field: it is one step, until something else is done", () => {
    let history = begin("");
    for (const text of ["a", "ab", "abc"]) history = step(history, text, "label");
    history = step(history, "abcd", "help");
    expect(undo(history).present).toBe("abc");
    expect(undo(undo(history)).present).toBe("");
  });

  test("a question that rules ask about is taken out: they are told of before, and gone after", () => {
    expect(rulesAbout(START, ["yes_no_1"]).map(({ words }) => plainWords(words))).toEqual([
      "Show Question one_of_1 when Question yes_no_1 is Yes",
    ]);
    const left = removeField(START, "yes_no_1");
    expect(
      formRules(left)
        .flatMap(({ condition }) => comparisonsOf(condition))
        .map(({ fieldId }) => fieldId),
    ).toEqual(["number_1", "one_of_1"]);
    expect(findField(removeField(START, "repeat_group_1"), "calculated_1")?.field).toMatchObject({ terms: [] });
  });

  test("an answer that a rule asks about is taken out: the rule asks about the others, or goes", () => {
    const fewer = removeOption(START, "one_of_1", "answer_1");
    expect(findField(fewer, "short_text_2")?.field).toMatchObject({
      requiredIf: when("one_of_1", "one_of", ["answer_2"]),
    });
    expect(findField(removeOption(fewer, "one_of_1", "answer_2"), "short_text_2")?.field).toMatchObject({
      requiredIf: null,
    });
  });

  test("a page that is copied: its copies ask about each other, not about where they come from", () => {
    const copied = duplicatePage(START, "page_1");
    expect(copied.pages.map(({ id }) => id)).toEqual(["page_1", "page_3", "page_2"]);
    expect(copied.pages[1]?.fields).toMatchObject([
      { id: "yes_no_2" },
      { id: "one_of_2", visibleIf: when("yes_no_2", "equals", "yes") },
    ]);
  });

  test("the last page, or a place that is not there: nothing changes", () => {
    const single = removePage(START, "page_2");
    expect(removePage(single, "page_1")).toBe(single);
    expect(moveField(START, "yes_no_1", -1)).toBe(START);
    expect(movePage(START, "page_2", 1)).toBe(START);
  });
});
