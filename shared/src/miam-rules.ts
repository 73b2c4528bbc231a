// Which rules hold for a MIAM: by the day on which it was attended. Each version is a file of its own, named after its day.
import { MIAM_RULES_2024_04_29 } from "./miam-rules-2024-04-29.ts";

/** What a certificate may say beyond that the person attended. */
export const STATEMENTS = [
  "alone",
  "own_side",
  "together",
  "separately",
  "none_willing",
  "unsuitable",
  "person_stops",
  "other_stops",
  "broken_down",
  "unresolved",
] as const;
export type Statement = (typeof STATEMENTS)[number];

/**
 * Of the other participants who did not come: all refused, one or each of several was silent, or some of both; the one other
 * had one booked, was told of an appointment for one, or had answered, or one of several had.
 */
export type Unwilling =
  | "refused"
  | "silent"
  | "all_silent"
  | "some_silent"
  | "missed"
  | "offered"
  | "answered"
  | "some_absent";

/** With another side there, in shuttle mediation with each side at a time of its own, or some of both. */
export type Mediating = "together" | "apart" | "both";

export interface MiamRules {
  /** The day from which they hold. */
  version: string;
  /** So many months an application may rely on the meeting, or on mediation since its last session. */
  months: number;
  /** What an application relies on, in the words of the rule, and which rule that is. */
  relied: { words: string; source: string };
  /** The base statement; the day in words. */
  attended: (day: string) => string;
  /** That the person took part in mediation, by how it was held; its first and last day in words, which may be one. */
  mediated: Record<Mediating, (first: string, last: string) => string>;
  sentences: Record<Statement, string>;
  /** What it says of nobody else's willingness where somebody went quiet: silence is no refusal, and an answer no silence. */
  unanswered: Record<Exclude<Unwilling, "refused">, string>;
  /** The same where somebody stands on this person's side: what is recorded of the other sides says nothing of them. */
  bySide: Record<"separately" | "none_willing", string> & { unanswered: Record<Exclude<Unwilling, "refused">, string> };
}

interface Said {
  statement: Statement;
  unwilling?: Unwilling;
  isBySide?: boolean;
}

/** The sentence of a statement; of those who did not come it says what is recorded. */
export const sentenceOf = (
  { sentences, unanswered, bySide }: MiamRules,
  { statement, unwilling = "refused", isBySide = false }: Said,
): string => {
  if (unwilling !== "refused") return (isBySide ? bySide.unanswered : unanswered)[unwilling];
  return isBySide && isOfSides(statement) ? bySide[statement] : sentences[statement];
};

/** Whether it speaks of all others, of whom those who stand beside this person are some. */
export const isOfSides = (statement: Statement): statement is "separately" | "none_willing" =>
  statement === "separately" || statement === "none_willing";

const VERSIONS: readonly MiamRules[] = [MIAM_RULES_2024_04_29];

/** The rules of this day; undefined before the first of them, when nothing can be certified any more. */
export const miamRulesOn = (attendedOn: string): MiamRules | undefined =>
  VERSIONS.findLast(({ version }) => version <= attendedOn);

/** What whoever signs is told where the months are over; the last day in words. */
export const lateWords = ({ months, relied }: MiamRules, lastDay: string): string =>
  `The ${months} months ended on ${lastDay}, so an application made now cannot rely on it. ${relied.source} asks that “${relied.words}”.`;
