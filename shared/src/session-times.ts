// When a session took place that is written up later, and what was missing for it at that time.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

export const TIME_REASON_MAX_LENGTH = 300;
export const TIME_CHANGES_MAX = 50;
export const LONGEST_MS = 86_400_000;

const times = { startedAt: instantSchema, endedAt: instantSchema };
interface Times {
  startedAt: string;
  endedAt: string;
}
const lengthOf = ({ startedAt, endedAt }: Times): number => Date.parse(endedAt) - Date.parse(startedAt);

const reason = lineSchema(TIME_REASON_MAX_LENGTH);
/** Why it was held all the same; asked for only where something was missing. */
export const unmetReasonSchema = reason;
const fields = { ...times, unmetReason: unmetReasonSchema };

const isForward = (sent: Times): boolean => lengthOf(sent) > 0;
const isADay = (sent: Times): boolean => lengthOf(sent) <= LONGEST_MS;
const FORWARD = { path: ["endedAt"], message: "Enter an end that is after the start" };
const A_DAY = { path: ["endedAt"], message: "A session lasts at most a day" };

export const heldTimesSchema = z.strictObject(times).refine(isForward, FORWARD).refine(isADay, A_DAY);

export const recordSessionSchema = z
  .strictObject({ caseId: idSchema, meetingId: idSchema.nullable(), ...fields })
  .refine(isForward, FORWARD)
  .refine(isADay, A_DAY);

/** The reason is asked for where a time stood there before. */
export const setTimesSchema = z
  .strictObject({ id: idSchema, reason, ...fields })
  .refine(isForward, FORWARD)
  .refine(isADay, A_DAY);

const nullableTimes = { startedAt: instantSchema.nullable(), endedAt: instantSchema.nullable() };
export const timeChangeSchema = z.object({
  at: instantSchema,
  byName: z.string(),
  /** As it stood before. */
  from: z.object(nullableTimes),
  to: z.object(times),
  /** Empty where a session was written up that had no time yet. */
  reason: z.string(),
});
export type TimeChange = z.infer<typeof timeChangeSchema>;

/** What had to be there before this session and was not, why it was held all the same, and who said so. */
export const unmetSchema = z.object({
  what: z.array(z.string()),
  /** Null where this person may not read it, because it is about safety. */
  reason: z.string().nullable(),
  at: instantSchema,
  byName: z.string(),
});
