// Changes of the answers that a question offers.
import type { FormContent } from "@app/shared/form-content";
import { OPTIONS_MAX } from "@app/shared/form-limits";
import { changeField } from "./field-edits.ts";
import { freeId } from "./form-ids.ts";
import { forgetAnswer } from "./rule-edits.ts";

/** Adds an answer at the end, by a name that no other has. */
export const addOption = (content: FormContent, fieldId: string, label = ""): FormContent =>
  changeField(content, fieldId, (field) => {
    if (!("options" in field) || field.options.length >= OPTIONS_MAX) return field;
    const value = freeId(new Set(field.options.map((option) => option.value)), "answer");
    const option = { value, label, score: null };
    if (field.type === "picture_choice") return { ...field, options: [...field.options, { ...option, pictureId: "" }] };
    return { ...field, options: [...field.options, option] };
  });

export const changeOption = (
  content: FormContent,
  fieldId: string,
  value: string,
  change: { label?: string; score?: number | null; pictureId?: string; alt?: string },
): FormContent =>
  changeField(content, fieldId, (field) => {
    if (field.type === "picture_choice")
      return { ...field, options: field.options.map((one) => (one.value === value ? { ...one, ...change } : one)) };
    if (!("options" in field)) return field;
    const { pictureId: _pictureId, alt: _alt, ...plain } = change;
    return { ...field, options: field.options.map((one) => (one.value === value ? { ...one, ...plain } : one)) };
  });

/** Takes an answer out, and out of the rules that ask about it. */
export const removeOption = (content: FormContent, fieldId: string, value: string): FormContent =>
  forgetAnswer(
    changeField(content, fieldId, (field) => {
      if (field.type === "picture_choice")
        return { ...field, options: field.options.filter((one) => one.value !== value) };
      if (!("options" in field)) return field;
      return { ...field, options: field.options.filter((one) => one.value !== value) };
    }),
    fieldId,
    value,
  );

export const moveOption = (content: FormContent, fieldId: string, value: string, by: -1 | 1): FormContent =>
  changeField(content, fieldId, (field) => {
    if (field.type === "picture_choice") return { ...field, options: moved(field.options, value, by) };
    return "options" in field ? { ...field, options: moved(field.options, value, by) } : field;
  });

export function moved<One extends { value: string }>(list: readonly One[], value: string, by: -1 | 1): One[] {
  const from = list.findIndex((one) => one.value === value);
  const one = list[from];
  if (!one || from + by < 0 || from + by >= list.length) return [...list];
  return list.toSpliced(from, 1).toSpliced(from + by, 0, one);
}
