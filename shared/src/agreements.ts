// The agreements to mediate that the parties of a case signed, as far as they speak of confidences.
import { z } from "zod";
import { CONFIDENCES } from "./confidences.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

const REASON_MAX_LENGTH = 300;

export const agreementSchema = z.object({
  from: z.enum(CONFIDENCES).nullable(),
  to: z.enum(CONFIDENCES),
  on: daySchema,
  reason: z.string(),
  /** Who signed it first; null for a new one in place of another. */
  partyId: idSchema.nullable(),
  at: instantSchema,
});

/** A new agreement about confidences, in place of the one before. */
export const changeConfidencesSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  to: z.enum(CONFIDENCES),
  /** The day on which it was agreed. */
  on: daySchema,
  reason: lineSchema(REASON_MAX_LENGTH).min(1, "Say why there is a new agreement"),
});
