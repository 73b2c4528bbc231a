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

export interface MiamRules {
  /** The day from which they hold. */
  version: string;
  /** So many months an application may rely on the meeting. */
  months: number;
  /** The base statement; the day in words. */
  attended: (day: string) => string;
  sentences: Record<Statement, string>;
}

const VERSIONS: readonly MiamRules[] = [MIAM_RULES_2024_04_29];

/** The rules of this day; undefined before the first of them, when nothing can be certified any more. */
export const miamRulesOn = (attendedOn: string): MiamRules | undefined =>
  VERSIONS.findLast(({ version }) => version <= attendedOn);
