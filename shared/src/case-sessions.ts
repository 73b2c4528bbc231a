// When a session of a case may be prepared, and when it may begin. Free of zod.
import { hadCome, type Joined } from "./newcomers.ts";
import { labelsOf, missingConsents, missingSignatures, OR_WITHOUT_THEM } from "./agreement-gates.ts";
import {
  type CaseStatus,
  countSides,
  ENDED_STATUSES,
  hasSigned,
  isSuitable,
  isTakingPart,
  type PartyStatus,
} from "./case-states.ts";
import type { CaseDomain } from "./case-transitions.ts";
import { outOf, type Returner } from "./death.ts";
import { isLeftAlone } from "./case-waiting.ts";
import { MEDIATING, type MeetingType } from "./meeting-states.ts";

/** Whether what was held there was mediation; `null` is a session without a meeting. What else people meet for is none. */
export const mediates = (type: MeetingType | null): boolean => type === null || MEDIATING.includes(type);

/** Somebody is assessed or heard there, before mediation or beside it. */
const ASSESSING: readonly MeetingType[] = ["miam", "pre_meeting", "cim"];

export const isAssessing = (type: MeetingType | null): boolean => type !== null && ASSESSING.includes(type);

/** The same of a meeting to which these come: one before mediation is each side's own, and with another side no longer that. */
const isAssessingOf = (type: MeetingType | null, parties: readonly Sided[]): boolean =>
  isAssessing(type) && (type !== "pre_meeting" || countSides(parties) < 2);

/** At calls, and before mediation outside family, both sides settle how they will mediate: nobody has agreed to it by then. */
export const isHeldToMediate = (domain: CaseDomain, type: MeetingType | null): boolean =>
  mediates(type) || (type === "pre_meeting" && domain === "family");

interface Sided {
  partyId: string;
  side: string;
}

/** Shuttle mediation may also be held with each side at another time, as a screening may ask for. */
export const isHeldApart = (type: MeetingType | null, parties: readonly Sided[]): boolean =>
  type === "shuttle" && countSides(parties) === 1;

/**
 * Whether these people come together as they do to mediate, and what is asked for before that is asked of them: they meet
 * at a call of both sides too, which counts for no mediation afterwards.
 */
export const isMediation = (type: MeetingType | null, parties: readonly Sided[]): boolean =>
  !isAssessingOf(type, parties) && (countSides(parties) > 1 || isHeldApart(type, parties));

/** Whether a session can be prepared in this state. */
export const takesSessions = (status: CaseStatus): boolean =>
  status !== "concluded" && !ENDED_STATUSES.includes(status);

type Presence = Returner &
  Joined & {
    leftAt: string | null;
    absences: readonly { from: string; to: string }[];
  };

interface Moment {
  at: Date;
  /** The day that it was for the practice. */
  day: string;
}

/**
 * Whether this party was in the case at this moment, wherever they stand now: by the days on which they left and came back
 * where these are recorded, which may be long before they were recorded.
 */
export function tookPartAt(party: Presence, { at, day }: Moment): boolean {
  const { leftAt, absences } = party;
  if (!hadCome(party, { at, day })) return false;
  const open = leftAt === null ? [] : [{ from: leftAt, to: "" }];
  return ![...absences, ...open].some(({ from, to }) => {
    const days = outOf(party).findLast((out) => out.from <= from.slice(0, 10));
    const hasGone = new Date(from) <= at || (days !== undefined && days.from < day);
    const isBack = (to !== "" && new Date(to) <= at) || (days !== undefined && days.to !== "" && days.to <= day);
    return hasGone && !isBack;
  });
}

export const CASE_IS_OVER = "This case is over. Reopen it, or open a new case, before you start a session.";

/** What was held before the end belongs to what ended: reopened, the case would ask everybody anew. */
export const ENDED_BEFORE_RECORDED =
  "This case is over. To add a session that was held before it ended, take the end back under “Correct”, record the session, and end the case again. For one that was held since they came back, reopen the case first.";

/** In these it is known how mediation stands, also with one side that is left. */
const BEGUN: readonly CaseStatus[] = ["in_mediation", "paused"];

interface Standing<Party> {
  status: CaseStatus;
  parties: readonly Party[];
}
interface Coming {
  type: MeetingType | null;
  /** Those who are awaited. */
  partyIds: readonly string[];
}

