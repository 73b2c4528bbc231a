// What of a form its readers see: nothing of what the practice makes of the answers.
import type { FormContent } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";

const forReader = (field: Field): Field => {
  if (field.type === "statement") return field;
  if (field.type === "hidden") return { ...field, mapTo: null, sensitivity: null };
  if (field.type === "calculated") return { ...field, flag: null, sensitivity: null };
  return { ...field, flag: null, mapTo: null, sensitivity: null };
};

export const publicContent = ({ readers: _readers, ...content }: FormContent): FormContent => ({
  ...content,
  pages: content.pages.map((page) => ({ ...page, fields: page.fields.map(forReader) })),
});
