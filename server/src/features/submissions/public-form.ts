// What of a form its readers see: nothing of what the practice makes of the answers, nor how it is reckoned.
import type { FormContent } from "@app/shared/form-content";
import type { Field, InnerField, Term } from "@app/shared/form-fields";
import { comparisonsOf } from "@app/shared/form-logic";

export function publicContent({ readers: _readers, ...content }: FormContent): FormContent {
  const reckoned = reckonedFor(content);
  const counted = new Set([...reckoned.values()].flatMap((terms) => terms.map(({ fieldId }) => fieldId)));
  const forReader = (field: Field): Field => {
    if (field.type === "statement") return field;
    if (field.type === "hidden") return { ...field, label: "", mapTo: null, sensitivity: null };
    if (field.type === "calculated") return { ...withoutWords(field), terms: reckoned.get(field.id) ?? [] };
    const shown = { ...field, flag: null, mapTo: null, sensitivity: null };
    return counted.has(field.id) ? withInner(shown) : withInner(unscored(shown));
  };
  return { ...content, pages: content.pages.map((page) => ({ ...page, fields: page.fields.map(forReader) })) };
}

/** The terms of the sums that the page itself needs, by their ids: those that are shown or decide what is asked. */
function reckonedFor({ pages }: Pick<FormContent, "pages">): Map<string, Term[]> {
  const fields = pages.flatMap((page) => page.fields);
  const sums = new Map(fields.flatMap((field) => (field.type === "calculated" ? [[field.id, field]] : [])));
  const asked = [...fields, ...fields.flatMap((field) => (field.type === "repeat_group" ? field.fields : []))];
  const conditions = [
    ...pages.flatMap(({ visibleIf, jumps }) => [visibleIf, ...jumps.map(({ when }) => when)]),
    ...asked.flatMap((field) => ("visibleIf" in field ? [field.visibleIf] : [])),
    ...asked.flatMap((field) => ("requiredIf" in field ? [field.requiredIf] : [])),
  ];
  const shown = [...sums.values()].filter(({ isShown }) => isShown).map(({ id }) => id);
  const needed = new Set([...shown, ...conditions.flatMap(comparisonsOf).map(({ fieldId }) => fieldId)]);
  // What is added meanwhile is gone through as well: sums of sums.
  for (const id of needed) for (const { fieldId } of sums.get(id)?.terms ?? []) needed.add(fieldId);
  return new Map([...sums.values()].filter(({ id }) => needed.has(id)).map(({ id, terms }) => [id, terms]));
}

const withoutWords = (field: Extract<Field, { type: "calculated" }>) => ({
  ...field,
  ...(field.isShown ? {} : { label: "", help: "" }),
  flag: null,
  sensitivity: null,
});

const withInner = (field: Field): Field =>
  field.type === "repeat_group"
    ? {
        ...field,
        fields: field.fields.map((inner): InnerField => ({ ...inner, flag: null, mapTo: null, sensitivity: null })),
      }
    : field;

/** How much a choice counts tells how to answer. */
function unscored(field: Field): Field {
  if (field.type === "matrix") return { ...field, columns: withoutScores(field.columns) };
  if (field.type === "repeat_group") return { ...field, fields: field.fields.map(innerUnscored) };
  if (field.type === "picture_choice") return { ...field, options: withoutScores(field.options) };
  if (field.type === "ranking") return { ...field, options: withoutScores(field.options) };
  return isAskedOnce(field) ? innerUnscored(field) : field;
}

const withoutScores = <Option extends { score: number | null }>(options: readonly Option[]): Option[] =>
  options.map((one) => ({ ...one, score: null }));

const isAskedOnce = (field: Field): field is Extract<Field, { type: "one_of" | "any_of" }> =>
  field.type === "one_of" || field.type === "any_of";

function innerUnscored(field: InnerField): InnerField {
  if (field.type === "one_of") return { ...field, options: withoutScores(field.options) };
  if (field.type === "any_of") return { ...field, options: withoutScores(field.options) };
  return field;
}
