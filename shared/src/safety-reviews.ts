import { z } from "zod";
import { idSchema } from "./ids.ts";
import { hasWord } from "./has-word.ts";
import { instantSchema } from "./time.ts";

export const SAFETY_NOTE_MAX_LENGTH = 2000;
/** Of a session: they are all read at once. */
export const SAFETY_REVIEWS_MAX = 200;

const reviewFields = {
  partyId: idSchema,
  hasChanged: z.boolean("Say whether anything changed"),
  isSafe: z.boolean("Say whether it is still safe"),
  doMeasuresFit: z.boolean("Say whether the measures are still right"),
  note: z.string().trim().max(SAFETY_NOTE_MAX_LENGTH, `Use at most ${SAFETY_NOTE_MAX_LENGTH} characters`),
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

export const newSafetyReviewSchema = z.strictObject(reviewFields).refine(hasWords, WORDS);
export type NewSafetyReview = z.infer<typeof newSafetyReviewSchema>;
export const reviewSafetySchema = z.strictObject({ id: idSchema, ...reviewFields }).refine(hasWords, WORDS);

export const safetyReviewSchema = z.object({ ...reviewFields, at: instantSchema, byName: z.string() });
export type SafetyReview = z.infer<typeof safetyReviewSchema>;
