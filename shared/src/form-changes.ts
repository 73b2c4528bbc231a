// What is different in a form since another version of it, in words, question by question.
import type { FormContent, FormPage } from "./form-content.ts";
import type { Field } from "./form-fields.ts";
import { pageName, questionName } from "./form-words.ts";

export interface FormChange {
  /** The question or page, as it is called now, or was when it was taken out. */
  name: string;
  /** "added", "other words": one or more. */
  what: string[];
}

export function formChanges(before: FormContent, after: FormContent): FormChange[] {
  const own = [
    ...(before.title === after.title ? [] : ["other title"]),
    ...(before.currency === after.currency ? [] : ["other currency"]),
    ...((before.readers ?? null) === (after.readers ?? null)
      ? []
      : ["other readers, unless a question says otherwise"]),
    ...(before.receipt === after.receipt ? [] : ["another rule on who can keep their answers"]),
    ...(isSame(before.thanks, after.thanks) ? [] : ["other words once it was sent"]),
  ];
  const whole = own.length > 0 ? [{ name: "The form", what: own }] : [];
  return [...whole, ...pageChanges(before, after), ...fieldChanges(before, after)];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function pageChanges(before: FormContent, after: FormContent): FormChange[] {
  const moved = movedIds(idsOf(before.pages), idsOf(after.pages));
  const gone = before.pages.filter(({ id }) => !after.pages.some((page) => page.id === id));
  return [
    ...after.pages.flatMap((page) => {
      const was = before.pages.find(({ id }) => id === page.id);
      const what = was ? pageDifference(was, page, moved.has(page.id)) : ["page added"];
      return what.length > 0 ? [{ name: pageName(after.pages, page), what }] : [];
    }),
    ...gone.map((page) => ({ name: pageName(before.pages, page), what: ["page taken out"] })),
  ];
}

const pageDifference = (was: FormPage, page: FormPage, isMoved: boolean): string[] => [
  ...(was.title === page.title && was.text === page.text ? [] : ["other words"]),
  ...(isSame(was.visibleIf, page.visibleIf) && isSame(was.jumps, page.jumps) ? [] : ["other rules"]),
  ...(isMoved ? ["moved"] : []),
];

interface Placed {
  field: Field;
  page: FormPage;
}

function fieldChanges(before: FormContent, after: FormContent): FormChange[] {
  const [was, is] = [placedIn(before), placedIn(after)];
  // Of a page that was moved as a whole nothing else is said to have moved.
  const moved = new Set(
    after.pages.flatMap((page) => {
      const old = before.pages.find(({ id }) => id === page.id);
      return old ? [...movedIds(idsOf(old.fields), idsOf(page.fields))] : [];
    }),
  );
  const gone = [...was.values()].filter(({ field }) => !is.has(field.id));
  return [
    ...[...is.values()].flatMap(({ field, page }) => {
      const old = was.get(field.id);
      if (!old) return [{ name: questionName(field), what: ["added"] }];
      const where = old.page.id === page.id ? null : `moved to ${pageName(after.pages, page)}`;
      const place = where ?? (moved.has(field.id) ? "moved" : null);
      const what = [...fieldDifference(old.field, field), ...(place ? [place] : [])];
      return what.length > 0 ? [{ name: questionName(field), what }] : [];
    }),
    ...gone.map(({ field }) => ({ name: questionName(field), what: ["taken out"] })),
  ];
}

const placedIn = ({ pages }: FormContent): ReadonlyMap<string, Placed> =>
  new Map(pages.flatMap((page) => page.fields.map((field) => [field.id, { field, page }] as const)));

const WORDS = ["label", "help", "text", "lowLabel", "highLabel", "rowLabel", "unit"];
const ANSWERS = ["options", "rows", "columns", "hasUnsure", "hasOther", "terms"];
const RULES = ["visibleIf", "requiredIf", "flag"];
const NEEDS = ["isRequired"];

function fieldDifference(was: Field, is: Field): string[] {
  if (was.type !== is.type) return ["another kind of question"];
  const differ = (keys: readonly string[]) => keys.some((key) => !isSame(Reflect.get(was, key), Reflect.get(is, key)));
  const known = new Set([...WORDS, ...ANSWERS, ...RULES, ...NEEDS, "sensitivity", "mapTo", "fields", "id"]);
  const rest = Object.keys(is).filter((key) => !known.has(key));
  return [
    ...(differ(WORDS) ? ["other words"] : []),
    ...(differ(ANSWERS) ? ["other answers"] : []),
    ...(differ(["fields"]) ? ["other questions in it"] : []),
    ...(differ(NEEDS) ? ["isRequired" in is && is.isRequired ? "an answer is needed now" : "optional now"] : []),
    ...(differ(RULES) ? ["other rules"] : []),
    ...(differ(["sensitivity"]) ? ["other readers"] : []),
    ...(differ(["mapTo"]) ? ["saved to another place"] : []),
    ...(differ(rest) ? ["other limits"] : []),
  ];
}

const idsOf = (parts: readonly { id: string }[]): string[] => parts.map(({ id }) => id);

/** The fewest that were moved: all but the longest run that is in the same order in both. */
function movedIds(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = after.filter((id) => before.includes(id)).map((id) => ({ id, at: before.indexOf(id) }));
  const runs: { id: string; at: number }[][] = [];
  for (const place of places) {
    const longest = runs
      .filter((run) => (run.at(-1)?.at ?? -1) < place.at)
      .reduce<{ id: string; at: number }[]>((best, run) => (run.length > best.length ? run : best), []);
    runs.push([...longest, place]);
  }
  const kept = runs.reduce<{ id: string; at: number }[]>((best, run) => (run.length > best.length ? run : best), []);
  return new Set(places.map(({ id }) => id).filter((id) => !kept.some((place) => place.id === id)));
}
