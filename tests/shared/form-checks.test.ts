import { formProblems } from "@app/shared/form-checks";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import type { FormKind } from "@app/shared/form-kinds";
import { describe, expect, test } from "vitest";
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
} from "../support/server/forms.ts";

const texts = (content: FormContent, kind: FormKind = "questionnaire") =>
  formProblems(content, kind).map(({ text }) => text);
const onePage = (...fields: Field[]) => aFormContent([aFormPage("page_one", fields)]);
const pages = (...jumps: FormPage["jumps"][]) =>
  aFormContent(jumps.map((to, at) => aFormPage(`p${at + 1}`, [aYesNo(`q${at + 1}`)], { jumps: to })));
const term = (fieldId: string, columnId: string | null = null) => ({ fieldId, columnId, sign: "plus" as const });
const always = (to: string) => [{ when: null, to }];
const asked = aShortText("q", { label: "Town" });

const FIELD_CASES: [string, Field[], string][] = [
  ["a question without words", [{ ...asked, label: "" }], "Question 1 has no words. Write what it asks."],
  [
    "one answer to choose from",
    [aChoice("q", ["a"], { label: "Town" })],
    "“Town” needs at least two answers to choose from.",
  ],
  [
    "an answer without words",
    [
      aChoice("q", ["a", "b"], {
        label: "Town",
        options: [
          { value: "a", label: "", score: null },
          { value: "b", label: "B", score: null },
        ],
      }),
    ],
    "An answer of “Town” has no words.",
  ],
  [
    "two answers that are the same",
    [
      aChoice("q", ["a", "b"], {
        label: "Town",
        options: [
          { value: "a", label: "York", score: null },
          { value: "b", label: "york", score: null },
        ],
      }),
    ],
    "Two answers of “Town” are the same.",
  ],
  [
    "a grid without rows",
    [{ ...asked, type: "matrix", rows: [], columns: [], isEveryRowNeeded: false }],
    "“Town” needs a row and two columns.",
  ],
  ["a group without questions", [{ ...aGroup("q", []), label: "Town" }], "“Town” has no questions."],
  [
    "a group that asks for more than it allows",
    [{ ...aGroup("q", [asked]), id: "g", label: "Town", atLeast: 6 }],
    "“Town” asks for more answers than it allows.",
  ],
  [
    "a number without a range",
    [aNumber("q", { label: "Town", min: 5, max: 4 })],
    "“Town” asks for an amount above the largest that it allows.",
  ],
  [
    "a rating without a range",
    [{ ...asked, type: "rating", from: 1, to: 1, lowLabel: "", highLabel: "" }],
    "“Town” needs a range of numbers.",
  ],
  ["a consent without a text", [{ ...asked, type: "consent", text: "" }], "Write what people agree to in “Town”."],
  [
    "a statement that says nothing",
    [asked, { type: "statement", id: "s", label: "", help: "", visibleIf: null, text: "", pictureId: "" }],
    "A statement says nothing.",
  ],
  [
    "a hidden value without a name",
    [asked, { type: "hidden", id: "h", label: "Source", parameter: "", sensitivity: "practice", mapTo: null }],
    "Name the part of the address that “Source” is taken from.",
  ],
  ["a sum of nothing", [asked, aSum("s", [])], "Choose what “Sum s” adds up."],
  [
    "a sum of what is gone",
    [asked, aSum("s", [term("gone")])],
    "“Sum s” adds up an answer that is not there any more.",
  ],
  [
    "a sum of a column of no group",
    [aNumber("n"), aSum("s", [term("n", "q")])],
    "“Sum s” adds up an answer that is not there any more.",
  ],
  ["a sum of texts", [asked, aSum("s", [term("q")])], "“Sum s” cannot add up “Town”, which is no number."],
];

const RULE_CASES: [string, Field[], string][] = [
  [
    "a question that is gone",
    [{ ...asked, visibleIf: when("gone", "is_set") }],
    "A rule of “Town” asks about a question that is not there any more.",
  ],
  [
    "what cannot be asked",
    [aYesNo("first"), { ...asked, visibleIf: when("first", "gt", 1) }],
    "A rule of “Town” asks what “Question first” cannot answer.",
  ],
  [
    "an answer that is not offered",
    [aYesNo("first"), { ...asked, visibleIf: when("first", "equals", "unsure") }],
    "Choose what a rule of “Town” compares “Question first” with.",
  ],
  [
    "no answer at all",
    [aShortText("first"), { ...asked, visibleIf: when("first", "contains", "") }],
    "Choose what a rule of “Town” compares “Question first” with.",
  ],
  [
    "a list where one is compared",
    [aYesNo("first"), { ...asked, requiredIf: when("first", "equals", ["yes"]) }],
    "Choose what a rule of “Town” compares “Question first” with.",
  ],
  ["itself", [{ ...asked, visibleIf: when("q", "is_set") }], "A rule of “Town” asks about “Town”, which comes later."],
  [
    "a later question",
    [{ ...asked, visibleIf: when("next", "is_set") }, aYesNo("next")],
    "A rule of “Town” asks about “Question next”, which comes later.",
  ],
  [
    "a sum of a later question",
    [aSum("sum", [term("n")]), { ...asked, visibleIf: when("sum", "gt", 1) }, aNumber("n")],
    "A rule of “Town” asks about “Sum sum”, which comes later.",
  ],
  [
    "a later question of the same row",
    [aGroup("g", [{ ...asked, visibleIf: when("age", "gt", 1) }, aNumber("age")])],
    "A rule of “Town” asks about a question that is not there any more.",
  ],
  [
    "what is gone, for its flag in a row",
    [aGroup("g", [{ ...asked, flag: { when: when("gone", "is_set"), text: "Look" } }])],
    "A rule of “Town” asks about a question that is not there any more.",
  ],
];

