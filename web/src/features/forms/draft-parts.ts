// The pages and questions of a draft one by one, so that two people who change a form at the same time are asked only
// where both changed the same question.
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { pageName, questionName } from "@app/shared/form-words";
import type { VersionField } from "../../ui/version-fields.ts";
import { orderText, partText } from "./draft-differences.ts";

interface WithPages {
  content: FormContent;
}

const idsOf = (parts: readonly { id: string }[]): string[] => parts.map(({ id }) => id);
const fieldsOf = ({ content }: WithPages): Field[] => content.pages.flatMap(({ fields }) => fields);
const all = (lists: readonly string[][]): string[] => [...new Set(lists.flat())];
const inEach = (lists: readonly string[][]): Set<string> =>
  new Set((lists[0] ?? []).filter((id) => lists.every((list) => list.includes(id))));

/** Of these drafts of one form: each page, each question, and in which order those stand that all of them have. */
export function partFields<Draft extends WithPages>(drafts: readonly Draft[]): VersionField<Draft>[] {
  const pages = drafts.map(({ content }) => idsOf(content.pages));
  const fields = drafts.map((draft) => idsOf(fieldsOf(draft)));
  return [
    ...all(pages).map((id) => pageField(drafts, id)),
    ...all(fields).map((id) => questionField(drafts, id)),
    orderField<Draft>(inEach(pages), inEach(fields)),
  ];
}

function pageField<Draft extends WithPages>(drafts: readonly Draft[], id: string): VersionField<Draft> {
  const pageOf = ({ content }: WithPages) => content.pages.find((page) => page.id === id);
  const named = drafts.find(pageOf);
  const page = named && pageOf(named);
  return {
    key: `page ${id}`,
    label: named && page ? pageName(named.content.pages, page) : "A page",
    value: (draft) => {
      const { fields: _fields, ...own } = pageOf(draft) ?? { fields: [] };
      return own;
    },
    take: (into, from) => {
      const taken = pageOf(from);
      const isThere = pageOf(into) !== undefined;
      if (!taken) return withPages(into, withoutPage(into.content.pages, id));
      if (!isThere)
        return withPages(into, put(into.content.pages, { ...taken, fields: [] }, idsOf(from.content.pages)));
      const change = (one: FormPage) => (one.id === id ? { ...taken, fields: one.fields } : one);
      return withPages(into, into.content.pages.map(change));
    },
    text: ({ content }, other) => partText(content, other?.content ?? content, id),
  };
}

function questionField<Draft extends WithPages>(drafts: readonly Draft[], id: string): VersionField<Draft> {
  const fieldOf = (draft: WithPages) => fieldsOf(draft).find((field) => field.id === id);
  const named = drafts.map(fieldOf).find((field) => field !== undefined);
  return {
    key: `question ${id}`,
    label: named ? `“${questionName(named)}”` : "A question",
    value: (draft) => fieldOf(draft) ?? null,
    take: (into, from) => {
      const taken = fieldOf(from);
      const { pages } = into.content;
      if (!taken || fieldOf(into))
        return withPages(
          into,
          pages.map((page) => ({
            ...page,
            fields: page.fields.flatMap((field) => (field.id === id ? (taken ?? []) : field)),
          })),
        );
      const home = from.content.pages.find(({ fields }) => fields.includes(taken));
      const at = pages.find((page) => page.id === home?.id) ?? pages.at(-1);
      return withPages(
        into,
        pages.map((page) =>
          page === at ? { ...page, fields: put(page.fields, taken, idsOf(home?.fields ?? [])) } : page,
        ),
      );
    },
    text: ({ content }, other) => partText(content, other?.content ?? content, id),
  };
}

/** What only some of the drafts have has its place by its own field. */
function orderField<Draft extends WithPages>(
  pages: ReadonlySet<string>,
  fields: ReadonlySet<string>,
): VersionField<Draft> {
  return {
    key: "order",
    label: "Order of pages and questions",
    value: ({ content }) => [
      idsOf(content.pages).filter((id) => pages.has(id)),
      content.pages
        .map((page) => [page.id, ...idsOf(page.fields).filter((id) => fields.has(id))])
        .filter(({ length }) => length > 1),
    ],
    take: (into, from) => withPages(into, ordered(into.content.pages, from.content.pages)),
    text: ({ content }, other) => orderText(content, other?.content ?? content),
  };
}

/** The pages and questions of `into` as they stand in `from`; what that does not have stays after what it followed. */
function ordered(into: readonly FormPage[], from: readonly FormPage[]): FormPage[] {
  const homes = new Map(from.flatMap((page) => page.fields.map(({ id }) => [id, page.id] as const)));
  const isAway = (page: FormPage, id: string): boolean => {
    const home = homes.get(id);
    return home !== undefined && home !== page.id && into.some((one) => one.id === home);
  };
  const questions = into.flatMap(({ fields }) => fields);
  const moved = into.map((page) => {
    const wanted = idsOf(from.find(({ id }) => id === page.id)?.fields ?? []);
    const come = questions.filter(({ id }) => wanted.includes(id) && !page.fields.some((field) => field.id === id));
    return { ...page, fields: sorted([...page.fields.filter(({ id }) => !isAway(page, id)), ...come], wanted) };
  });
  return sorted(moved, idsOf(from));
}

function sorted<Part extends { id: string }>(parts: readonly Part[], order: readonly string[]): Part[] {
  const known = order.flatMap((id) => parts.find((part) => part.id === id) ?? []);
  return parts.reduce<Part[]>((done, part, index) => {
    if (order.includes(part.id)) return done;
    const before = parts[index - 1];
    return done.toSpliced(before ? done.indexOf(before) + 1 : 0, 0, part);
  }, known);
}

/** Among these after what it follows in `order`. */
function put<Part extends { id: string }>(parts: readonly Part[], part: Part, order: readonly string[]): Part[] {
  const before = order.slice(0, order.indexOf(part.id));
  const at = parts.findLastIndex(({ id }) => before.includes(id));
  return parts.toSpliced(at + 1, 0, part);
}

/** The questions that somebody else put on it stay, on the page before it or else after it. */
function withoutPage(pages: readonly FormPage[], id: string): FormPage[] {
  const at = pages.findIndex((page) => page.id === id);
  const gone = pages[at];
  const heir = pages[at - 1] ?? pages[at + 1];
  if (!gone || !heir) return [...pages];
  return pages
    .filter((page) => page !== gone)
    .map((page) => (page === heir ? { ...page, fields: [...page.fields, ...gone.fields] } : page));
}

const withPages = <Draft extends WithPages>(draft: Draft, pages: FormPage[]): Draft => ({
  ...draft,
  content: { ...draft.content, pages },
});
