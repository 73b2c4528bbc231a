import { z } from "zod";
import { practiceNameSchema } from "./auth.ts";
import { daySchema, timeZoneSchema } from "./time.ts";
import { mediatorTypeSchema, regionSchema } from "./users.ts";

export const CASE_NUMBER_PREFIX_MAX_LENGTH = 6;

/** FPR 3.8(1)(d) counts from the day of attendance; some practices count from the day of issue. */
export const CERTIFICATES_COUNT_FROM = ["attendance", "issue"] as const;
export const CERTIFICATES_COUNT_FROM_NAMES = {
  attendance: "The day of the meeting",
  issue: "The day of issue",
} as const satisfies Record<(typeof CERTIFICATES_COUNT_FROM)[number], string>;

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
  /** From which day the months of a MIAM certificate run. */
  certificatesCountFrom: z.enum(CERTIFICATES_COUNT_FROM),
  version: z.number().int().min(0),
};

export const HOLIDAYS_MAX = 200;
const holidaysSchema = z.array(daySchema).max(HOLIDAYS_MAX, `Name at most ${HOLIDAYS_MAX} days`);

/** Holidays that are left out stay as they are. */
export const updatePracticeSchema = z.strictObject({ ...practiceFields, holidays: holidaysSchema.optional() });
export type UpdatePractice = z.infer<typeof updatePracticeSchema>;

/** A practice of before may have a name that none can be given now. */
export const practiceSchema = z.object({
  ...practiceFields,
  practiceName: z.string(),
  currency: z.string(),
  holidays: z.array(z.string()),
});
export type Practice = z.infer<typeof practiceSchema>;
