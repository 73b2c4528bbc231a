// What came of a case.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const ISSUES_MAX = 20;
export const NARRATIVE_MAX_LENGTH = 2000;

/** The agency's codes of an outcome (submit a bulk claim, field OUTCOME_CODE); A as its older service has it. */
export const LEGAL_AID_OUTCOMES = ["S", "P", "C", "B", "A"] as const;

/** What a mediation may leave in the hands of those who were in it. */
export const CLOSING_DOCUMENTS = ["financial_statement", "memorandum", "parenting_plan"] as const;

export const outcomeSchema = z.strictObject({
  code: z.enum(["agreed_all", "agreed_some", "agreed_not_written", "not_agreed"]),
  /** Chosen where legal aid pays for somebody; empty where it does not. */
  laaCode: z.enum([...LEGAL_AID_OUTCOMES, ""]),
  issues: z
    .array(z.strictObject({ label: lineSchema(100).min(1), result: z.enum(["agreed", "partly", "not_agreed"]) }))
    .max(ISSUES_MAX),
  isWrittenUp: z.boolean(),
  /** What was handed out at the end, and to whom; none in cases that ended before this was asked. */
  documents: z
    .array(z.strictObject({ kind: z.enum(CLOSING_DOCUMENTS), partyIds: z.array(idSchema).min(1).max(PARTIES_MAX) }))
    .max(CLOSING_DOCUMENTS.length)
    .default([]),
  /** That nothing binds until it is made legal, and each should take advice of their own. */
  isAdviceTold: z.boolean().default(false),
  /** For the practice's own file. */
  narrative: z.string().trim().max(NARRATIVE_MAX_LENGTH),
});
export type Outcome = z.infer<typeof outcomeSchema>;
