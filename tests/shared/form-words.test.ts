import { formChanges } from "@app/shared/form-changes";
import { comparisonsOf } from "@app/shared/form-logic";
import { conditionWords, formRules, plainWords } from "@app/shared/form-words";
import { describe, expect, test } from "vitest";
import { aChoice, aFormContent, aFormPage, aShortText, aYesNo, when } from "../support/server/forms.ts";

const children = aYesNo("children", { label: "Do you have children?", hasUnsure: true });
const town = aShortText("town", { label: "Town" });
const way = aChoice("way", ["car", "bus"], { label: "How do you travel?" });
const form = aFormContent([aFormPage("p1", [children, way]), aFormPage("p2", [town], { title: "Children" })]);

describe("conditionWords", () => {
  test("an answer that is compared: it is said by its words", () => {
    expect(plainWords(conditionWords(form, when("children", "equals", "unsure")))).toBe(
      "Do you have children? is I am not sure",
    );
    expect(plainWords(conditionWords(form, when("way", "one_of", ["car", "bus"])))).toBe(
      "How do you travel? is one of Answer car or Answer bus",
    );
    expect(plainWords(conditionWords(form, when("town", "is_empty")))).toBe("Town has no answer");
  });

  test("several of them, one in another: each is joined as it is reckoned", () => {
    const inner = {
      joint: "or" as const,
      of: comparisonsOf(when("town", "is_set")).concat(comparisonsOf(when("way", "equals", "car"))),
    };
    const both = { joint: "and" as const, of: [...comparisonsOf(when("children", "equals", "yes")), inner] };
    expect(plainWords(conditionWords(form, { joint: "and", of: both.of.slice(0, 1) }))).toBe(
      "Do you have children? is Yes",
    );
    expect(plainWords(conditionWords(form, { ...both, joint: "not" }))).toBe(
      "it is not so that Do you have children? is Yes or (Town has an answer or How do you travel? is Answer car)",
    );
  });

  test("what is gone or not chosen yet: it is said instead of left out", () => {
    expect(plainWords(conditionWords(form, when("gone", "is_set")))).toBe(
      "a question that is not there any more has an answer",
    );
    expect(plainWords(conditionWords(form, when("way", "equals", "train")))).toContain(
      "an answer that is not there any more",
    );
    expect(plainWords(conditionWords(form, when("town", "equals", "")))).toBe("Town is …");
  });
});

test("formRules: every rule is a sentence, pages first, with what is named standing out", () => {
  const flag = { when: when("children", "equals", "yes"), text: "There are children" };
  const pages = [
    aFormPage("p1", [{ ...children, flag }], { jumps: [{ when: null, to: "end" }] }),
    aFormPage(
      "p2",
      [{ ...town, visibleIf: when("children", "equals", "yes"), requiredIf: when("children", "is_set") }],
      {
        title: "Children",
        visibleIf: when("children", "not_equals", "no"),
      },
    ),
  ];
  const rules = formRules(aFormContent(pages));
  expect(rules.map(({ words }) => plainWords(words))).toEqual([
    "After this page end the form always",
    "Tell the mediator There are children when Do you have children? is Yes",
    "Show page Children when Do you have children? is not No",
    "Show Town when Do you have children? is Yes",
    "An answer to Town is needed when Do you have children? has an answer",
  ]);
  expect(rules[3]?.words.filter(({ isName }) => isName).map(({ text }) => text)).toEqual([
    "Town",
    "Do you have children?",
    "Yes",
  ]);
});

describe("formChanges", () => {
  const after = (...pages: typeof form.pages) => formChanges(form, { ...form, pages });

  test("the same form: nothing changed", () => {
    expect(formChanges(form, structuredClone(form))).toEqual([]);
  });

  test("questions that were added, taken out, moved or changed: each is said by its name", () => {
    const other = aShortText("other", { label: "Postcode" });
    const changed = { ...town, label: "City", isRequired: true, visibleIf: when("children", "is_set") };
    expect(after(aFormPage("p1", [children, changed, other]), aFormPage("p2", [], { title: "Children" }))).toEqual([
      { name: "City", what: ["other words", "an answer is needed now", "other rules", "moved to Page p1"] },
      { name: "Postcode", what: ["added"] },
      { name: "How do you travel?", what: ["taken out"] },
    ]);
  });

  test("one question that changed places: only that one moved", () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => aShortText(id));
    if (!a || !b || !c || !d) throw new Error("four questions");
    const was = aFormContent([aFormPage("p1", [a, b, c, d])]);
    const is = aFormContent([aFormPage("p1", [b, c, d, a])]);
    expect(formChanges(was, is)).toEqual([{ name: "Question a", what: ["moved"] }]);
  });

  test("answers, readers, pages and the form itself: each is said", () => {
    const [p1, p2] = form.pages;
    if (!p1 || !p2) throw new Error("two pages");
    const more = { ...way, options: way.options.slice(1), sensitivity: "mediator" as const };
    const p3 = aFormPage("p3", [aShortText("new")], { title: "More" });
    expect(
      formChanges(form, { ...form, title: "Other", pages: [p2, { ...p1, fields: [children, more] }, p3] }),
    ).toEqual([
      { name: "The form", what: ["other title"] },
      { name: "Page p1", what: ["moved"] },
      { name: "More", what: ["page added"] },
      { name: "How do you travel?", what: ["other answers", "other readers"] },
      { name: "Question new", what: ["added"] },
    ]);
  });
});
