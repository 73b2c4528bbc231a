import type { Answers } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { AnswerProblem } from "@app/shared/form-validator";

export type Problem = AnswerProblem;

const validator = () => import("@app/shared/form-validator");

/** Fetches what judges answers while somebody reads the first question, so that it is there when they go on. */
export const fetchValidator = (): void => void validator().catch(() => undefined);

/** What has to be mended on one page before they go on; where what judges it does not come, the server does so later. */
export async function problemsOf(content: FormContent, answers: Answers, { fields }: FormPage): Promise<Problem[]> {
  const found = await validator().catch(() => null);
  if (!found) return [];
  const ids = new Set(fields.map(({ id }) => id));
  return found.checkAnswers(content, answers).problems.filter(({ path }) => ids.has(String(path[0])));
}

/** Of one question, by the path below it. */
export const ofQuestion = (problems: readonly Problem[], fieldId: string): Record<string, string> =>
  Object.fromEntries(
    problems.flatMap(({ path: [first, ...rest], message }) => (first === fieldId ? [[rest.join("."), message]] : [])),
  );

/** The id of the element of a question, also in a row. */
export function elementOf({ path }: Problem): string {
  const [fieldId, row, inner] = path;
  return typeof row === "number" && inner !== undefined ? `q-${fieldId}-${row}-${inner}` : `q-${fieldId}`;
}

/** Puts the keyboard on the question that has to be mended. */
export function focusQuestion(id: string): void {
  const question = document.getElementById(`${id}-question`);
  const target =
    document.getElementById(id) ?? question?.querySelector<HTMLElement>("input, select, textarea, button") ?? question;
  question?.scrollIntoView({ block: "center", behavior: "instant" });
  target?.focus({ preventScroll: true });
}
