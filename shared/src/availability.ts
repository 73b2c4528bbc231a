import { z } from "zod";
import { eachOnce } from "./each-once.ts";
import { daySchema, timeZoneSchema } from "./time.ts";

export const RANGES_MAX = 30;
const RANGES_OF_DAY_MAX = 6;
const DAYS_MAX = 366;
export const BUFFER_MAX_MINUTES = 240;
export const NOTICE_MAX_HOURS = 14 * 24;
export const HORIZON_MAX_DAYS = 365;
export const PER_DAY_MAX = 30;
/** How far apart the times are that somebody may choose. */
export const STEP_MINUTES = [5, 10, 15, 20, 30, 60] as const;

const timeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 09:30");
const endSchema = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "Enter a time such as 17:30");
const rangeFields = { from: timeSchema, to: endSchema };
const isForward = ({ from, to }: { from: string; to: string }) => from < to;
const BACKWARDS = { path: ["to"], message: "The end must be after the start" };

const rangeSchema = z
  .strictObject({ weekday: z.number().int().min(0).max(6), ...rangeFields })
  .refine(isForward, BACKWARDS);

const otherHoursSchema = z
  .array(
    z.strictObject({
      day: daySchema,
      ranges: z.array(z.strictObject(rangeFields).refine(isForward, BACKWARDS)).min(1).max(RANGES_OF_DAY_MAX),
    }),
  )
  .max(DAYS_MAX)
  .refine((days) => eachOnce(days, ({ day }) => day), "Name each day once");

/** What holds for whoever books from outside. */
const bookingRulesSchema = z.strictObject({
  bufferBeforeMinutes: z.number().int().min(0).max(BUFFER_MAX_MINUTES),
  bufferAfterMinutes: z.number().int().min(0).max(BUFFER_MAX_MINUTES),
  minNoticeHours: z.number().int().min(0).max(NOTICE_MAX_HOURS),
  horizonDays: z.number().int().min(1).max(HORIZON_MAX_DAYS),
  /** Null for any number. */
  maxPerDay: z.number().int().min(1).max(PER_DAY_MAX).nullable(),
  stepMinutes: z.literal(STEP_MINUTES),
});
export type BookingRules = z.infer<typeof bookingRulesSchema>;

export const BOOKING_RULES: BookingRules = {
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  minNoticeHours: 24,
  horizonDays: 60,
  maxPerDay: null,
  stepMinutes: 15,
};

/** When somebody works: 0 is Sunday. Days off and other hours come before the weekly ones. */
export const availabilitySchema = z.strictObject({
  weekly: z.array(rangeSchema).max(RANGES_MAX),
  daysOff: z.array(daySchema).max(DAYS_MAX),
  otherHours: otherHoursSchema,
  rules: bookingRulesSchema,
});
export type Availability = z.infer<typeof availabilitySchema>;

/** As it was read: 0 where nobody set any hours yet. */
const availabilityVersion = { version: z.number().int().min(0) };
/** Other hours and rules that are left out stay as they are. */
export const setAvailabilitySchema = z.strictObject({
  ...availabilitySchema.shape,
  otherHours: otherHoursSchema.optional(),
  rules: bookingRulesSchema.optional(),
  ...availabilityVersion,
});
export const availabilityOfSchema = z.object({
  ...availabilitySchema.shape,
  ...availabilityVersion,
  timeZone: timeZoneSchema,
});
export type AvailabilityOf = z.infer<typeof availabilityOfSchema>;
