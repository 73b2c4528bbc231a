// Where a case may go on to, and what its end has to go with.
import { z } from "zod";
import { CASE_STATUSES } from "./case-states.ts";
import { idSchema } from "./ids.ts";
import { SESSION_OUTCOMES } from "./session-states.ts";

/** A way on from the present state, whether it asks why, and what still stands in it. */
const caseStepSchema = z.object({
  to: z.enum(CASE_STATUSES),
  needsReason: z.boolean(),
  blockers: z.array(z.string()),
});
export const caseStepsSchema = z.object({
  items: z.array(caseStepSchema),
  /** What the last joint session found, which the outcome of the case goes with or says why not. */
  lastSession: z.object({ number: z.number().int(), code: z.enum(SESSION_OUTCOMES) }).nullable(),
  /** Whether a session of two sides was held: without one there is nothing to claim legal aid for. */
  hasSession: z.boolean(),
  /** Who came to these sessions. */
  mediatedIds: z.array(idSchema),
  /** How many entries of the safeguarding record wait for somebody; null where this person may not read it. */
  openEntries: z.number().int().nullable(),
  /** The open tasks to write up a session that was held, in their own words. */
  unwritten: z.array(z.string()),
});
export type CaseSteps = z.infer<typeof caseStepsSchema>;

/** What is due for somebody's safety, wherever the case stands. */
export const safetyDueSchema = z.object({
  /** Who is to be screened again, and why, in words; empty where this person may not read the screenings. */
  again: z.array(z.string()),
  openEntries: caseStepsSchema.shape.openEntries,
});
export type SafetyDue = z.infer<typeof safetyDueSchema>;

/** Said of a case that ends while its safeguarding record is not complete. */
export const entriesWait = (count: number): string =>
  count === 1 ? "1 safeguarding entry of this case waits." : `${count} safeguarding entries of this case wait.`;

/** Said of a case that ends while sessions that were held are not written up: until then they count for nothing. */
export const unwrittenWait = (titles: readonly string[]): string => `Still to do: ${titles.join("; ")}.`;
