// What the logic of a form makes of the answers: which pages and questions are asked, what has to be answered, what is
// reckoned, and what the mediator is told. Server and page ask the same. Free of zod.
import { type Answers, type AnswerValue, answerTo, choicesOf, isEmptyAnswer, rowsOf } from "./form-answers.ts";
import type { FormContent, FormPage } from "./form-content.ts";
import type { AskedField, Field, InnerField, Term } from "./form-fields.ts";
import { GROUP_ROWS_MAX } from "./form-limits.ts";
import type { Comparison, Condition, ConditionPart } from "./form-logic.ts";

/** Where a jump leads that ends the questions; the same word as in `form-content`, which loads zod. */
const END = "end";

export interface Evaluation {
  /** The pages that are asked, in order. */
  path: string[];
  /** Questions and statements that are shown, by id; of a repeat group by `rowKey`. */
  visible: ReadonlySet<string>;
  /** Questions that need an answer; of a repeat group by `rowKey`. */
  required: ReadonlySet<string>;
  /** The answers that count: without those of questions that are not asked, with what is reckoned. */
  answers: Answers;
  /** What the mediator is told, in the order of the questions. */
  flags: { fieldId: string; text: string }[];
}

/** One question in one row of a repeat group. */
export const rowKey = (groupId: string, row: number, fieldId: string): string => `${groupId}.${row}.${fieldId}`;

/**
 * Goes through the pages in order. A page is skipped where its condition does not hold or a jump led past it; answers of
 * what is not asked count nowhere, and no more does what would be reckoned there. A condition reads what stands before
 * it; a comparison with an answer that is missing holds only for "has no answer", "is not" and "includes none of".
 */
export function evaluateForm({ pages }: Pick<FormContent, "pages">, given: Answers): Evaluation {
  const fields = pages.flatMap((page) => page.fields);
  const state: State = {
    reckoned: new Set(),
    fields: new Map(fields.map((field) => [field.id, field])),
    answers: {},
    visible: new Set(),
    required: new Set(),
    path: [],
    rowFlags: new Set(),
  };
  for (const field of fields) if (field.type === "hidden") keepAnswer(state, field.id, answerTo(given, field.id));
  let jumpedTo: string | null = null;
  for (const page of pages) {
    if (jumpedTo !== null && jumpedTo !== page.id) continue;
    jumpedTo = null;
    if (!holds(state, page.visibleIf)) continue;
    state.path.push(page.id);
    for (const { id, type } of page.fields) if (type === "calculated") state.reckoned.add(id);
    for (const field of page.fields) visit(state, field, given);
    jumpedTo = jumpAfter(state, page);
    if (jumpedTo === END) break;
  }
  const answers = { ...state.answers };
  for (const id of state.reckoned) answers[id] = valueOf(state, id) ?? 0;
  const flags = fields.flatMap((field) => flagsOf(state, field));
  return { path: state.path, visible: state.visible, required: state.required, answers, flags };
}

/** Of a question, and of those in a repeat group where it held in one of the rows. */
function flagsOf(state: State, field: Field): Evaluation["flags"] {
  const flag = "flag" in field ? field.flag : null;
  const isAskedNow = state.reckoned.has(field.id) || state.visible.has(field.id);
  const own = flag && isAskedNow && holds(state, flag.when) ? [{ fieldId: field.id, text: flag.text }] : [];
  if (field.type !== "repeat_group") return own;
  const inRows = field.fields.flatMap((inner) =>
    inner.flag && state.rowFlags.has(`${field.id}.${inner.id}`) ? [{ fieldId: inner.id, text: inner.flag.text }] : [],
  );
  return [...own, ...inRows];
}

interface State {
  /** Calculated values on the pages that are asked. */
  reckoned: Set<string>;
  fields: ReadonlyMap<string, Field>;
  answers: Answers;
  visible: Set<string>;
  required: Set<string>;
  path: string[];
  /** Questions of repeat groups, by group and question, of which the mediator is told for one of the rows. */
  rowFlags: Set<string>;
}

