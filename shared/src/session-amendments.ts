// What is corrected of a session that is locked: what was recorded before stays readable beside it.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { SESSION_TEXT_MAX_LENGTH, sessionOutcomeSchema } from "./session-outcomes.ts";
import { SESSION_ATTENDANCES } from "./session-states.ts";
import { heldTimesSchema, timeChangeSchema, unmetReasonSchema } from "./session-times.ts";
import { instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const AMENDMENTS_MAX = 100;
export const HOLDERS_MAX = 4;
export const holderIdsSchema = z.array(idSchema).min(1, "Choose who held it").max(HOLDERS_MAX);

/** What was recorded of somebody who came or did not, and what is so; null where nothing was, or they were not asked. */
const correctionSchema = z.object({
  partyId: idSchema,
  from: z.enum(SESSION_ATTENDANCES).nullable(),
  to: z.enum(SESSION_ATTENDANCES).nullable(),
});

export const amendmentSchema = z.object({
  at: instantSchema,
  byName: z.string(),
  text: z.string(),
  attendance: z.array(correctionSchema),
  /** Null where it leaves them as they were. */
  times: timeChangeSchema.pick({ from: true, to: true }).nullable(),
  outcome: z.object({ from: sessionOutcomeSchema.nullable(), to: sessionOutcomeSchema }).nullable(),
  /** By their names. */
  mediators: z.object({ from: z.array(z.string()), to: z.array(z.string()) }).nullable(),
});
export type Amendment = z.infer<typeof amendmentSchema>;

export const amendSessionSchema = z.strictObject({
  id: idSchema,
  text: z
    .string()
    .trim()
    .min(1, "Write what is to be corrected")
    .max(SESSION_TEXT_MAX_LENGTH, `Use at most ${SESSION_TEXT_MAX_LENGTH} characters`),
  /** Who came or did not, where that was recorded otherwise. */
  attendance: z
    .array(z.strictObject({ partyId: idSchema, state: z.enum(SESSION_ATTENDANCES).nullable() }))
    .max(PARTIES_MAX)
    .default([]),
  /** When it was held, and what came of it, where that was recorded otherwise. */
  times: heldTimesSchema.nullable().default(null),
  outcome: sessionOutcomeSchema.nullable().default(null),
  /** Who held it, where others were recorded. */
  mediatorIds: holderIdsSchema.nullable().default(null),
  /** Why it was held all the same, where something was missing for it then. */
  unmetReason: unmetReasonSchema.default(""),
});
