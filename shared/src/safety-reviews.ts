import { z } from "zod";
import { idSchema } from "./ids.ts";
import { hasWord } from "./has-word.ts";
import { daySchema, instantSchema } from "./time.ts";

const optionalDaySchema = z.union([z.literal(""), daySchema]);

export const SAFETY_NOTE_MAX_LENGTH = 2000;
/** Before its session: what was said longer ago says nothing of the day on which they meet. */
export const SAFETY_REVIEW_MAX_AGE_DAYS = 14;
/** Of a session: they are all read at once. */
export const SAFETY_REVIEWS_MAX = 200;

const reviewFields = {
  partyId: idSchema,
  hasChanged: z.boolean("Say whether anything changed"),
  isSafe: z.boolean("Say whether it is still safe"),
  doMeasuresFit: z.boolean("Say whether the measures are still right"),
  note: z.string().trim().max(SAFETY_NOTE_MAX_LENGTH, `Use at most ${SAFETY_NOTE_MAX_LENGTH} characters`),
};

/** Of one that is written when its session has begun: whether they were asked before it, and on which day. */
const laterFields = {
  /** Null where nobody says, as in those of before it was asked. */
  wasAskedBefore: z.boolean().nullable().default(null),
  /** Of one from before its session the day of that where it is left out. */
  heldOn: optionalDaySchema.default(""),
};

interface Said {
  isSafe: boolean;
  doMeasuresFit: boolean;
}
/** Asks for a new screening before the parties meet again. */
export const isConcern = ({ isSafe, doMeasuresFit }: Said): boolean => !isSafe || !doMeasuresFit;

const hasWords = ({ hasChanged, note, ...said }: Said & { hasChanged: boolean; note: string }): boolean =>
  hasWord(note) || (!hasChanged && !isConcern(said));
const WORDS = { path: ["note"], message: "Write what changed, or what the concern is" };

export const newSafetyReviewSchema = z.strictObject({ ...reviewFields, ...laterFields }).refine(hasWords, WORDS);
export type NewSafetyReview = z.infer<typeof newSafetyReviewSchema>;
export const reviewSafetySchema = z
  .strictObject({ id: idSchema, ...reviewFields, ...laterFields })
  .refine(hasWords, WORDS);

export const safetyReviewSchema = z.object({
  ...reviewFields,
  /** Empty where nobody says that it was on another day than it was written. */
  heldOn: optionalDaySchema,
  wasAskedBefore: z.boolean().nullable(),
  /** Why one of an earlier day was written late, in those of before it was asked whether they were asked in time. */
  lateReason: z.string(),
  /** When it was written. */
  at: instantSchema,
  byName: z.string(),
  /** Written when the session had begun, so that it says nothing of before by itself. */
  isLate: z.boolean(),
});
export type SafetyReview = z.infer<typeof safetyReviewSchema>;
