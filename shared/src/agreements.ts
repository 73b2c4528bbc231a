// The agreements to mediate that the parties of a case signed, as far as they speak of confidences.
import { z } from "zod";
import { CONFIDENCES } from "./confidences.ts";
import { eachOnce } from "./each-once.ts";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

const REASON_MAX_LENGTH = 300;

/** Who signed the new wording, and on which day. */
const signatureSchema = z.strictObject({ partyId: idSchema, on: daySchema });

export const agreementSchema = z.object({
  from: z.enum(CONFIDENCES).nullable(),
  to: z.enum(CONFIDENCES),
  on: daySchema,
  reason: z.string(),
  /** Who signed it first; null for a new one in place of another. */
  partyId: idSchema.nullable(),
  /** Of a new one, which everybody signed; empty for the first, whose days stand with the parties. */
  signatures: z.array(signatureSchema),
  at: instantSchema,
});

/** One that not everybody has signed yet, so that what was agreed before still holds. */
export const newAgreementSchema = z.object({
  to: z.enum(CONFIDENCES),
  reason: z.string(),
  signatures: z.array(signatureSchema),
});

/** A new agreement about confidences in place of the one before, or the signature of another party under it. */
export const changeConfidencesSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  to: z.enum(CONFIDENCES),
  /** Asked once, with the first signature. */
  reason: lineSchema(REASON_MAX_LENGTH),
  signatures: z
    .array(signatureSchema)
    .min(1, "Enter the day on which one of them signed it")
    .max(PARTIES_MAX)
    .refine((signatures) => eachOnce(signatures, ({ partyId }) => partyId), "Name each party once"),
});

/** What the agreement that was signed says of confidences was noted wrong: nobody signs anything anew. */
export const correctAgreementSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  to: z.enum(CONFIDENCES, "Choose what it says"),
  reason: lineSchema(REASON_MAX_LENGTH).refine(hasWord, "Say what was wrong"),
});
