// A question as it is when it was just added: nothing about it is decided that has to do with safety or consent.
import type { Field, FieldOption, InnerField } from "@app/shared/form-fields";
import type { FieldType } from "@app/shared/form-limits";
import { LONG_TEXT_MAX_LENGTH, SHORT_TEXT_MAX_LENGTH } from "@app/shared/form-limits";

const anAnswer = (number: number): FieldOption => ({ value: `answer_${number}`, label: "", score: null });
const twoAnswers = () => [anAnswer(1), anAnswer(2)];

const asked = (id: string) => ({
  id,
  label: "",
  help: "",
  visibleIf: null,
  isRequired: false,
  requiredIf: null,
  sensitivity: null,
  mapTo: null,
  flag: null,
});

/** Those that a repeat group takes. */
export const INNER_TYPES = [
  "short_text",
  "long_text",
  "number",
  "money",
  "date",
  "time",
  "date_time",
  "birth_date",
  "email",
  "phone",
  "name",
  "address",
  "yes_no",
  "one_of",
  "any_of",
] as const satisfies readonly FieldType[];
export type InnerType = (typeof INNER_TYPES)[number];

export const isInnerType = (type: string): type is InnerType => INNER_TYPES.some((one) => one === type);

export function newInnerField(type: InnerType, id: string): InnerField {
  const base = asked(id);
  switch (type) {
    case "short_text":
      return { type, ...base, maxLength: SHORT_TEXT_MAX_LENGTH };
    case "long_text":
      return { type, ...base, maxLength: LONG_TEXT_MAX_LENGTH };
    case "number":
      return { type, ...base, min: null, max: null, decimals: 0, unit: "" };
    case "money":
      return { type, ...base, min: 0, max: null };
    case "date":
    case "date_time":
      return { type, ...base, earliest: null, latest: null };
    case "yes_no":
      return { type, ...base, hasUnsure: false };
    case "one_of":
      return { type, ...base, options: twoAnswers(), display: "buttons", hasOther: false };
    case "any_of":
      return { type, ...base, options: twoAnswers(), atLeast: null, atMost: null };
    default:
      return { type, ...base };
  }
}

export function newField(type: FieldType, id: string): Field {
  if (isInnerType(type)) return newInnerField(type, id);
  const base = asked(id);
  switch (type) {
    case "picture_choice":
      return { type, ...base, options: twoAnswers().map((one) => ({ ...one, pictureId: "" })), atMost: 1 };
    case "rating":
      return { type, ...base, from: 1, to: 5, lowLabel: "", highLabel: "" };
    case "matrix":
      return {
        type,
        ...base,
        rows: [{ value: "row_1", label: "" }],
        columns: twoAnswers(),
        isEveryRowNeeded: false,
      };
    case "ranking":
      return { type, ...base, options: twoAnswers() };
    case "consent":
    case "signature":
      return { type, ...base, text: "" };
    case "file":
      return { type, ...base, atMost: 1 };
    case "repeat_group":
      return { type, ...base, fields: [], rowLabel: "", atLeast: 0, atMost: 10 };
    case "statement":
      return { type, id, label: "", help: "", visibleIf: null, text: "", pictureId: "" };
    case "hidden":
      return { type, id, label: "", parameter: "", sensitivity: null, mapTo: null };
    case "calculated":
      return {
        type,
        id,
        label: "",
        help: "",
        terms: [],
        unit: "number",
        isShown: true,
        sensitivity: null,
        flag: null,
      };
    default:
      return { type, ...base };
  }
}
