// Sums of which nothing was entered: nought is an answer, and nobody gave it. Free of zod.
import { type Answers, answerTo, isEmptyAnswer, rowsOf } from "./form-answers.ts";
import type { FormContent } from "./form-content.ts";
import type { Field, Term } from "./form-fields.ts";

/** What stands in the place of such a sum. */
export const NOTHING_ENTERED = "Nothing entered";

/** The calculated values for which nothing was entered, by id. */
export function sumsOfNothing({ pages }: Pick<FormContent, "pages">, answers: Answers): Set<string> {
  const fields = new Map(pages.flatMap((page) => page.fields.map((field): [string, Field] => [field.id, field])));
  const known = new Map<string, boolean>();
  const isEntered = ({ fieldId, columnId }: Term): boolean => {
    const field = fields.get(fieldId);
    if (field?.type === "calculated") return isFilled(field);
    const answer = answerTo(answers, fieldId);
    if (columnId === null) return !isEmptyAnswer(answer);
    return rowsOf(answer).some((row) => !isEmptyAnswer(answerTo(row, columnId)));
  };
  const isFilled = ({ id, terms }: Extract<Field, { type: "calculated" }>): boolean => {
    const found = known.get(id);
    if (found !== undefined) return found;
    // A circle enters nothing.
    known.set(id, false);
    const filled = terms.some(isEntered);
    known.set(id, filled);
    return filled;
  };
  return new Set(
    [...fields.values()].flatMap((field) => (field.type === "calculated" && !isFilled(field) ? [field.id] : [])),
  );
}

export function withoutEmptySums(form: Pick<FormContent, "pages">, answers: Answers): Answers {
  const empty = sumsOfNothing(form, answers);
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !empty.has(id)));
}