describe("formProblems", () => {
  test("a form that is ready: there are none", () => {
    expect(texts(pages([], []))).toEqual([]);
  });

  test.each(FIELD_CASES)("%s: the question is named", (_, fields, text) => {
    expect(texts(onePage(...fields))).toEqual([text]);
  });

  test.each(RULE_CASES)("a rule that asks about %s: it is said where", (_, fields, text) => {
    expect(texts(onePage(...fields))).toEqual([text]);
  });

  test("rules that ask what comes before, or the answer itself for a flag: nothing is wrong", () => {
    const flagged = aYesNo("first", { flag: { when: when("first", "equals", "yes"), text: "Look" } });
    const inner = [aNumber("age"), aShortText("school", { visibleIf: when("age", "gte", 5) })];
    const group = aGroup("children", inner);
    const later = aShortText("more", {
      visibleIf: when("children", "gte", 1),
      requiredIf: when("first", "one_of", ["yes"]),
    });
    expect(texts(onePage(flagged, group, later, aSum("sum", [term("children", "age")])))).toEqual([]);
  });

  test.each([
    ["without a title", { title: "" }, "Give the form a title."],
    ["without thanks", { thanks: { title: "", text: "" } }, "Say what stands there once the form was sent."],
  ])("a form %s: it is asked for", (_, more, text) => {
    expect(texts({ ...onePage(asked), ...more })).toEqual([text]);
  });

  test("nothing to answer, an empty page, or a page without a title: each is said", () => {
    const statement: Field = {
      type: "statement",
      id: "s",
      label: "Welcome",
      help: "",
      visibleIf: null,
      text: "",
      pictureId: "",
    };
    expect(texts(onePage(statement))).toEqual(["Add at least one question."]);
    expect(texts(aFormContent([aFormPage("first", [asked]), aFormPage("second", [], { title: "" })]))).toEqual([
      "Give page 2 a title.",
      "Page 2 is empty. Add a question, or take the page out.",
    ]);
  });

  test("two parts of one name, also inside a group: they are named", () => {
    expect(texts(onePage(asked, aGroup("g", [aNumber("q")])))).toEqual([
      "Two parts have the internal name q. Take one out and add it anew.",
    ]);
  });

  test("sums that add up each other: each of them is said, and of what only reads them nothing", () => {
    const form = onePage(asked, aSum("a", [term("b")]), aSum("b", [term("a")]), aSum("c", [term("a")]));
    expect(texts(form)).toEqual(["“Sum a” adds up itself.", "“Sum b” adds up itself."]);
  });

  test("many sums of each other: the checks end at once", () => {
    const sums = Array.from({ length: 39 }, (_, at) =>
      aSum(
        `s${at}`,
        Array.from({ length: 40 }, (__, to) => term(`s${to % 39}`)),
      ),
    );
    const begin = Date.now();
    expect(texts(onePage(...sums, { ...asked, visibleIf: when("s1", "gt", 1) })).length).toBeGreaterThan(0);
    expect(Date.now() - begin).toBeLessThan(1000);
  });

  test("a jump backwards, to its own page or to nowhere: it is said", () => {
    for (const to of ["p1", "p2", "gone"])
      expect(texts(pages([], always(to), []))).toContain("A jump from page 2 does not lead to a later page.");
  });

  test("a page that a jump always leads past: nobody can reach it", () => {
    expect(texts(pages(always("p3"), [], []))).toEqual([
      "Nobody can reach page 2: a jump before it always leads past it.",
    ]);
    expect(texts(pages(always("end"), []))).toEqual([
      "Nobody can reach page 2: a jump before it always leads past it.",
    ]);
  });

  test("a jump that leads past only sometimes, or from a page that is not always shown: all can be reached", () => {
    expect(texts(pages([{ when: when("q1", "equals", "yes"), to: "p3" }], [], []))).toEqual([]);
    const hidden = pages([], always("p4"), [], []);
    const [first, second, ...rest] = hidden.pages;
    if (!first || !second) throw new Error("two pages are missing");
    const shown = { ...second, visibleIf: when("q1", "equals", "yes") };
    expect(texts({ ...hidden, pages: [first, shown, ...rest] })).toEqual([]);
  });

  test("what answers are saved to: once each, of a type that fits, and of the kind of form", () => {
    const email: Field = { ...asked, type: "email", mapTo: "client.email" };
    expect(texts(onePage(email))).toEqual([]);
    expect(texts(onePage(email, { ...email, id: "other", label: "Other" }))).toEqual([
      "Two questions are saved to “Client: email”. Choose one of them.",
    ]);
    expect(texts(onePage({ ...asked, mapTo: "client.email" }))).toEqual([
      "The answer to “Town” does not fit “Client: email”.",
    ]);
    expect(texts(onePage({ ...asked, mapTo: "lead.name" }))).toEqual([
      "“Town” is saved to “Enquirer: name”, which this kind of form does not have.",
    ]);
  });

  test("a lead form without a name and an email: both are asked for", () => {
    expect(texts(onePage(asked), "lead")).toEqual([
      "No question is saved to “Enquirer: name”. A lead cannot be without it.",
      "No question is saved to “Enquirer: email”. A lead cannot be without it.",
    ]);
  });
});