function keepAnswer(state: { answers: Answers }, fieldId: string, answer: AnswerValue | undefined): void {
  if (answer !== undefined && !isEmptyAnswer(answer)) state.answers[fieldId] = answer;
}

function visit(state: State, field: Field, given: Answers): void {
  if (field.type === "hidden") return;
  if (field.type === "calculated") {
    if (field.isShown) state.visible.add(field.id);
    return;
  }
  if (!holds(state, field.visibleIf)) return;
  state.visible.add(field.id);
  if (field.type === "statement") return;
  if (isRequired(state, field)) state.required.add(field.id);
  if (field.type !== "repeat_group") return keepAnswer(state, field.id, answerTo(given, field.id));
  const added = rowsOf(answerTo(given, field.id));
  // Where one is needed its questions stand there before anybody adds it.
  const rows = (added.length === 0 && field.atLeast > 0 ? [{}] : added)
    .slice(0, GROUP_ROWS_MAX)
    .map((row, index) => visitRow(state, field, row, index));
  // One that was added and left empty tells of nobody.
  keepAnswer(
    state,
    field.id,
    rows.filter((row) => Object.keys(row).length > 0),
  );
}

function visitRow(
  state: State,
  group: Extract<AskedField, { type: "repeat_group" }>,
  given: Answers,
  index: number,
): Answers {
  const row: Answers = {};
  const within = { ...state, answers: { ...state.answers } };
  for (const field of group.fields) {
    if (!holds(within, field.visibleIf)) continue;
    const key = rowKey(group.id, index, field.id);
    state.visible.add(key);
    if (isRequired(within, field)) state.required.add(key);
    keepAnswer(within, field.id, answerTo(given, field.id));
    keepAnswer({ answers: row }, field.id, answerTo(given, field.id));
  }
  if (Object.keys(row).length === 0) return row;
  for (const { id, flag } of group.fields)
    if (flag && state.visible.has(rowKey(group.id, index, id)) && holds(within, flag.when))
      state.rowFlags.add(`${group.id}.${id}`);
  return row;
}

/** A group that wants rows wants them whether or not it says so once more. */
const isRequired = (state: State, field: AskedField | InnerField): boolean =>
  field.isRequired ||
  (field.type === "repeat_group" && field.atLeast > 0) ||
  (field.requiredIf !== null && holds(state, field.requiredIf));

const jumpAfter = (state: State, { jumps }: FormPage): string | null =>
  jumps.find(({ when }) => holds(state, when))?.to ?? null;

/** Null holds always. */
function holds(state: State, condition: Condition | null): boolean {
  if (condition === null) return true;
  return joined(condition, (part: ConditionPart) =>
    "of" in part ? joined(part, (inner) => compares(state, inner)) : compares(state, part),
  );
}

function joined<Part>(
  { joint, of }: { joint: Condition["joint"]; of: readonly Part[] },
  isTrue: (part: Part) => boolean,
) {
  if (joint === "and") return of.every(isTrue);
  return joint === "or" ? of.some(isTrue) : !of.some(isTrue);
}

function compares(state: State, { fieldId, operator, value }: Comparison): boolean {
  const answer = valueOf(state, fieldId);
  const isEmpty = isEmptyAnswer(answer);
  if (operator === "is_empty" || operator === "is_set") return isEmpty === (operator === "is_empty");
  if (operator.startsWith("includes_")) return includesAsked(operator, choicesOf(answer), listOf(value));
  if (operator === "one_of") return typeof answer === "string" && listOf(value).includes(answer);
  if (isEmpty) return operator === "not_equals";
  if (typeof answer === "number") return typeof value === "number" && comparesNumbers(operator, answer, value);
  return typeof answer === "string" && typeof value === "string" && comparesTexts(operator, answer, value);
}

