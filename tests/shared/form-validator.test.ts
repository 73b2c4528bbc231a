import type { Answers } from "@app/shared/form-answers";
import type { Field } from "@app/shared/form-fields";
import { checkAnswers } from "@app/shared/form-validator";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomAnswers, randomForm } from "../support/forms/random-form.ts";
import {
  aChoice,
  aFormContent,
  aFormPage,
  aGroup,
  aNumber,
  aShortText,
  aYesNo,
  when,
} from "../support/server/forms.ts";

const options = ["a", "b", "c"].map((value) => ({ value, label: `Answer ${value}`, score: null }));
const asked = { ...aShortText("q"), label: "Question" };
const rows = [
  { value: "mon", label: "Monday" },
  { value: "tue", label: "Tuesday" },
];

/** What came from a browser: whatever JSON can say. */
const sent = (json: string): Answers => JSON.parse(json);
const check = (field: Field, answer: unknown) =>
  checkAnswers(aFormContent([aFormPage("first", [field])]), sent(JSON.stringify({ [field.id]: answer })));

const DRAWN = { name: "Ida Lindqvist", strokes: [[1, 2, 120, 190, 220, 40]] };
const NOBODY = { name: "", relation: "", email: "", phone: "" };
const PLACE = { line1: "1 Mill Lane", line2: "", town: "York", postcode: "YO1 7HH", country: "" };

const FIELDS = {
  short_text: aShortText("q", { maxLength: 10 }),
  long_text: { ...asked, type: "long_text", maxLength: 20 },
  number: aNumber("q", { min: 1, max: 10, decimals: 1 }),
  money: { ...asked, type: "money", min: 0, max: 500_000 },
  date: { ...asked, type: "date", earliest: "2026-01-01", latest: "2026-12-31" },
  time: { ...asked, type: "time" },
  date_time: { ...asked, type: "date_time", earliest: "2026-01-01", latest: null },
  birth_date: { ...asked, type: "birth_date" },
  email: { ...asked, type: "email" },
  phone: { ...asked, type: "phone" },
  name: { ...asked, type: "name" },
  address: { ...asked, type: "address" },
  contact: { ...asked, type: "contact" },
  yes_no: aYesNo("q", { hasUnsure: true }),
  one_of: aChoice("q", ["a", "b"], { hasOther: true }),
  any_of: { ...asked, type: "any_of", options, atLeast: 1, atMost: 2 },
  picture_choice: {
    ...asked,
    type: "picture_choice",
    options: options.map((one) => ({ ...one, pictureId: "" })),
    atMost: 1,
  },
  rating: { ...asked, type: "rating", from: 1, to: 5, lowLabel: "", highLabel: "" },
  matrix: { ...asked, type: "matrix", rows, columns: options, isEveryRowNeeded: true },
  ranking: { ...asked, type: "ranking", options },
  consent: { ...asked, type: "consent", text: "I agree" },
  signature: { ...asked, type: "signature", text: "" },
  file: { ...asked, type: "file", atMost: 1 },
} satisfies Record<string, Field>;
type Type = keyof typeof FIELDS;

