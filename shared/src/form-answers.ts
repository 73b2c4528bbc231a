// Answers as they are kept: by the id of the question. Free of zod.
import { isDrawn } from "./drawn-strokes.ts";

export interface DrawnSignature {
  /** The name in letters; empty where it was drawn alone. */
  name: string;
  /** Strokes of points x, y in thousandths of the box's width; none where it was typed. */
  strokes: number[][];
}

export interface AnsweredFile {
  id: string;
  name: string;
  bytes: number;
}

/** A text, a choice, a day; a number; several choices; the parts of a name, an address, a grid; rows; files. */
export type AnswerValue = string | number | AnswerPart[] | { [part: string]: string } | DrawnSignature;
type AnswerPart = string | AnsweredFile | Answers;
export interface Answers {
  [fieldId: string]: AnswerValue;
}

/** The answer to a question; undefined where there is none. */
export const answerTo = (answers: Answers, fieldId: string): AnswerValue | undefined =>
  Object.hasOwn(answers, fieldId) ? answers[fieldId] : undefined;

/** The answers with this one instead of what was there; null takes it out. */
export function withAnswer(answers: Answers, fieldId: string, value: AnswerValue | null): Answers {
  const next = new Map(Object.entries(answers));
  if (value === null) next.delete(fieldId);
  else next.set(fieldId, value);
  return Object.fromEntries(next);
}

/** What cannot be seen says nothing either. */
const isBlank = (text: unknown): boolean => typeof text !== "string" || !/[^\s\p{DI}\p{Cf}\p{Cc}\u2800]/u.test(text);

// Answers come from anybody, so that what the types rule out, such as null, is looked for all the same.
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether nothing was answered. */
export function isEmptyAnswer(answer: AnswerValue | undefined): boolean {
  if (!isObject(answer) && typeof answer !== "string" && typeof answer !== "number") return true;
  if (typeof answer === "number") return false;
  if (typeof answer === "string") return isBlank(answer);
  if (Array.isArray(answer)) return answer.length === 0;
  return isSignature(answer) ? isUnsigned(answer) : Object.values(answer).every(isBlank);
}

/** A letter that is seen: a full stop, or an accent by itself, is nobody's name. */
const holdsLetter = (text: unknown): boolean => typeof text === "string" && /(?!\p{DI})\p{L}/u.test(text);

const isUnsigned = ({ name, strokes }: DrawnSignature): boolean => !holdsLetter(name) && !isDrawn(strokes);

export const isSignature = (answer: AnswerValue): answer is DrawnSignature =>
  isObject(answer) && "strokes" in answer && Array.isArray(answer.strokes);

/** One part of an answer of several, such as the last name. */
export function partOf(answer: AnswerValue | undefined, part: string): string {
  if (!isObject(answer) || Array.isArray(answer) || isSignature(answer)) return "";
  return Object.hasOwn(answer, part) ? (answer[part] ?? "") : "";
}

/** The rows of a repeat group. */
export const rowsOf = (answer: AnswerValue | undefined): Answers[] =>
  Array.isArray(answer) ? answer.filter((row): row is Answers => isObject(row) && !Array.isArray(row)) : [];

/** The choices of an answer of several. */
export const choicesOf = (answer: AnswerValue | undefined): string[] =>
  Array.isArray(answer) ? answer.filter((choice) => typeof choice === "string") : [];

/** The files of an answer. */
export const filesOf = (answer: AnswerValue | undefined): AnsweredFile[] =>
  Array.isArray(answer)
    ? answer.flatMap((one) => {
        if (typeof one !== "object") return [];
        const { id, name, bytes } = one;
        return typeof id === "string" && typeof name === "string" && typeof bytes === "number"
          ? [{ id, name, bytes }]
          : [];
      })
    : [];
