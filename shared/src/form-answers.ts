// Answers as they are kept: by the id of the question. Free of zod.

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

/** Of the width of the box, in thousandths: what is drawn shorter is a slip of the finger and no signature. */
const DRAWN_MIN = 250;

function isUnsigned({ name, strokes }: DrawnSignature): boolean {
  if (!isBlank(name)) return false;
  const drawn = strokes.map(pointsOf);
  return drawn.reduce((sum, points) => sum + lengthOf(points), 0) < DRAWN_MIN || !drawn.some(isBent);
}

type Point = readonly [x: number, y: number];

/** Of a stroke, whose points stand there as x, y, x, y. */
function pointsOf(stroke: unknown): Point[] {
  const at = Array.isArray(stroke) ? stroke.map((one) => (typeof one === "number" ? one : 0)) : [];
  return Array.from({ length: Math.floor(at.length / 2) }, (_, index) => [at[2 * index] ?? 0, at[2 * index + 1] ?? 0]);
}

const between = ([x, y]: Point, [otherX, otherY]: Point): number => Math.hypot(x - otherX, y - otherY);

const lengthOf = (points: readonly Point[]): number =>
  points.reduce((sum, point, index) => sum + between(point, points[index - 1] ?? point), 0);

/** How a finger trembles is no bend. */
const BENT_STEP = 30;
/** How far from a straight line, and how much longer than the straight way: a thumb that scrolls goes in a slight arc. */
const BENT_MIN = 30;
const BENT_LONGER = 1.1;

/** A finger that scrolls the page, or comes by, draws a line that is nearly straight. */
function isBent(points: readonly Point[]): boolean {
  const [first = [0, 0]] = points;
  const rough = [first];
  for (const point of points) if (between(point, rough.at(-1) ?? first) >= BENT_STEP) rough.push(point);
  const [toX, toY] = rough.reduce((far, point) => (between(point, first) > between(far, first) ? point : far), first);
  const farthest = between([toX, toY], first);
  const offLine = ([x, y]: Point) =>
    Math.abs((toX - first[0]) * (first[1] - y) - (first[0] - x) * (toY - first[1])) / farthest;
  return lengthOf(rough) >= farthest * BENT_LONGER && rough.some((point) => offLine(point) >= BENT_MIN);
}

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
