// Changes of the pages of a form, as functions from one content to the next. What cannot be done changes nothing.
import type { FormContent, FormPage } from "@app/shared/form-content";
import { FORM_FIELDS_MAX, FORM_PAGES_MAX } from "@app/shared/form-limits";
import { copiesOf } from "./field-edits.ts";
import { freeId, idsIn } from "./form-ids.ts";
import { changeRules, forgetFields, mapComparisons } from "./rule-edits.ts";

export const newPage = (id: string): FormPage => ({ id, title: "", text: "", visibleIf: null, fields: [], jumps: [] });

export const addPage = (content: FormContent, index: number, page: FormPage): FormContent =>
  content.pages.length >= FORM_PAGES_MAX || idsIn(content).has(page.id)
    ? content
    : { ...content, pages: content.pages.toSpliced(index, 0, page) };

export const changePage = (
  content: FormContent,
  pageId: string,
  change: (page: FormPage) => FormPage,
): FormContent => ({ ...content, pages: content.pages.map((page) => (page.id === pageId ? change(page) : page)) });

/** Takes a page out with its questions, the rules that ask about them and the jumps to it. The last page stays. */
export function removePage(content: FormContent, pageId: string): FormContent {
  const page = content.pages.find(({ id }) => id === pageId);
  if (!page || content.pages.length === 1) return content;
  const pages = content.pages
    .filter(({ id }) => id !== pageId)
    .map((one) => ({ ...one, jumps: one.jumps.filter(({ to }) => to !== pageId) }));
  return forgetFields({ ...content, pages }, [...idsIn({ pages: [page] })]);
}

export function movePage(content: FormContent, pageId: string, by: -1 | 1): FormContent {
  const from = content.pages.findIndex(({ id }) => id === pageId);
  const page = content.pages[from];
  const to = from + by;
  if (!page || to < 0 || to >= content.pages.length) return content;
  return { ...content, pages: content.pages.toSpliced(from, 1).toSpliced(to, 0, page) };
}

/** The same page once more, after it; what its questions ask of each other, the copies ask of each other. */
export function duplicatePage(content: FormContent, pageId: string): FormContent {
  const index = content.pages.findIndex(({ id }) => id === pageId);
  const page = content.pages[index];
  const count = idsIn(content).size - content.pages.length + (page ? idsIn({ pages: [page] }).size - 1 : 0);
  if (!page || count > FORM_FIELDS_MAX) return content;
  const taken = idsIn(content);
  const id = freeId(taken, "page");
  const fields = copiesOf(page.fields, taken.add(id));
  const renamed = new Map(page.fields.map(({ id }, at) => [id, fields[at]?.id ?? id]));
  const copy = { ...page, id, fields };
  const asking = changeRules({ ...content, pages: [copy] }, (condition) =>
    mapComparisons(condition, (one) => ({ ...one, fieldId: renamed.get(one.fieldId) ?? one.fieldId })),
  );
  return asking.pages.reduce((all, one) => addPage(all, index + 1, one), content);
}
