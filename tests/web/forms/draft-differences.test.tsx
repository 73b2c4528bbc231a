import { plainWords, conditionWords } from "@app/shared/form-words";
import { formProblems } from "@app/shared/form-checks";
import { expect, test } from "vitest";
import { DRAFT_FIELDS } from "../../../web/src/features/forms/builder-draft.ts";
import { aFormContent, aFormPage, aGroup, aShortText, aYesNo, when } from "../../support/server/forms.ts";

const draft = (fields: Parameters<typeof aFormPage>[1]) => ({
  name: "Walk",
  content: aFormContent([aFormPage("one", fields)]),
});
const pages = DRAFT_FIELDS.find(({ key }) => key === "pages");

test("two drafts of one form: where both changed a question, each says in words what is other in it, and nothing that is the same", () => {
  const mine = draft([aYesNo("children", { label: "Have you children?" }), aShortText("town", { label: "City" })]);
  const theirs = draft([
    aYesNo("children", { label: "Have you children?" }),
    aShortText("town", { label: "Town", isRequired: true, visibleIf: when("children", "equals", "yes") }),
    aShortText("more"),
  ]);
  expect(pages?.text(mine, theirs)).toBe(
    "“City”: words “City”, answer needed no, rules not set; “Question more” is not there",
  );
  expect(pages?.text(theirs, mine)).toBe(
    "“Town”: words “Town”, answer needed yes, rules “Show Town when Have you children? is Yes”; “Question more” is there",
  );
});

test("two drafts of one form: where questions stand otherwise, each says its order", () => {
  const [first, second] = [aShortText("first"), aShortText("second")];
  expect(pages?.text(draft([second, first]), draft([first, second]))).toBe(
    "order: Page one, Question second, Question first",
  );
});

test("a rule on a group: where its rows are counted, it says so", () => {
  const { content } = draft([aGroup("children", [aShortText("name")])]);
  expect(plainWords(conditionWords(content, when("children", "gt", 1)))).toMatch(/^the number of Question children /);
});

test("the checks: of a question without words in a group, they say which it is", () => {
  const { content } = draft([aGroup("children", [aShortText("name", { label: "" })])]);
  expect(formProblems(content, "questionnaire").map(({ text }) => text)).toContain(
    "Question 1 in “Question children” has no words. Write what it asks.",
  );
});
