// Whether the rules of a form hold together: what they ask is there, comes before them, and goes in no circle.
import type { FormContent, FormPage } from "./form-content.ts";
import type { Field, Term } from "./form-fields.ts";
import { isPresence, type Operator, OPERATORS_OF, takesSeveral } from "./form-limits.ts";
import { type Comparison, comparisonsOf, type Condition } from "./form-logic.ts";

export interface FormProblem {
  pageId: string | null;
  fieldId: string | null;
  text: string;
}

export const nameOf = ({ label }: { label: string }): string => `“${label || "question without words"}”`;

export function ruleProblems(form: FormContent): FormProblem[] {
  const places: Places = new Map(
    form.pages.flatMap(({ fields }, page) => fields.map((field, index) => [field.id, { field, page, index }] as const)),
  );
  return form.pages.flatMap((page, pageIndex) => [
    ...conditionProblems(page, pageIndex, places),
    ...page.fields.flatMap((field) =>
      field.type === "calculated"
        ? sumProblems(field, places).map((text) => ({ pageId: page.id, fieldId: field.id, text }))
        : [],
    ),
  ]);
}

interface Place {
  field: Field;
  /** Of its page and of itself, in the order in which people come to them. */
  page: number;
  index: number;
}
type Places = ReadonlyMap<string, Place>;

/** A condition, and where it stands: what it reads has to come before. */
interface Standing {
  condition: Condition | null;
  fieldId: string | null;
  /** What stands before this index of the page may be read. */
  before: number;
  /** The questions of the row that it belongs to. */
  row: readonly Field[];
  said: string;
}

function standingOn(page: FormPage): Standing[] {
  const none = { row: [], fieldId: null };
  return [
    { condition: page.visibleIf, before: 0, ...none, said: `page “${page.title}”` },
    ...page.jumps.map(({ when }) => ({
      condition: when,
      before: Infinity,
      ...none,
      said: `the jump after “${page.title}”`,
    })),
    ...page.fields.flatMap((field, index) => {
      const own = { fieldId: field.id, before: index, row: [], said: nameOf(field) };
      const inner = field.type === "repeat_group" ? field.fields : [];
      return [
        ...conditionsOf(field).map((condition) => ({ ...own, condition })),
        ...("flag" in field && field.flag ? [{ ...own, before: Infinity, condition: field.flag.when }] : []),
        ...inner.flatMap((one, at) =>
          [
            ...conditionsOf(one).map((condition) => ({ condition, row: inner.slice(0, at) })),
            ...(one.flag ? [{ condition: one.flag.when, row: inner }] : []),
          ].map((standing) => ({ ...own, ...standing, said: nameOf(one) })),
        ),
      ];
    }),
  ];
}

const conditionsOf = (field: Field): Condition[] => [
  ...("visibleIf" in field && field.visibleIf ? [field.visibleIf] : []),
  ...("requiredIf" in field && field.requiredIf ? [field.requiredIf] : []),
];

function conditionProblems(page: FormPage, pageIndex: number, places: Places): FormProblem[] {
  return standingOn(page).flatMap((standing) =>
    comparisonsOf(standing.condition).flatMap((comparison) => {
      const text = comparisonProblem(comparison, standing, { pageIndex, places });
      return text ? [{ pageId: page.id, fieldId: standing.fieldId, text }] : [];
    }),
  );
}

function comparisonProblem(
  { fieldId, operator, value }: Comparison,
  { said, row, before }: Standing,
  { pageIndex, places }: { pageIndex: number; places: Places },
): string | null {
  const ofRow = row.find(({ id }) => id === fieldId);
  const place = places.get(fieldId);
  const field = ofRow ?? place?.field;
  if (!field) return `A rule of ${said} asks about a question that is not there any more.`;
  const operators: readonly Operator[] = OPERATORS_OF[field.type];
  if (!operators.includes(operator)) return `A rule of ${said} asks what ${nameOf(field)} cannot answer.`;
  if (!isFitting(field, operator, value)) return `Choose what a rule of ${said} compares ${nameOf(field)} with.`;
  if (ofRow || !place) return null;
  return isReadLater(place, { before, pageIndex, places })
    ? `A rule of ${said} asks about ${nameOf(field)}, which comes later.`
    : null;
}

function isFitting(field: Field, operator: Operator, value: Comparison["value"]): boolean {
  if (isPresence(operator)) return value === null;
  const choices = choicesOf(field);
  const isChoice = (one: string) => one !== "" && (choices === null || choices.includes(one));
  if (takesSeveral(operator)) return Array.isArray(value) && value.length > 0 && value.every(isChoice);
  const operators: readonly Operator[] = OPERATORS_OF[field.type];
  return operators.includes("gt") ? typeof value === "number" : typeof value === "string" && isChoice(value);
}

function choicesOf(field: Field): readonly string[] | null {
  if (field.type === "yes_no") return field.hasUnsure ? ["yes", "no", "unsure"] : ["yes", "no"];
  return "options" in field ? field.options.map(({ value }) => value) : null;
}

interface Reader {
  before: number;
  pageIndex: number;
  places: Places;
}

/** Whether it, or what it is reckoned from, is answered only after the rule asks. Hidden values are there from the start. */
function isReadLater({ field, page, index }: Place, reader: Reader, seen = new Set<string>()): boolean {
  if (field.type === "hidden" || seen.has(field.id)) return false;
  if (field.type !== "calculated")
    return page > reader.pageIndex || (page === reader.pageIndex && index >= reader.before);
  seen.add(field.id);
  return field.terms.some(({ fieldId }) => {
    const read = reader.places.get(fieldId);
    return read !== undefined && isReadLater(read, reader, seen);
  });
}

function termProblem(sum: Calculated, { fieldId, columnId }: Term, places: Places): string | null {
  const field = places.get(fieldId)?.field;
  const read =
    columnId === null || field?.type !== "repeat_group" ? field : field.fields.find(({ id }) => id === columnId);
  if (!read || (columnId !== null && field?.type !== "repeat_group"))
    return `${nameOf(sum)} adds up an answer that is not there any more.`;
  return isCountable(read) ? null : `${nameOf(sum)} cannot add up ${nameOf(read)}, which is no number.`;
}

const isCountable = (field: Field): boolean =>
  ["number", "money", "rating", "calculated", "repeat_group", "matrix"].includes(field.type) || "options" in field;

/** Only sums read what stands anywhere, so only they can read themselves. */
function isInCircle(sum: Calculated, places: Places, from = sum, seen = new Set<string>()): boolean {
  return from.terms.some(({ fieldId }) => {
    if (fieldId === sum.id) return true;
    const read = places.get(fieldId)?.field;
    if (read?.type !== "calculated" || seen.has(fieldId)) return false;
    seen.add(fieldId);
    return isInCircle(sum, places, read, seen);
  });
}

type Calculated = Extract<Field, { type: "calculated" }>;

function sumProblems(sum: Calculated, places: Places): string[] {
  const terms = sum.terms.map((term) => termProblem(sum, term, places)).filter((text) => text !== null);
  return isInCircle(sum, places) ? [...terms, `${nameOf(sum)} adds up itself.`] : terms;
}
