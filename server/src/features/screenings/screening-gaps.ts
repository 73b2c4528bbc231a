// Whether a screening lets its party meet the others, on whichever day that is asked of.
import { labelsOf } from "@app/shared/agreement-gates";
import { sideOf } from "@app/shared/case-states";
import type { Newcomer } from "@app/shared/newcomers";
import { dayHeld, type Happening, isBefore, isOutdated, SCREENING_MAX_AGE_DAYS } from "@app/shared/screening-days";
import type { Judgement, Suitability } from "@app/shared/screenings";

export type Gap =
  | "none"
  | "not_safe"
  | "unjudged"
  | "outdated"
  | "ended"
  | "left"
  | "joined"
  | "entered"
  | "beside"
  | "concern";

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
  /** Who was found not safe of those on their own side, and when: of that they may not have been asked. */
  beside: readonly Newcomer[];
  /** When a review raised a concern before it. */
  concern: Happening | undefined;
}

/** What is wrong, in the words of one of the tables below; null where nothing is. */
export interface Found {
  gap: Gap;
  /** Those who joined since, or were found not safe. */
  joined: string;
}

/** What of this somebody found or told; the rest is that they were not asked, or not again. */
const OF_DANGER: readonly Gap[] = ["not_safe", "unjudged", "concern", "beside"];

const KINDS = ["not_safe", "unjudged", "outdated", "ended", "left", "concern"] as const satisfies readonly Gap[];

export const gapOf = (screening: Held | undefined, moment: Moment): Found | null =>
  allGapsOf(screening, moment)[0] ?? null;

/** The same where nobody has to be screened: only what somebody found or told stands in the way. */
export const dangerOf = (screening: Held | undefined, moment: Moment): Found | null =>
  allGapsOf(screening, moment).find(({ gap }) => OF_DANGER.includes(gap)) ?? null;

/** The gravest first. */
function allGapsOf(screening: Held | undefined, moment: Moment): Found[] {
  const isSince = (one: Newcomer) => screening !== undefined && isBefore(screening, one, moment.timeZone);
  // Of somebody who came earlier than they were entered, it is not known whether anybody was asked before that.
  const isEnteredSince = (one: Newcomer) =>
    !isSince(one) && screening !== undefined && screening.completedAt < one.at && isSince({ ...one, on: "" });
  const withWhom = (gap: Gap, whom: readonly Newcomer[]): Found[] =>
    whom.length > 0 ? [{ gap, joined: labelsOf(whom) }] : [];
  return [
    ...kindsOf(screening, moment).map((gap) => ({ gap, joined: "" })),
    ...withWhom("beside", moment.beside.filter(isSince)),
    ...withWhom("joined", moment.newcomers.filter(isSince)),
    ...withWhom("entered", moment.newcomers.filter(isEnteredSince)),
  ];
}

function kindsOf(screening: Held | undefined, { day, timeZone, ended, left, concern }: Moment): Gap[] {
  if (!screening) return concern ? ["none", "concern"] : ["none"];
  const isSince = (one: Happening | null | undefined) => Boolean(one && isBefore(screening, one, timeZone));
  const kinds: Record<(typeof KINDS)[number], boolean> = {
    not_safe: screening.suitable === "no",
    unjudged: screening.judgement === "needed",
    outdated: isOutdated(dayHeld(screening, timeZone), day),
    ended: isSince(ended),
    left: isSince(left),
    concern: isSince(concern),
  };
  return KINDS.filter((gap) => kinds[gap]);
}

interface Standing {
  partyId: string;
  label: string;
  side: string;
}

/** Who of a case was last found not safe of those on this party's own side. */
export const unsafeOnSideOf = (
  party: Omit<Standing, "label">,
  all: readonly Standing[],
  latestOf: (partyId: string) => Pick<Held, "suitable" | "heldOn" | "completedAt"> | undefined,
): Newcomer[] =>
  all
    .filter((other) => other.partyId !== party.partyId && sideOf(other) === sideOf(party))
    .flatMap(({ partyId, label }) => {
      const screening = latestOf(partyId);
      return screening?.suitable === "no" ? [{ label, on: screening.heldOn ?? "", at: screening.completedAt }] : [];
    });

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
  entered: (label, joined) =>
    `Screen ${label} again: ${joined} was entered here after the last screening, so it is not known that they were asked about them.`,
  beside: (label, unsafe) =>
    `Screen ${label} again: ${unsafe}, on the same side, was found not safe to mediate since the last screening.`,
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
  entered: (label, joined) =>
    `${label} was screened before ${joined} was entered here, so it is not known that they were asked about them.`,
  beside: (label, unsafe) =>
    `${label} had not been screened since ${unsafe}, on the same side, was found not safe to mediate.`,
  concern: (label) => `${label} had not been screened since a safety review raised a concern.`,
};
