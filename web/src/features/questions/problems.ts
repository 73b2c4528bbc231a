import type { Answers } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { AnswerProblem } from "@app/shared/form-validator";
import type { FileWays } from "./question-props.ts";

export type Problem = AnswerProblem;

const validator = () => import("@app/shared/form-validator");

/** Fetches what judges answers while somebody reads the first question, so that it is there when they go on. */
export const fetchValidator = (): void => void validator().catch(() => undefined);

/** What has to be mended on one page before they go on; where what judges it does not come, the server does so later. */
export async function problemsOf(
  content: FormContent,
  answers: Answers,
  { fields }: FormPage,
  { unkept }: Pick<FileWays, "unkept">,
): Promise<Problem[]> {
  const found = (await validator().catch(() => null))?.checkAnswers(content, answers).problems ?? [];
  return fields.flatMap(({ id }) => {
    // Whoever chose a file believes that it is there.
    const message = unkept.get(id);
    return message ? [{ path: [id], message }] : found.filter(({ path }) => path[0] === id);
  });
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
  const isOpen = ":is(input, select, textarea, button):enabled";
  const own = document.getElementById(id);
  const target = own?.matches(":disabled") === false ? own : (question?.querySelector<HTMLElement>(isOpen) ?? question);
  question?.scrollIntoView({ block: "center", behavior: "instant" });
  target?.focus({ preventScroll: true });
}