type Agreeing = Sided & { label: string; status: PartyStatus; consentedOn: string };

const hasAgreed = (party: Agreeing): boolean => hasSigned(party) && party.consentedOn !== "";

/** Who of these mediates while others have not come as far; all of them where that would leave no two sides. */
export function agreedAmong<Party extends Agreeing>(parties: readonly Party[]): readonly Party[] {
  const agreed = parties.filter(hasAgreed);
  return countSides(agreed) > 1 ? agreed : parties;
}

/** Whom a session in this case awaits for which no meeting names anybody. */
export function awaitedIn<Party extends Agreeing>(
  { status, parties }: Standing<Party>,
  type: MeetingType | null,
): readonly Party[] {
  const inCase = parties.filter(isTakingPart);
  return status === "in_mediation" && !isAssessing(type) ? agreedAmong(inCase) : inCase;
}

/** Who mediates where these come to shuttle mediation by themselves: they, and those with whom they do. */
export const inShuttleWith = <Party extends Agreeing>(theCase: Standing<Party>, coming: readonly Party[]): Party[] => [
  ...new Set([...coming, ...awaitedIn(theCase, "shuttle")]),
];

/** Who is in the case and not in its next session, in words; null where nobody is left out. */
export function whoIsLeftOut<Party extends Agreeing>(theCase: Standing<Party>): string | null {
  const awaited = awaitedIn(theCase, null);
  const left = theCase.parties.filter((party) => isTakingPart(party) && !awaited.includes(party));
  if (left.length === 0) return null;
  return `${labelsOf(left)} ${left.length === 1 ? "has" : "have"} not agreed to mediate yet, so a session is held without them.`;
}

/** Why a session may not begin yet, and what comes first; null where the state of its case allows it. */
export function whyNotBegin<Party extends Agreeing>(
  theCase: Standing<Party>,
  { type, partyIds }: Coming,
): string | null {
  const { status, parties } = theCase;
  if (!takesSessions(status)) return CASE_IS_OVER;
  const awaited = parties.filter(({ partyId }) => partyIds.includes(partyId));
  // Whoever is left alone before mediation began has nobody to mediate with.
  const isAlone = mediates(type) && !BEGUN.includes(status) && isLeftAlone(parties);
  // Whatever side is written beside them: people who come together in a pause would mediate.
  const isInPause = mediates(type) && status === "paused" && awaited.length > 1;
  if (!isAlone && !isInPause && !isMediation(type, awaited)) return null;
  if (status === "in_mediation") return whyNotTogether(awaited);
  if (status === "paused") return "This case is paused. Move it back to “In mediation” before you start a session.";
  return `Mediation has not begun yet. ${nextStep(parties.filter(isTakingPart))}`;
}

/** What has to come first where people are booked to mediate while their case is paused; null where nothing has. */
export function pausedUntilHeld<Party extends Sided>(
  { status, parties }: Standing<Party>,
  { type, partyIds }: Coming,
): string | null {
  const coming = parties.filter(({ partyId }) => partyIds.includes(partyId));
  if (status !== "paused" || !mediates(type) || !isMediation(type, coming)) return null;
  return "This case is paused. The meeting can be booked already; move the case back to “In mediation” before it is held.";
}

/** Whoever joined after mediation began agrees to it like those before them. */
function whyNotTogether(awaited: Parameters<typeof missingConsents>[0]): string | null {
  const missing = [...missingConsents(awaited), ...missingSignatures(awaited)];
  return missing.length === 0 ? null : [...missing, OR_WITHOUT_THEM].join(" ");
}

function nextStep(parties: readonly (Sided & { label: string; status: PartyStatus })[]): string {
  if (countSides(parties) < 2) return "At least two sides must take part first. If nobody else will, end the case.";
  const unassessed = parties.filter((party) => !isSuitable(party));
  if (unassessed.length > 0) return `Finish the assessment of ${labelsOf(unassessed)} first.`;
  const unsigned = parties.filter((party) => !hasSigned(party));
  if (unsigned.length > 0) return `${labelsOf(unsigned)} must sign the agreement to mediate first.`;
  return "Move the case to “In mediation” first.";
}
