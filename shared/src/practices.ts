import { z } from "zod";
import { practiceNameSchema } from "./auth.ts";
import { timeZoneSchema } from "./time.ts";
import { mediatorTypeSchema, regionSchema } from "./users.ts";

export const CASE_NUMBER_PREFIX_MAX_LENGTH = 6;

const practiceFields = {
  practiceName: practiceNameSchema,
  region: regionSchema,
  mediatorType: mediatorTypeSchema,
  timeZone: timeZoneSchema,
  caseNumberPrefix: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{0,6}$/, `Use up to ${CASE_NUMBER_PREFIX_MAX_LENGTH} letters and digits`),
  isTwoFactorRequired: z.boolean(),
  version: z.number().int().min(0),
};

export const updatePracticeSchema = z.strictObject(practiceFields);
export type UpdatePractice = z.infer<typeof updatePracticeSchema>;

/** A practice of before may have a name that none can be given now. */
export const practiceSchema = z.object({ ...practiceFields, practiceName: z.string(), currency: z.string() });
export type Practice = z.infer<typeof practiceSchema>;
