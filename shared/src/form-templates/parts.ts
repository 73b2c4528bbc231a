// The parts that templates are written with: a question in one line, with nothing decided that was not asked for.
import type { FormContent, FormPage } from "../form-content.ts";
import type { Field, InnerField, Term } from "../form-fields.ts";
import { LONG_TEXT_MAX_LENGTH, SHORT_TEXT_MAX_LENGTH } from "../form-limits.ts";
import type { Comparison, Condition } from "../form-logic.ts";

type Of<Type extends Field["type"]> = Extract<Field, { type: Type }>;
/** What a question has beside its words: help, readers, where its answer goes, when it is shown. */
type More = Partial<
  Pick<Of<"short_text">, "help" | "visibleIf" | "isRequired" | "requiredIf" | "sensitivity" | "mapTo" | "flag">
>;

const asked = (id: string, label: string, more: More) => ({
  id,
  label,
  help: "",
  visibleIf: null,
  isRequired: false,
  requiredIf: null,
  sensitivity: null,
  mapTo: null,
  flag: null,
  ...more,
});

type Simple = "time" | "birth_date" | "email" | "phone" | "name" | "address";
export const simple = (type: Simple, id: string, label: string, more: More = {}): InnerField => ({
  type,
  ...asked(id, label, more),
});
export const line = (id: string, label: string, more: More = {}): Of<"short_text"> => ({
  type: "short_text",
  ...asked(id, label, more),
  maxLength: SHORT_TEXT_MAX_LENGTH,
});
export const lines = (id: string, label: string, more: More = {}): Of<"long_text"> => ({
  type: "long_text",
  ...asked(id, label, more),
  maxLength: LONG_TEXT_MAX_LENGTH,
});
export const day = (id: string, label: string, more: More = {}): Of<"date"> => ({
  type: "date",
  ...asked(id, label, more),
  earliest: null,
  latest: null,
});
export const money = (id: string, label: string, more: More = {}): Of<"money"> => ({
  type: "money",
  ...asked(id, label, more),
  min: 0,
  max: null,
});
export const yesNo = (id: string, label: string, more: More = {}): Of<"yes_no"> => ({
  type: "yes_no",
  ...asked(id, label, more),
  hasUnsure: false,
});
/** Where somebody may well not know. */
export const yesNoUnsure = (id: string, label: string, more: More = {}): Of<"yes_no"> => ({
  ...yesNo(id, label, more),
  hasUnsure: true,
});

/** The answers by their internal names, in their order. */
type Answers = Readonly<Record<string, string>>;
const optionsOf = (answers: Answers) =>
  Object.entries(answers).map(([value, label]) => ({ value, label, score: null }));

export const oneOf = (id: string, label: string, answers: Answers, more: More = {}): Of<"one_of"> => ({
  type: "one_of",
  ...asked(id, label, more),
  options: optionsOf(answers),
  display: "buttons",
  hasOther: false,
});
export const anyOf = (id: string, label: string, answers: Answers, more: More = {}): Of<"any_of"> => ({
  type: "any_of",
  ...asked(id, label, more),
  options: optionsOf(answers),
  atLeast: null,
  atMost: null,
});
export const rating = (id: string, label: string, low: string, high: string, more: More = {}): Of<"rating"> => ({
  type: "rating",
  ...asked(id, label, more),
  from: 1,
  to: 5,
  lowLabel: low,
  highLabel: high,
});
export const consent = (id: string, label: string, text: string, more: More = {}): Of<"consent"> => ({
  type: "consent",
  ...asked(id, label, more),
  text,
});
export const signature = (id: string, label: string, text: string, more: More = {}): Of<"signature"> => ({
  type: "signature",
  ...asked(id, label, more),
  text,
});
export const files = (id: string, label: string, more: More = {}): Of<"file"> => ({
  type: "file",
  ...asked(id, label, more),
  atMost: 5,
});
export const each = (
  id: string,
  label: string,
  rowLabel: string,
  fields: InnerField[],
  more: More = {},
): Of<"repeat_group"> => ({
  type: "repeat_group",
  ...asked(id, label, more),
  fields,
  rowLabel,
  atLeast: 0,
  atMost: 12,
});

export const say = (id: string, label: string, text: string, visibleIf: Condition | null = null): Of<"statement"> => ({
  type: "statement",
  id,
  label,
  help: "",
  visibleIf,
  text,
  pictureId: "",
});

/** The sum of columns, as "group.column", and of questions; with "-" before it what is taken off. */
export const total = (id: string, label: string, ...terms: readonly string[]): Of<"calculated"> => ({
  type: "calculated",
  id,
  label,
  help: "",
  terms: terms.map(termOf),
  unit: "money",
  isShown: true,
  sensitivity: null,
  flag: null,
});

function termOf(text: string): Term {
  const [fieldId = "", columnId = null] = text.replace(/^-/, "").split(".");
  return { fieldId, columnId, sign: text.startsWith("-") ? "minus" : "plus" };
}

export const when = (
  fieldId: string,
  operator: Comparison["operator"],
  value: Comparison["value"] = null,
): Condition => ({ joint: "and", of: [{ fieldId, operator, value }] });
export const isYes = (fieldId: string): Condition => when(fieldId, "equals", "yes");
export const isYesOrUnsure = (fieldId: string): Condition => when(fieldId, "one_of", ["yes", "unsure"]);
/** What the mediator is told where somebody says yes, or is not sure. */
export const tells = (fieldId: string, text: string) => ({ flag: { when: isYesOrUnsure(fieldId), text } });

export const needed = { isRequired: true } as const;

export const page = (
  id: string,
  title: string,
  text: string,
  fields: Field[],
  more: Partial<FormPage> = {},
): FormPage => ({
  id,
  title,
  text,
  visibleIf: null,
  fields,
  jumps: [],
  ...more,
});

export interface FormTemplate {
  id: string;
  name: string;
  kind: "questionnaire" | "intake" | "screening" | "disclosure" | "feedback" | "lead";
  /** For whoever chooses one: what it asks, and when to send it. */
  about: string;
  content: Omit<FormContent, "currency">;
}
