// The validator of a form, made from its schema; server and page use the same.
import { cutText } from "./cut-text.ts";
import { type Answers, type AnswerValue, answerTo, isEmptyAnswer, partOf, rowsOf } from "./form-answers.ts";
import type { FormContent } from "./form-content.ts";
import { evaluateForm, rowKey } from "./form-evaluation.ts";
import { GROUP_ROWS_MAX } from "./form-limits.ts";
import { answerSchemaOf } from "./form-field-validators.ts";
import type { AskedField, Field, InnerField } from "./form-fields.ts";

export interface AnswerProblem {
  /** Of the question; of a repeat group with the row and the question in it. */
  path: (string | number)[];
  message: string;
}

export interface Checked {
  /** In one form, without what is not asked, and with what is reckoned. */
  answers: Answers;
  problems: AnswerProblem[];
}

const HIDDEN_MAX_LENGTH = 200;

const NEEDED = {
  short_text: "Answer this question",
  long_text: "Answer this question",
  number: "Enter a number",
  money: "Enter an amount",
  date: "Enter a date",
  birth_date: "Enter a date",
  date_time: "Enter a date and a time",
  time: "Enter a time",
  email: "Enter an email address",
  phone: "Enter a phone number",
  name: "Enter a name",
  address: "Enter an address",
  contact: "Enter at least a name",
  yes_no: "Choose one of the answers",
  one_of: "Choose one of the answers",
  any_of: "Choose at least one answer",
  picture_choice: "Choose a picture",
  rating: "Choose a number",
  matrix: "Choose an answer in each row",
  ranking: "Put them in order",
  consent: "Tick the box to agree",
  signature: "Type your name, or draw your signature",
  file: "Add a file",
  repeat_group: "Add at least one",
} as const satisfies Record<AskedField["type"], string>;

/**
 * The validator of a form, made from its schema. What is not asked is left out; each question that is asked has the
 * rules of its type. Gives the answers in one form, with what is reckoned, and all problems in the order of the
 * questions.
 */
export function checkAnswers(form: FormContent, sent: Answers): Checked {
  // What is asked follows from the answers as they are kept, not as they were typed.
  const given = inOneForm(form, sent);
  const { visible, required, answers: counted } = evaluateForm(form, given);
  const rules = { visible, required, currency: form.currency };
  const problems: AnswerProblem[] = [];
  const kept: Answers = {};
  for (const field of form.pages.flatMap((page) => page.fields)) {
    const answer = answerTo(given, field.id);
    if (field.type === "hidden" && answer !== undefined) kept[field.id] = answer;
    if (!isQuestion(field) || !visible.has(field.id)) continue;
    const isTooMuch = rowsOf(answer).length > GROUP_ROWS_MAX;
    const counts = field.type === "repeat_group" && !isTooMuch ? answerTo(counted, field.id) : answer;
    const checked = checkOne(field, counts, { key: field.id, ...rules });
    problems.push(...checked.problems.map((problem) => under([field.id], problem)));
    if (checked.value === undefined) continue;
    if (field.type !== "repeat_group") kept[field.id] = checked.value;
    else {
      const group = checkRows(field, rowsOf(answer), rules);
      kept[field.id] = group.rows;
      problems.push(...group.problems);
    }
  }
  return { answers: evaluateForm(form, kept).answers, problems };
}

function inOneForm({ pages, currency }: FormContent, sent: Answers): Answers {
  const given: Answers = {};
  for (const field of pages.flatMap(({ fields }) => fields)) {
    const answer = answerTo(sent, field.id);
    if (answer === undefined) continue;
    if (field.type === "hidden") {
      if (typeof answer === "string") given[field.id] = cutText(answer, HIDDEN_MAX_LENGTH);
    } else if (isQuestion(field)) {
      given[field.id] =
        field.type === "repeat_group"
          ? // One more than any form takes, so that too many are refused.
            rowsOf(answer)
              .slice(0, GROUP_ROWS_MAX + 1)
              .map((row) => rowInOneForm(field.fields, row, currency))
          : answerInOneForm(field, answer, currency);
    }
  }
  return given;
}

