import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import type { Comparison, Condition } from "@app/shared/form-logic";
import type { CreateForm } from "@app/shared/forms";

type Of<Type extends Field["type"]> = Extract<Field, { type: Type }>;

const asked = (id: string, label: string) => ({
  id,
  label,
  help: "",
  visibleIf: null,
  isRequired: false,
  requiredIf: null,
  sensitivity: "practice" as const,
  mapTo: null,
  flag: null,
});

export const aShortText = (id: string, more: Partial<Of<"short_text">> = {}): Of<"short_text"> => ({
  ...asked(id, `Question ${id}`),
  type: "short_text",
  maxLength: 100,
  ...more,
});

export const aYesNo = (id: string, more: Partial<Of<"yes_no">> = {}): Of<"yes_no"> => ({
  ...asked(id, `Question ${id}`),
  type: "yes_no",
  hasUnsure: false,
  ...more,
});

export const aNumber = (id: string, more: Partial<Of<"number">> = {}): Of<"number"> => ({
  ...asked(id, `Question ${id}`),
  type: "number",
  min: null,
  max: null,
  decimals: 0,
  unit: "",
  ...more,
});

export const aChoice = (id: string, values: readonly string[], more: Partial<Of<"one_of">> = {}): Of<"one_of"> => ({
  ...asked(id, `Question ${id}`),
  type: "one_of",
  options: values.map((value) => ({ value, label: `Answer ${value}`, score: null })),
  display: "buttons",
  hasOther: false,
  ...more,
});

export const aGroup = (id: string, fields: Of<"repeat_group">["fields"]): Of<"repeat_group"> => ({
  ...asked(id, `Question ${id}`),
  type: "repeat_group",
  fields,
  rowLabel: "Row",
  atLeast: 0,
  atMost: 5,
});

export const aSum = (
  id: string,
  terms: Of<"calculated">["terms"],
  more: Partial<Of<"calculated">> = {},
): Of<"calculated"> => ({
  type: "calculated",
  id,
  label: `Sum ${id}`,
  help: "",
  terms,
  unit: "number",
  isShown: true,
  sensitivity: "practice",
  flag: null,
  ...more,
});

export const when = (
  fieldId: string,
  operator: Comparison["operator"],
  value: Comparison["value"] = null,
): Condition => ({
  joint: "and",
  of: [{ fieldId, operator, value }],
});

export const aFormPage = (id: string, fields: Field[], more: Partial<FormPage> = {}): FormPage => ({
  id,
  title: `Page ${id}`,
  text: "",
  visibleIf: null,
  fields,
  jumps: [],
  ...more,
});

export const aFormContent = (pages: FormPage[], more: Partial<FormContent> = {}): FormContent => ({
  title: "Before your first meeting",
  currency: "GBP",
  pages,
  thanks: { title: "Thank you", text: "Your mediator reads it before you meet." },
  ...more,
});

export const aFormInput = (more: Partial<CreateForm> = {}): CreateForm => ({
  name: "Intake",
  kind: "questionnaire",
  content: aFormContent([aFormPage("first", [aShortText("town"), aYesNo("children")])]),
  ...more,
});