describe("checkAnswers", () => {
  test.each<[Type, unknown, unknown?]>([
    ["short_text", " York ", "York"],
    ["long_text", "Two\nlines"],
    ["number", 2.5],
    ["money", 12_550],
    ["date", "2026-11-20"],
    ["time", "09:30"],
    ["date_time", "2026-11-20T09:30"],
    ["birth_date", "1988-02-29"],
    ["email", " Ida@MÜNCHEN.example.org ", "ida@xn--mnchen-3ya.example.org"],
    ["phone", "+44 7700 900123"],
    ["name", { first: "Ida", last: "Lindqvist" }],
    ["address", PLACE],
    ["contact", { ...NOBODY, name: "Jo", phone: "07700 900123" }],
    ["yes_no", "unsure"],
    ["one_of", "b"],
    ["one_of", "other:My own"],
    ["any_of", ["c", "a"]],
    ["picture_choice", ["b"]],
    ["rating", 5],
    ["matrix", { mon: "a", tue: "b" }],
    ["ranking", ["c", "a", "b"]],
    ["consent", "agreed"],
    ["signature", DRAWN],
    ["signature", { name: "", strokes: DRAWN.strokes }],
    ["signature", { name: "Una File", strokes: [] }],
    ["file", [{ id: "f1", name: "letter.pdf", bytes: 10 }]],
  ])("%s takes %j, in one form", (type, given, kept = given) => {
    expect(check(FIELDS[type], given)).toEqual({ answers: { q: kept }, problems: [] });
  });

  test("somebody's own name, when it is typed, is never refused for what a client's record takes", () => {
    const name = { ...FIELDS.name, mapTo: "client.name" as const };
    const line = { ...FIELDS.short_text, maxLength: 100, mapTo: "client.lastName" as const };
    for (const own of ["Zoë 🌊", "Smith 3rd (May)", "María de los Ángeles Concepción", "x".repeat(100)]) {
      expect(check(name, { first: own, last: own }).problems).toEqual([]);
      expect(check(line, own).problems).toEqual([]);
    }
  });

  test.each<[Type, unknown, string]>([
    ["short_text", "longer than ten", "Use at most 10 characters"],
    ["short_text", "two\nlines", "Use one line without special characters"],
    ["long_text", "x".repeat(21), "Use at most 20 characters"],
    ["number", 0, "Enter 1 or more"],
    ["number", 11, "Enter 10 or less"],
    ["number", 2.55, "Use at most 1 digits after the point"],
    ["number", "7", "Enter a number in figures, such as 1250"],
    ["number", "7,5", "Use a point for decimals, such as 12.5, and no commas but between thousands"],
    ["number", 1e12, "This number is too large"],
    ["money", -1, "Enter £0.00 or more"],
    ["money", 500_001, "Enter £5,000.00 or less"],
    ["money", "lots", "Enter an amount in figures, such as 1250"],
    ["money", "1,5", "Use a point for pence, such as 12.50, and a comma only between thousands, such as 1,250"],
    ["date", "2025-12-31", "Enter a date from 1 January 2026 on"],
    ["date", "2027-01-01", "Enter a date up to 31 December 2026"],
    ["date", "2026-02-30", "There is no 30 February. Check the day."],
    ["date", "2026-02-29", "There is no 29 February in 2026. Check the date."],
    ["date", "2026-13-01", "Check the month: it is a number from 1 to 12, or a name such as March"],
    ["date", "2026-4-1", "Enter a date as day, month and year"],
    ["date", "85-01-01", "Enter the year with four figures, such as 1985"],
    ["date", "2026-01-32", "Check the day: it is a number from 1 to 31"],
    ["date", "--", "Enter the day, the month and the year"],
    ["date", "2026--01", "Enter the month too"],
    ["date", "tomorrow", "Enter a date as day, month and year"],
    ["time", "25:00", "Enter a time such as 09:30"],
    ["date_time", "2026-11-20", "Enter a time such as 09:30"],
    ["date_time", "2026-13-20T09:30", "Check the month: it is a number from 1 to 12, or a name such as March"],
    ["date_time", "2026-02-30T09:30", "There is no 30 February. Check the day."],
    ["birth_date", "1899-12-31", "Check the year: it is before 1900"],
    ["birth_date", "2999-01-01", "This date is in the future"],
    ["email", "ida@", "Check the address: it should look like name@example.org"],
    ["yes_no", "maybe", "Choose one of the answers"],
    ["one_of", "c", "Choose one of the answers, or write your own"],
    ["one_of", "other:  ", "Choose one of the answers, or write your own"],
    ["any_of", ["a", "b", "c"], "Choose at most 2"],
    ["any_of", ["a", "a"], "Choose each answer once"],
    ["picture_choice", ["a", "b"], "Choose at most 1"],
    ["rating", 6, "Choose a number"],
    ["matrix", { mon: "a" }, "Choose an answer in each row"],
    ["matrix", { mon: "a", tue: "b", sun: "a" }, "Choose in the rows that are there"],
    ["ranking", ["a", "b"], "Put all of them in order"],
    ["consent", "yes", "Tick the box to agree"],
    ["contact", { ...NOBODY, phone: "07700 900123" }, "Enter a name"],
    ["file", [1, 2].map((id) => ({ id: `f${id}`, name: "letter.pdf", bytes: 10 })), "Add at most 1 files"],
  ])("%s refuses %j: %s", (type, given, message) => {
    const { answers, problems } = check(FIELDS[type], given);
    expect(answers).toEqual({});
    expect(problems.map((problem) => problem.message)).toEqual([message]);
  });

  test.each(Object.values(FIELDS))("$type without an answer: it is refused only where one is needed", (field) => {
    for (const nothing of [undefined, null, "", "  ", [], {}, true, [null]]) {
      const { problems } = check({ ...field, isRequired: true }, nothing);
      expect(problems, JSON.stringify(nothing)).toHaveLength(1);
      expect(problems[0]?.message).toMatch(/^[A-Z][^.]+$/);
    }
    expect(check(field, undefined)).toEqual({ answers: {}, problems: [] });
  });

  test("a name and an address that are needed: each says which part is missing", () => {
    const name = { ...FIELDS.name, isRequired: true };
    const address = { ...FIELDS.address, isRequired: true };
    expect(check(name, { first: "Ida", last: "" }).problems).toEqual([{ path: ["q"], message: "Enter a last name" }]);
    expect(check(address, { ...PLACE, line1: " " }).problems).toEqual([
      { path: ["q"], message: "Enter the first line of the address" },
    ]);
  });

  test("a question that is not asked: its answer is dropped, and what is wrong with it is not said", () => {
    const form = aFormContent([
      aFormPage("first", [
        aYesNo("car"),
        aShortText("plate", { visibleIf: when("car", "equals", "yes"), maxLength: 3 }),
      ]),
    ]);
    expect(checkAnswers(form, { car: "no", plate: "too long" })).toEqual({ answers: { car: "no" }, problems: [] });
    expect(checkAnswers(form, { car: "yes", plate: "too long" }).problems).toHaveLength(1);
  });

  test("rows of a group: each problem names row and question, and answers of no question are dropped", () => {
    const group = { ...aGroup("children", [aShortText("name", { isRequired: true }), aNumber("age")]), atMost: 2 };
    const form = aFormContent([aFormPage("first", [group])]);
    expect(checkAnswers(form, { children: [{ name: "Ida", more: "x" }, { age: 4 }] })).toEqual({
      answers: { children: [{ name: "Ida" }, { age: 4 }] },
      problems: [{ path: ["children", 1, "name"], message: "Answer this question" }],
    });
    expect(checkAnswers(form, { children: [{ age: 1 }, { age: 2 }, { age: 3 }] }).problems).toEqual([
      { path: ["children"], message: "Only 2 fit here, so take out the rest" },
    ]);
    const needed = aFormContent([aFormPage("first", [{ ...group, isRequired: true }])]);
    for (const nothing of ["abc", [null], ["a"], 7, { 0: {} }])
      expect(checkAnswers(needed, sent(JSON.stringify({ children: nothing }))).problems).toEqual([
        { path: ["children"], message: "Add at least one" },
      ]);
  });

  test("a minus before an amount: it is refused unless the form says how far down it goes", () => {
    const money = { ...FIELDS.money, max: null };
    const said = (min: number | null) => check({ ...money, min }, -500).problems.map(({ message }) => message);
    expect(said(null)).toEqual(["Enter the amount without a minus"]);
    expect(said(0)).toEqual(["Enter £0.00 or more"]);
    expect(said(-1000)).toEqual([]);
    expect(check({ ...money, min: null }, 0).problems).toEqual([]);
  });

  test("rows without an answer: they are no rows, and the others are named by where they stand", () => {
    const group = { ...aGroup("children", [aShortText("name", { isRequired: true }), aNumber("age")]), atLeast: 1 };
    const needed = aFormContent([aFormPage("first", [{ ...group, isRequired: true }])]);
    for (const rows of [[], [{}], [{ name: "   " }], [{}, {}]])
      expect(checkAnswers(needed, { children: rows }).problems).toEqual([
        { path: ["children"], message: "Add at least one" },
      ]);
    expect(checkAnswers(needed, { children: [{}, { age: 4 }] }).problems).toEqual([
      { path: ["children", 1, "name"], message: "Answer this question" },
    ]);
    expect(checkAnswers(needed, { children: [{}, { name: "Ida" }, {}] })).toEqual({
      answers: { children: [{ name: "Ida" }] },
      problems: [],
    });
    const two = aFormContent([aFormPage("first", [{ ...group, atLeast: 2 }])]);
    // What needs rows is not optional.
    expect(checkAnswers(two, { children: [{}, {}] }).problems).toEqual([
      { path: ["children"], message: "Fill in at least 2" },
    ]);
    expect(checkAnswers(two, { children: [{}, { name: "Ida" }] }).problems).toEqual([
      { path: ["children"], message: "Fill in at least 2" },
    ]);
  });

  test("what is sent is written otherwise than it is kept: what is asked follows from how it is kept", () => {
    const form = aFormContent([
      aFormPage("first", [
        { ...FIELDS.email, id: "email" },
        aShortText("more", { isRequired: true, visibleIf: when("email", "equals", "ida@xn--mnchen-3ya.example.org") }),
      ]),
    ]);
    expect(checkAnswers(form, { email: "ida@münchen.example.org" }).problems).toEqual([
      { path: ["more"], message: "Answer this question" },
    ]);
  });

  test("of random forms: what was taken is taken again, unchanged", () => {
    fc.assert(
      fc.property(randomForm, randomAnswers, (form, answers) => {
        const once = checkAnswers(form, answers);
        if (once.problems.length === 0) expect(checkAnswers(form, once.answers)).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  test("any JSON as answers: nothing is thrown, and no object gets a property that it did not have", () => {
    const names = fc.constantFrom("q", "inner", "__proto__", "constructor", "toString", "strokes", "name", "mon");
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.constantFrom(null, true, "a", "yes", 1e308, -0)),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.dictionary(names, tie("json"), { maxKeys: 4 }),
      ),
    }));
    const group = aGroup("q", [aShortText("inner"), { ...FIELDS.email, id: "inner_two" }]);
    const fields: Field[] = [...Object.values(FIELDS), group];
    fc.assert(
      fc.property(fc.constantFrom(...fields), json, (field, answer) => {
        const text = `{"q":${JSON.stringify(answer)},"__proto__":{"polluted":"yes"}}`;
        const { answers } = checkAnswers(aFormContent([aFormPage("first", [field])]), sent(text));
        expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
        expect(Reflect.get({}, "polluted")).toBeUndefined();
        expect(Object.keys(answers).every((id) => id === "q")).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("answers nested ten thousand deep, and a hundred thousand rows: an answer comes at once", () => {
    const begin = Date.now();
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    for (const field of Object.values(FIELDS))
      checkAnswers(aFormContent([aFormPage("first", [field])]), sent(`{"q":${deep}}`));
    const many = Array.from({ length: 100_000 }, () => ({}));
    const group = {
      ...aGroup(
        "q",
        Array.from({ length: 15 }, (_, index) => aShortText(`in_${index}`)),
      ),
      atMost: 20,
    };
    expect(check(group, many).problems).toEqual([{ path: ["q"], message: "Only 20 fit here, so take out the rest" }]);
    expect(Date.now() - begin).toBeLessThan(2000);
  });
});
