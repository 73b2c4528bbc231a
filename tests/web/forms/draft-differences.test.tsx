import { plainWords, conditionWords } from "@app/shared/form-words";
import { formProblems } from "@app/shared/form-checks";
import fc from "fast-check";
import { expect, test } from "vitest";
import { draftFields } from "../../../web/src/features/forms/builder-draft.ts";
import { begin, step, taking, undo } from "../../../web/src/features/forms/form-history.ts";
import { mergeVersions } from "../../../web/src/ui/version-fields.ts";
import { aFormContent, aFormPage, aGroup, aShortText, aYesNo, when } from "../../support/server/forms.ts";

const draft = (fields: Parameters<typeof aFormPage>[1]) => ({
  name: "Walk",
  content: aFormContent([aFormPage("one", fields)]),
});
type Draft = ReturnType<typeof draft>;
const fieldOf = (key: string, ...drafts: Draft[]) => draftFields(drafts).find((field) => field.key === key);
const merged = (base: Draft, theirs: Draft, mine: Draft) => mergeVersions(draftFields, { base, theirs, mine });
const idsIn = ({ content }: Draft) => content.pages.map(({ id, fields }) => [id, ...fields.map((field) => field.id)]);

test("two drafts of one form: where both changed a question, each says in words what is other in it, and nothing that is the same", () => {
  const mine = draft([aYesNo("children", { label: "Have you children?" }), aShortText("town", { label: "City" })]);
  const theirs = draft([
    aYesNo("children", { label: "Have you children?" }),
    aShortText("town", { label: "Town", isRequired: true, visibleIf: when("children", "equals", "yes") }),
    aShortText("more"),
  ]);
  const town = fieldOf("question town", mine, theirs);
  expect(town?.label).toBe("“City”");
  expect(town?.text(mine, theirs)).toBe("words “City”, answer needed no, rules not set");
  expect(town?.text(theirs, mine)).toBe(
    "words “Town”, answer needed yes, rules “Show Town when Have you children? is Yes”",
  );
  const more = fieldOf("question more", mine, theirs);
  expect([more?.text(mine, theirs), more?.text(theirs, mine)]).toEqual(["not there", "“Question more” is there"]);
});

test("two drafts of one form: where questions stand otherwise, each says its order", () => {
  const [first, second] = [aShortText("first"), aShortText("second")];
  const [one, other] = [draft([second, first]), draft([first, second])];
  expect(fieldOf("order", one, other)?.text(one, other)).toBe("Page one, Question second, Question first");
});

test("two drafts of one form: each other’s questions are kept, and only one that both changed is asked for", () => {
  const base = draft([aShortText("a"), aShortText("b"), aShortText("c")]);
  const theirs = draft([aShortText("a", { label: "Their a" }), aShortText("new"), aShortText("b"), aShortText("c")]);
  const mine = draft([aShortText("a"), aShortText("b", { label: "My b" }), aShortText("mine")]);
  const { values, clashing } = merged(base, theirs, mine);
  expect(clashing).toEqual([]);
  expect(idsIn(values)).toEqual([["one", "a", "new", "b", "mine"]]);
  expect(values.content.pages[0]?.fields).toMatchObject([{ label: "Their a" }, {}, { label: "My b" }, {}]);
  const both = draft([aShortText("a", { label: "My a" }), aShortText("b"), aShortText("c")]);
  expect(merged(base, theirs, both).clashing).toEqual(["question a"]);
});

test("two drafts of one form: one orders questions over two pages while the other adds one, and takes a page out", () => {
  const of = (...pages: [string, ...string[]][]) => ({
    name: "Walk",
    content: aFormContent(
      pages.map(([id, ...ids]) =>
        aFormPage(
          id,
          ids.map((one) => aShortText(one)),
        ),
      ),
    ),
  });
  const base = of(["one", "a", "b"], ["two", "c"]);
  const theirs = of(["two", "c", "a"], ["one", "b"]);
  const mine = of(["one", "a", "mine", "b"], ["two", "c", "also"]);
  expect(merged(base, theirs, mine)).toMatchObject({ clashing: [] });
  expect(idsIn(merged(base, theirs, mine).values)).toEqual([
    ["two", "c", "also", "a"],
    ["one", "mine", "b"],
  ]);
  // What was put on a page that the other took out stays.
  expect(idsIn(merged(base, of(["one", "a", "b"]), mine).values)).toEqual([["one", "a", "mine", "b", "also"]]);
});

test("two drafts of one form: of any changes of two people, the merge has all questions that either added and none that either took out", () => {
  const ids = fc.shuffledSubarray(["a", "b", "c", "d", "e", "x", "y"]);
  const drafts = fc
    .tuple(ids, ids)
    .map(([one, two]) => ({ one, two: two.filter((id) => !one.includes(id)) }))
    .map(({ one, two }) => ({
      name: "Walk",
      content: aFormContent([
        aFormPage(
          "p1",
          one.map((id) => aShortText(id)),
        ),
        aFormPage(
          "p2",
          two.map((id) => aShortText(id)),
        ),
      ]),
    }));
  const all = (one: Draft) => new Set(idsIn(one).flatMap(([, ...fields]) => fields));
  fc.assert(
    fc.property(drafts, drafts, drafts, (base, theirs, mine) => {
      const { values } = merged(base, theirs, mine);
      const [was, other, own] = [all(base), all(theirs), all(mine)];
      const expected = [...new Set([...was, ...other, ...own])].filter((id) =>
        was.has(id) ? other.has(id) && own.has(id) : other.has(id) || own.has(id),
      );
      const got = idsIn(values).flatMap(([, ...fields]) => fields);
      expect(got.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 300 },
  );
});

test("the steps of a draft: once others changed it, an undo takes back what was done here and nothing of theirs", () => {
  const base = draft([aShortText("a"), aShortText("b")]);
  const mine = draft([aShortText("a"), aShortText("b", { label: "My b" })]);
  const theirs = draft([aShortText("a", { label: "Their a" }), aShortText("b")]);
  const history = taking(step(begin(base), mine), (own) => merged(base, theirs, own).values);
  expect(history.present.content.pages[0]?.fields).toMatchObject([{ label: "Their a" }, { label: "My b" }]);
  expect(undo(history).present).toEqual(theirs);
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
