// How a case had ended before it came back, and what belongs to that.
import { z } from "zod";
import { outcomeSchema } from "./case-outcomes.ts";
import { CASE_STATUSES, ENDINGS } from "./case-states.ts";
import { daySchema, instantSchema } from "./time.ts";

export const roundSchema = z.object({
  status: z.enum(CASE_STATUSES),
  ending: z.enum(ENDINGS).nullable(),
  outcome: outcomeSchema.nullable(),
  reason: z.string(),
  endedAt: instantSchema,
  /** The day on which mediation ended, which may be recorded later; empty where nobody said. */
  concludedOn: z.union([z.literal(""), daySchema]).default(""),
});
export type Round = z.infer<typeof roundSchema>;

interface Over {
  concludedOn: string;
  endedAt: string | Date;
}

interface Held {
  heldOn: string;
  startedAt: Date | null;
}

/** Whether a session was held in that round: one that began after the round's end was recorded may have the same day. */
export function wasHeldIn({ concludedOn, endedAt }: Over, { heldOn, startedAt }: Held): boolean {
  if (startedAt === null || startedAt > new Date(endedAt)) return false;
  return concludedOn === "" || heldOn <= concludedOn;
}

/** Which round of them it was held in; -1 for the one that goes on, or ended last. */
export const roundIndexOf = (rounds: readonly Over[], session: Held): number =>
  rounds.findIndex((round) => wasHeldIn(round, session));

/** Those of them that were over before it was held: what was said in these says nothing of it. */
export function roundsBefore<R extends Over>(rounds: readonly R[], session: Held): readonly R[] {
  const index = roundIndexOf(rounds, session);
  return index === -1 ? rounds : rounds.slice(0, index);
}
