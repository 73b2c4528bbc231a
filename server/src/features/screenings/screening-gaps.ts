// Whether a screening lets its party meet the others, on whichever day that is asked of.
import { labelsOf } from "@app/shared/agreement-gates";
import type { Newcomer } from "@app/shared/newcomers";
import { dayHeld, type Happening, isBefore, isOutdated, SCREENING_MAX_AGE_DAYS } from "@app/shared/screening-days";
import type { Judgement, Suitability } from "@app/shared/screenings";

export type Gap = "none" | "not_safe" | "unjudged" | "outdated" | "ended" | "left" | "joined" | "concern";

interface Held {
  suitable: Suitability;
  judgement?: Judgement | undefined;
  heldOn: string | null;
  completedAt: Date;
}

interface Moment {
  day: string;
  timeZone: string;
  /** When mediation ended before it. */
  ended: Happening | null;
  /** When this party left the case before it, or said no to it. */
  left: Happening | undefined;
  /** Whom they would meet who joined the case later. */
  newcomers: readonly Newcomer[];
  /** When a review raised a concern before it. */
  concern: Happening | undefined;
}

/** What is wrong, in the words of one of the tables below; null where nothing is. */
export interface Found {
  gap: Gap;
  /** Those who joined since. */
  joined: string;
}

export function gapOf(screening: Held | undefined, moment: Moment): Found | null {
  const since = moment.newcomers.filter((joined) => screening && isBefore(screening, joined, moment.timeZone));
  const gap = kindOf(screening, moment) ?? (since.length > 0 ? "joined" : null);
  return gap && { gap, joined: labelsOf(since) };
}

function kindOf(screening: Held | undefined, { day, timeZone, ended, left, concern }: Moment): Gap | null {
  if (!screening) return "none";
  if (screening.suitable === "no") return "not_safe";
  if (screening.judgement === "needed") return "unjudged";
  if (isOutdated(dayHeld(screening, timeZone), day)) return "outdated";
  if (ended && isBefore(screening, ended, timeZone)) return "ended";
  if (left && isBefore(screening, left, timeZone)) return "left";
  return concern && isBefore(screening, concern, timeZone) ? "concern" : null;
}

/** What is to be done about it. */
export const GAP_NOW: Record<Gap, (label: string, joined: string) => string> = {
  none: (label) => `Complete the screening of ${label}.`,
  not_safe: (label) => `The latest screening of ${label} does not allow mediation.`,
  unjudged: (label) =>
    `A mediator has to read the screening of ${label}, who told of a risk, and confirm it or screen them again.`,
  outdated: (label) => `Screen ${label} again: the last screening is over ${SCREENING_MAX_AGE_DAYS} days old.`,
  ended: (label) => `Screen ${label} again: mediation ended since the last screening.`,
  left: (label) => `Screen ${label} again: they had left the case since the last screening.`,
  joined: (label, joined) =>
    `Screen ${label} again: ${joined} joined the case since the last screening, so they were not asked about them.`,
  concern: (label) => `Screen ${label} again: a safety review raised a concern.`,
};

/** What was missing at a time that is over. */
export const GAP_THEN: Record<Gap, (label: string, joined: string) => string> = {
  none: (label) => `${label} had not been screened.`,
  not_safe: (label) => `The screening of ${label} did not allow mediation.`,
  unjudged: (label) => `No mediator had confirmed the screening of ${label}, who had told of a risk.`,
  outdated: (label) => `The screening of ${label} was over ${SCREENING_MAX_AGE_DAYS} days old.`,
  ended: (label) => `${label} had not been screened since mediation ended.`,
  left: (label) => `${label} had not been screened since they left the case.`,
  joined: (label, joined) => `${label} had not been screened since ${joined} joined the case.`,
  concern: (label) => `${label} had not been screened since a safety review raised a concern.`,
};
