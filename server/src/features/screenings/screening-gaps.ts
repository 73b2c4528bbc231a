// Whether a screening lets its party meet the others, on whichever day that is asked of.
import { dayHeld, isBefore, isOutdated, SCREENING_MAX_AGE_DAYS } from "@app/shared/screening-days";
import type { Suitability } from "@app/shared/screenings";

type Gap = "none" | "not_safe" | "outdated" | "ended" | "left" | "concern";

interface Held {
  suitable: Suitability;
  heldOn: string | null;
  completedAt: Date;
}

interface Moment {
  day: string;
  timeZone: string;
  /** When mediation ended before it. */
  endedAt: Date | null;
  /** When this party left the case before it, or said no to it. */
  leftAt: Date | undefined;
  /** When a review raised a concern before it. */
  concernAt: Date | undefined;
}

export function gapOf(screening: Held | undefined, { day, timeZone, endedAt, leftAt, concernAt }: Moment): Gap | null {
  if (!screening) return "none";
  if (screening.suitable === "no") return "not_safe";
  if (isOutdated(dayHeld(screening, timeZone), day)) return "outdated";
  if (endedAt && isBefore(screening, endedAt, timeZone)) return "ended";
  if (leftAt && isBefore(screening, leftAt, timeZone)) return "left";
  return concernAt && isBefore(screening, concernAt, timeZone) ? "concern" : null;
}

/** What is to be done about it. */
export const GAP_NOW: Record<Gap, (label: string) => string> = {
  none: (label) => `Complete the screening of ${label}.`,
  not_safe: (label) => `The latest screening of ${label} does not allow mediation.`,
  outdated: (label) => `Screen ${label} again: the last screening is over ${SCREENING_MAX_AGE_DAYS} days old.`,
  ended: (label) => `Screen ${label} again: mediation ended since the last screening.`,
  left: (label) => `Screen ${label} again: they had left the case since the last screening.`,
  concern: (label) => `Screen ${label} again: a safety review raised a concern.`,
};

/** What was missing at a time that is over. */
export const GAP_THEN: Record<Gap, (label: string) => string> = {
  none: (label) => `${label} had not been screened.`,
  not_safe: (label) => `The screening of ${label} did not allow mediation.`,
  outdated: (label) => `The screening of ${label} was over ${SCREENING_MAX_AGE_DAYS} days old.`,
  ended: (label) => `${label} had not been screened since mediation ended.`,
  left: (label) => `${label} had not been screened since they left the case.`,
  concern: (label) => `${label} had not been screened since a safety review raised a concern.`,
};
