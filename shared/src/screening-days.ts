// On which day a screening was held, and for how long it counts.
import { addDays, dayIn } from "./days.ts";

export const SCREENING_MAX_AGE_DAYS = 180;

interface Kept {
  /** Null where it was kept before anybody entered it: then it counts from the day on which it was recorded. */
  heldOn: string | null;
  completedAt: string | Date;
}

/** What happened on a day, and when that was recorded. */
export interface Happening {
  /** Empty where nobody entered it: then it happened when it was recorded. */
  on: string;
  at: Date;
}

/** The day on which it was held, in the practice's zone. */
export const dayHeld = ({ heldOn, completedAt }: Kept, timeZone: string): string =>
  heldOn ?? dayIn(timeZone, new Date(completedAt));

/** Whether so much time has passed since that everybody is asked again. */
export const isOutdated = (heldOn: string, today: string): boolean => addDays(heldOn, SCREENING_MAX_AGE_DAYS) < today;

/** Puts the one that was held last first; of one day the one that was recorded last. */
export function byDayHeld(timeZone: string): (one: Kept, other: Kept) => number {
  const key = (kept: Kept) => `${dayHeld(kept, timeZone)} ${new Date(kept.completedAt).toISOString()}`;
  return (one, other) => key(other).localeCompare(key(one));
}

/** Whether something happened after this screening was held, such as a concern, so that it has to be held anew. */
export function isBefore(kept: Kept, { on, at }: Happening, timeZone: string): boolean {
  const day = on || dayIn(timeZone, at);
  const held = dayHeld(kept, timeZone);
  // Of two things of one day nobody knows the hours: the one that was recorded last counts as the later one.
  return day === held ? at > new Date(kept.completedAt) : day > held;
}
