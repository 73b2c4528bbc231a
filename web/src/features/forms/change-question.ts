// Changes one question, wherever it stands: on a page, or in a repeat group.
import type { FormContent } from "@app/shared/form-content";
import type { Field, InnerField } from "@app/shared/form-fields";
import { isInnerType } from "./new-field.ts";

export const isInnerField = (field: Field): field is InnerField => isInnerType(field.type);

export function changeQuestion(content: FormContent, fieldId: string, change: (field: Field) => Field): FormContent {
  const changeInner = (inner: InnerField): InnerField => {
    const next = inner.id === fieldId ? change(inner) : inner;
    return isInnerField(next) ? next : inner;
  };
  const changeOne = (field: Field): Field => {
    if (field.id === fieldId) return change(field);
    return field.type === "repeat_group" ? { ...field, fields: field.fields.map(changeInner) } : field;
  };
  return { ...content, pages: content.pages.map((page) => ({ ...page, fields: page.fields.map(changeOne) })) };
}