const listOf = (value: Comparison["value"]): readonly string[] => (Array.isArray(value) ? value : []);

function includesAsked(operator: Comparison["operator"], chosen: readonly string[], asked: readonly string[]): boolean {
  if (operator === "includes_all") return asked.every((choice) => chosen.includes(choice));
  return asked.some((choice) => chosen.includes(choice)) === (operator === "includes_any");
}

function comparesNumbers(operator: Comparison["operator"], answer: number, value: number): boolean {
  if (operator === "equals") return answer === value;
  if (operator === "not_equals") return answer !== value;
  if (operator === "gt") return answer > value;
  if (operator === "gte") return answer >= value;
  return operator === "lt" ? answer < value : operator === "lte" && answer <= value;
}

/** Days and times are written so that their order is that of their letters. */
function comparesTexts(operator: Comparison["operator"], answer: string, value: string): boolean {
  const [mine, other] = [folded(answer), folded(value)];
  if (operator === "equals") return mine === other;
  if (operator === "not_equals") return mine !== other;
  if (operator === "contains") return mine.includes(other);
  if (operator === "starts_with") return mine.startsWith(other);
  return operator === "before" ? mine < other : operator === "after" && mine > other;
}

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * What a condition reads: a repeat group as the number of its rows, a calculated value as what it comes to, and nothing
 * where its page is not asked. Sums that
 * were reckoned on the way are known, so that sums of sums take no longer than they are.
 */
function valueOf(state: State, fieldId: string, known = new Map<string, number>()): AnswerValue | undefined {
  const field = state.fields.get(fieldId);
  const answer = answerTo(state.answers, fieldId);
  if (field?.type === "repeat_group") return rowsOf(answer).length;
  if (field?.type !== "calculated") return answer;
  if (!state.reckoned.has(fieldId)) return undefined;
  const found = known.get(fieldId);
  if (found !== undefined) return found;
  // A circle is refused when the form is published; in the draft it counts nothing.
  known.set(fieldId, 0);
  const sum = rounded(field.terms.reduce((all, term) => all + signed(term, amountOf(state, term, known)), 0));
  known.set(fieldId, sum);
  return sum;
}

const signed = ({ sign }: Term, amount: number): number => (sign === "plus" ? amount : -amount);
/** Without what binary fractions leave behind the fourth digit. */
const rounded = (sum: number): number => Math.round(sum * 10_000) / 10_000 + 0;

function amountOf(state: State, { fieldId, columnId }: Term, known: Map<string, number>): number {
  const field = state.fields.get(fieldId);
  if (!field) return 0;
  if (columnId === null) return countOf(field, valueOf(state, fieldId, known));
  if (field.type !== "repeat_group") return 0;
  const column = field.fields.find(({ id }) => id === columnId);
  if (!column) return 0;
  return rowsOf(answerTo(state.answers, fieldId)).reduce(
    (sum, row) => sum + countOf(column, answerTo(row, columnId)),
    0,
  );
}

/** A number counts itself, choices what they score. */
function countOf(field: Field | InnerField, answer: AnswerValue | undefined): number {
  if (typeof answer === "number") return answer;
  if (!("options" in field)) return field.type === "matrix" ? matrixScore(field, answer) : 0;
  const chosen = typeof answer === "string" ? [answer] : choicesOf(answer);
  return field.options.reduce((sum, { value, score }) => sum + (chosen.includes(value) ? (score ?? 0) : 0), 0);
}

function matrixScore({ columns }: Extract<Field, { type: "matrix" }>, answer: AnswerValue | undefined): number {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return 0;
  const chosen: unknown[] = Object.values(answer);
  const scoreOf = (choice: unknown) => columns.find(({ value }) => value === choice)?.score ?? 0;
  return chosen.reduce((sum: number, choice) => sum + scoreOf(choice), 0);
}