function rowInOneForm(fields: readonly InnerField[], sent: Answers, currency: string): Answers {
  const row: Answers = {};
  for (const field of fields) {
    const answer = answerTo(sent, field.id);
    if (answer !== undefined) row[field.id] = answerInOneForm(field, answer, currency);
  }
  return row;
}

/** As it was sent where it cannot be an answer, so that it is refused and not lost. */
function answerInOneForm(
  field: Exclude<AskedField | InnerField, { type: "repeat_group" }>,
  answer: AnswerValue,
  currency: string,
): AnswerValue {
  return answerSchemaOf(field, currency).safeParse(answer).data ?? answer;
}

interface Rules {
  visible: ReadonlySet<string>;
  required: ReadonlySet<string>;
  currency: string;
}

const isQuestion = (field: Field): field is AskedField =>
  field.type !== "statement" && field.type !== "hidden" && field.type !== "calculated";

const under = (path: AnswerProblem["path"], problem: AnswerProblem): AnswerProblem => ({
  ...problem,
  path: [...path, ...problem.path],
});

function checkRows(group: Extract<AskedField, { type: "repeat_group" }>, rows: readonly Answers[], rules: Rules) {
  const problems: AnswerProblem[] = [];
  const checkedRows = rows.flatMap((row, index): Answers[] => {
    const kept: Answers = {};
    const asked = group.fields.filter(({ id }) => rules.visible.has(rowKey(group.id, index, id)));
    // The others keep their place, by which the page knows them.
    if (asked.every(({ id }) => isEmptyAnswer(answerTo(row, id)))) return [];
    for (const field of asked) {
      const key = rowKey(group.id, index, field.id);
      const checked = checkOne(field, answerTo(row, field.id), { key, ...rules });
      problems.push(...checked.problems.map((problem) => under([group.id, index, field.id], problem)));
      if (checked.value !== undefined) kept[field.id] = checked.value;
    }
    return [kept];
  });
  return { rows: checkedRows, problems };
}

function checkOne(
  field: AskedField | InnerField,
  answer: AnswerValue | undefined,
  { key, required, currency }: Pick<Rules, "required" | "currency"> & { key: string },
): { value?: AnswerValue; problems: AnswerProblem[] } {
  const isNeeded = required.has(key);
  if (answer === undefined || isEmptyAnswer(answer))
    return { problems: isNeeded ? [{ path: [], message: neededOf(field) }] : [] };
  if (field.type === "repeat_group") {
    const message = miscounted(field, rowsOf(answer).length);
    return message ? { problems: [{ path: [], message }] } : { value: [], problems: [] };
  }
  const { data, error } = answerSchemaOf(field, currency).safeParse(answer);
  if (error)
    return { problems: error.issues.slice(0, 1).map(({ path, message }) => ({ path: path.map(pathPart), message })) };
  const missing = missingPart(field, answer, isNeeded);
  return missing ? { problems: [{ path: [], message: missing }] } : { value: data, problems: [] };
}

const neededOf = (field: AskedField | InnerField): string =>
  field.type === "repeat_group" && field.atLeast > 1 ? `Fill in at least ${field.atLeast}` : NEEDED[field.type];

function miscounted({ atLeast, atMost }: { atLeast: number; atMost: number }, count: number): string | null {
  if (count < atLeast) return `Fill in at least ${atLeast}`;
  return count > atMost ? `Only ${atMost} fit here, so take out the rest` : null;
}

const pathPart = (part: PropertyKey): string | number => (typeof part === "symbol" ? String(part) : part);

/** What an answer of several parts cannot be without. */
function missingPart({ type }: AskedField | InnerField, answer: AnswerValue, isNeeded: boolean): string | null {
  const lacks = (part: string) => partOf(answer, part).trim() === "";
  if (type === "contact" && lacks("name")) return "Enter a name";
  if (!isNeeded) return null;
  if (type === "name" && lacks("last")) return "Enter a last name";
  return type === "address" && lacks("line1") ? "Enter the first line of the address" : null;
}
