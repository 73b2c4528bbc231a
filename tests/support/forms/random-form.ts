// Forms and answers that nobody would think of: every rule may ask anything, also what makes no sense.
import type { Answers } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field, InnerField, Term } from "@app/shared/form-fields";
import { OPERATORS, SENSITIVITIES } from "@app/shared/form-limits";
import type { Comparison, Condition } from "@app/shared/form-logic";
import fc from "fast-check";
import { aChoice, aFormContent, aFormPage, aGroup, aNumber, aShortText, aSum, aYesNo } from "../server/forms.ts";

const CHOICES = ["a", "b", "c"];
const KINDS = [
  "short_text",
  "number",
  "yes_no",
  "one_of",
  "any_of",
  "pictures",
  "group",
  "sum",
  "hidden",
  "statement",
] as const;

const ids = (count: number) => Array.from({ length: count }, (_, index) => `q${index}`);
const QUESTIONS = ids(8);
const ROWS = ["in_a", "in_b"];

const comparison: fc.Arbitrary<Comparison> = fc.record({
  fieldId: fc.constantFrom(...QUESTIONS, ...ROWS, "gone"),
  operator: fc.constantFrom(...OPERATORS),
  value: fc.oneof(
    fc.constantFrom(...CHOICES, "yes", "no", "B", ""),
    fc.integer({ min: -2, max: 6 }),
    fc.subarray(CHOICES),
    fc.constant(null),
  ),
});

export const condition: fc.Arbitrary<Condition> = fc.record({
  joint: fc.constantFrom("and", "or", "not"),
  of: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: comparison },
      {
        weight: 1,
        arbitrary: fc.record({
          joint: fc.constantFrom("and" as const, "or" as const, "not" as const),
          of: fc.array(comparison, { minLength: 1, maxLength: 3 }),
        }),
      },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

const maybe = fc.option(condition, { freq: 2 });
const flag = fc.option(
  condition.map((when) => ({ when, text: "Look at this" })),
  { freq: 2 },
);
/** Null where the form as a whole says who reads it. */
const readers = fc.constantFrom(...SENSITIVITIES, null);
const rules = fc.record({ visibleIf: maybe, requiredIf: maybe, isRequired: fc.boolean(), flag, sensitivity: readers });

const scored = CHOICES.map((value, index) => ({ value, label: `Answer ${value}`, score: index * 2 - 1 }));

const pictures = scored.map((option) => ({ ...option, pictureId: "" }));

const inner = (id: string): fc.Arbitrary<InnerField> =>
  fc
    .tuple(fc.boolean(), rules)
    .map(([isNumber, more]) => (isNumber ? aNumber(id, more) : aChoice(id, CHOICES, { ...more, options: scored })));

/** Sums add up what stands before them in the list, so that none goes in a circle. */
const termsBefore = (index: number): fc.Arbitrary<Term[]> =>
  fc.array(
    fc.record({
      fieldId: fc.constantFrom("gone", ...QUESTIONS.slice(0, index)),
      columnId: fc.option(fc.constantFrom(...ROWS)),
      sign: fc.constantFrom("plus", "minus"),
    }),
    { maxLength: 4 },
  );

const field = (id: string, index: number): fc.Arbitrary<Field> =>
  fc
    .record({
      kind: fc.constantFrom(...KINDS),
      rules,
      sensitivity: readers,
      in_a: inner("in_a"),
      in_b: inner("in_b"),
      terms: termsBefore(index),
    })
    .map(({ kind, rules: more, sensitivity, in_a, in_b, terms }): Field => {
      if (kind === "short_text") return aShortText(id, more);
      if (kind === "number") return aNumber(id, more);
      if (kind === "yes_no") return aYesNo(id, more);
      if (kind === "one_of") return aChoice(id, CHOICES, { ...more, options: scored });
      if (kind === "any_of")
        return { ...aShortText(id, more), type: "any_of", options: scored, atLeast: null, atMost: null };
      if (kind === "pictures")
        return { ...aShortText(id, more), type: "picture_choice", options: pictures, atMost: null };
      if (kind === "group") return { ...aGroup(id, [in_a, in_b]), ...more };
      if (kind === "sum") return aSum(id, terms, { isShown: more.isRequired, flag: more.flag, sensitivity });
      if (kind === "hidden") return { type: "hidden", id, label: id, parameter: id, sensitivity, mapTo: null };
      return { type: "statement", id, label: id, help: "", visibleIf: more.visibleIf, text: "Text", pictureId: "" };
    });

const PAGES = ["p0", "p1", "p2", "p3"];

const page = (at: number, fields: Field[]): fc.Arbitrary<FormPage> =>
  fc
    .record({
      visibleIf: maybe,
      jumps: fc.array(fc.record({ when: maybe, to: fc.constantFrom("end", ...PAGES.slice(at + 1)) }), { maxLength: 2 }),
    })
    .map((more) => aFormPage(`p${at}`, fields, more));

export const randomForm: fc.Arbitrary<FormContent> = fc
  .tuple(...QUESTIONS.map(field))
  .chain((fields) =>
    fc.tuple(...PAGES.map((_, at) => page(at, fields.slice(at * 2, at * 2 + 2)))).map((pages) => aFormContent(pages)),
  );

export const answer = fc.oneof(
  fc.constantFrom(...CHOICES, "yes", "no", " ", "Banana"),
  fc.integer({ min: -3, max: 9 }),
  fc.subarray(CHOICES),
  fc.array(fc.dictionary(fc.constantFrom(...ROWS), fc.oneof(fc.integer({ max: 9 }), fc.constantFrom(...CHOICES)))),
);

export const randomAnswers: fc.Arbitrary<Answers> = fc.dictionary(fc.constantFrom(...QUESTIONS, "gone"), answer);
