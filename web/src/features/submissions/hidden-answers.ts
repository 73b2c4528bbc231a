import { type Answers, answerTo } from "@app/shared/form-answers";
import type { FormContent } from "@app/shared/form-content";

const MAX_LENGTH = 200;

/** What the address says of questions that nobody is asked, where that is not known yet. */
export function hiddenAnswers({ pages }: FormContent, answers: Answers): [string, string][] {
  const given = new URLSearchParams(window.location.search);
  return pages.flatMap(({ fields }) =>
    fields.flatMap((field): [string, string][] => {
      if (field.type !== "hidden" || answerTo(answers, field.id) !== undefined) return [];
      const value = given.get(field.parameter);
      return value ? [[field.id, value.slice(0, MAX_LENGTH)]] : [];
    }),
  );
}
