// Changes of the questions of a form, as functions from one content to the next. What cannot be done changes nothing.
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { FORM_FIELDS_MAX, PAGE_FIELDS_MAX } from "@app/shared/form-limits";
import { freeId, idsIn } from "./form-ids.ts";
import { changeRulesOf, forgetFields, mapComparisons } from "./rule-edits.ts";

export interface FieldPlace {
  page: FormPage;
  pageIndex: number;
  index: number;
  field: Field;
}

export function findField({ pages }: FormContent, fieldId: string): FieldPlace | null {
  for (const [pageIndex, page] of pages.entries()) {
    const index = page.fields.findIndex(({ id }) => id === fieldId);
    const field = page.fields[index];
    if (field) return { page, pageIndex, index, field };
  }
  return null;
}

const onPage = (content: FormContent, pageId: string, change: (fields: readonly Field[]) => Field[]): FormContent => ({
  ...content,
  pages: content.pages.map((page) => (page.id === pageId ? { ...page, fields: change(page.fields) } : page)),
});

const countOf = (field: Field): number => (field.type === "repeat_group" ? 1 + field.fields.length : 1);
const fieldCount = ({ pages }: FormContent): number =>
  pages.flatMap(({ fields }) => fields).reduce((sum, field) => sum + countOf(field), 0);

export function hasRoom(content: FormContent, pageId: string, more = 1): boolean {
  const page = content.pages.find(({ id }) => id === pageId);
  return page !== undefined && page.fields.length < PAGE_FIELDS_MAX && fieldCount(content) + more <= FORM_FIELDS_MAX;
}

export function addField(content: FormContent, pageId: string, index: number, field: Field): FormContent {
  if (!hasRoom(content, pageId, countOf(field)) || idsIn(content).has(field.id)) return content;
  return onPage(content, pageId, (fields) => fields.toSpliced(index, 0, field));
}

export const changeField = (content: FormContent, fieldId: string, change: (field: Field) => Field): FormContent => ({
  ...content,
  pages: content.pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) => (field.id === fieldId ? change(field) : field)),
  })),
});

/** Takes a question out, and out of the rules and sums that ask about it. */
export function removeField(content: FormContent, fieldId: string): FormContent {
  const place = findField(content, fieldId);
  if (!place) return content;
  const gone = place.field.type === "repeat_group" ? place.field.fields.map(({ id }) => id) : [];
  const left = onPage(content, place.page.id, (fields) => fields.filter(({ id }) => id !== fieldId));
  return forgetFields(left, [fieldId, ...gone]);
}

/** Takes a question out of its repeat group, and out of the rules and sums that ask about it. */
export function removeInnerField(content: FormContent, groupId: string, innerId: string): FormContent {
  const left = changeField(content, groupId, (group) =>
    group.type === "repeat_group" ? { ...group, fields: group.fields.filter(({ id }) => id !== innerId) } : group,
  );
  return forgetFields(left, [innerId]);
}

/** One place up or down; past the edge of its page to the next page. */
export function moveField(content: FormContent, fieldId: string, by: -1 | 1): FormContent {
  const place = findField(content, fieldId);
  if (!place) return content;
  const { page, pageIndex, index } = place;
  if (index + by >= 0 && index + by < page.fields.length) return moveFieldTo(content, fieldId, page.id, index + by);
  const next = content.pages[pageIndex + by];
  return next ? moveFieldTo(content, fieldId, next.id, by === 1 ? 0 : next.fields.length) : content;
}

export function moveFieldTo(content: FormContent, fieldId: string, pageId: string, index: number): FormContent {
  const place = findField(content, fieldId);
  const target = content.pages.find(({ id }) => id === pageId);
  if (!place || !target) return content;
  if (place.page.id !== pageId && target.fields.length >= PAGE_FIELDS_MAX) return content;
  const left = onPage(content, place.page.id, (fields) => fields.filter(({ id }) => id !== fieldId));
  return onPage(left, pageId, (fields) => fields.toSpliced(index, 0, place.field));
}

/** The same question once more, below it. */
export function duplicateField(content: FormContent, fieldId: string): FormContent {
  const place = findField(content, fieldId);
  if (!place) return content;
  const [copy] = copiesOf([place.field], idsIn(content));
  return copy ? addField(content, place.page.id, place.index + 1, copy) : content;
}

const stemOf = (id: string): string => id.replace(/_\d+$/, "").slice(0, 30).replace(/_+$/, "");

/** With names of their own; what they asked of each other they ask of the copies. What is saved to one place stays so. */
export function copiesOf(fields: readonly Field[], taken: ReadonlySet<string>): Field[] {
  const used = new Set(taken);
  const renamed = new Map<string, string>();
  const rename = (id: string) => {
    const free = freeId(used, stemOf(id));
    used.add(free);
    renamed.set(id, free);
    return free;
  };
  const copies = fields.map((field): Field => {
    const own = { ...field, id: rename(field.id), ...("mapTo" in field ? { mapTo: null } : {}) };
    if (own.type !== "repeat_group") return own;
    return { ...own, fields: own.fields.map((inner) => ({ ...inner, id: rename(inner.id) })) };
  });
  const nameNow = (id: string) => renamed.get(id) ?? id;
  return copies.map((copy) => {
    const asking = changeRulesOf(copy, (condition) =>
      mapComparisons(condition, (one) => ({ ...one, fieldId: nameNow(one.fieldId) })),
    );
    if (asking.type !== "calculated") return asking;
    const terms = asking.terms.map((term) => ({
      ...term,
      fieldId: nameNow(term.fieldId),
      columnId: term.columnId && nameNow(term.columnId),
    }));
    return { ...asking, terms };
  });
}
