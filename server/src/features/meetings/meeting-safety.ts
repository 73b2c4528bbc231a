// What the screenings of those who come ask of a meeting.
import { can } from "@app/shared/access";
import { inShuttleWith, isHeldApart, isHeldToMediate, isMediation } from "@app/shared/case-sessions";
import { hasAnswered, isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { isHolding } from "@app/shared/meeting-states";
import { firstSide } from "@app/shared/contact-agreements";
import { unkeptMeasures, whoMeets } from "@app/shared/meeting-safety";
import { type Measure, MEASURE_NAMES } from "@app/shared/screenings";
import { badField, conflict, wrongState } from "../../core/errors.ts";
import { isOfSystem } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { meetingBlockers, seeingBlockers } from "../conflicts/conflict-gates.service.ts";
import { keptUnaskedIn } from "../ladders/unasked.service.ts";
import { takeSafetyTurn } from "../screenings/safety-turns.service.ts";
import {
  apartBlockers,
  measuresFor,
  NOBODY_WHILE_UNSAFE,
  SCREENING_SAYS_NOT_YET,
  togetherBlockers,
} from "../screenings/screening-gates.service.ts";
import { unsafeCases } from "../screenings/open-concerns.service.ts";
import { unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { assertChildInclusive } from "./child-inclusive.service.ts";
import { metAtTheDoor, type Time } from "./meeting-neighbours.ts";
import { againstMeasuresOf, type MeetingDoc, sealExplained } from "./meetings.model.ts";

type Planned = Pick<MeetingDoc, "type" | "location" | "partyIds" | "arrivals" | "arrangements"> &
  Partial<Pick<MeetingDoc, "isInvitationSent" | "rooms">> &
  Time;

interface Change {
  theCase: Case | null;
  meeting: Planned;
  /** What the meeting was before; null where it is new. */
  before: MeetingDoc | null;
  /** Why it goes without measures, as somebody who may know of them gave it. */
  reason: string;
  /** Of a series, each time of it. */
  times?: readonly Time[] | undefined;
}

/** Why a meeting goes without measures, and without which. */
export interface Explained {
  reason: string;
  explained: Measure[];
}
const NOTHING_UNKEPT: Explained = { reason: "", explained: [] };

/**
 * In the transaction that books: PRECONDITION_FAILED where several parties would meet whose screenings do not allow it, or
 * mediate before their conflict check is decided, and BAD_REQUEST where it goes against their measures without a reason.
 * Whoever may not read screenings hears neither which, nor why. Gives the reason that is to be kept, and for which it is.
 */
export async function assertSafe(
  scope: Scope,
  { theCase, meeting, before, reason, times }: Change,
): Promise<Explained> {
  if (!theCase) return NOTHING_UNKEPT;
  // Of a finding and a booking at the same moment the second looks again.
  await takeSafetyTurn(scope.ownerId, theCase.id);
  const ids = whoComes(theCase, meeting);
  const isMoved = before !== null && isAt(meeting.startsAt) !== before.startsAt.getTime();
  const isAskedNow = isMoved || ids.some((id) => before === null || !before.partyIds.includes(id));
  const asked = { isAskedNow, isTold: meeting.isInvitationSent === true };
  const obstacle = await whyNotBooked(scope, theCase, meeting, asked);
  if (obstacle) throw wrongState(obstacle.message);
  const isAnew = isAskedNow || before === null || !isHolding(before.status) || !isPlacedAs(before, meeting);
  return explainedOf(scope, {
    isAnew,
    before,
    reason,
    ...(await unkeptOf(scope, { theCase, meeting, before, ids, times })),
  });
}

interface Unkept {
  isAnew: boolean;
  before: MeetingDoc | null;
  reason: string;
  measures: readonly Measure[];
  unkept: readonly Measure[];
  isAtTheDoor: boolean;
}

function explainedOf(scope: Scope, { isAnew, before, reason, measures, unkept, isAtTheDoor }: Unkept): Explained {
  // Where it stays as it was, it is asked for at whichever meeting was booked beside it.
  const isLeft = isAtTheDoor && !isAnew && reason === "";
  const explained = unkept.filter((one) => !isLeft || one !== "separate_arrivals");
  if (explained.length === 0) return NOTHING_UNKEPT;
  // Whoever books by a link learns of nobody else: for them this time is taken.
  if (isAtTheDoor && isOfSystem(scope) && reason === "") throw conflict("taken");
  if (can(scope, "screening.read")) {
    const beside = isAtTheDoor ? TOUCHES : "";
    if (!reason)
      throw badField("againstMeasures", `Say why this meeting goes without: ${wordsOf(explained)}.${beside}`);
    return { reason, explained };
  }
  const kept = before ? againstMeasuresOf(before) : "";
  const unkeptBefore = before ? unkeptMeasures(measures, before) : [];
  const isSame = !isAtTheDoor || !isAnew;
  if (kept && isSame && explained.every((measure) => unkeptBefore.includes(measure)))
    return { reason: kept, explained };
  throw wrongState(SCREENING_SAYS_NOT_YET);
}

const TOUCHES = " Another meeting of this case is at the same place within 15 minutes of it.";

interface Going extends Pick<Change, "meeting" | "before" | "times"> {
  theCase: Case;
  ids: readonly string[];
}

/** What of the measures of those who come it goes without, and whether that is because of another meeting beside it. */
async function unkeptOf(scope: Scope, { theCase, meeting, before, ids, times = [meeting] }: Going) {
  const measures = ids.length < 2 ? [] : await measuresFor(scope, theCase.id, ids);
  const unkept = unkeptMeasures(measures, { ...meeting, partyIds: ids });
  const others = await metAtTheDoor({
    ownerId: scope.ownerId,
    theCase,
    meeting,
    ids,
    times,
    exceptId: before?._id ?? null,
    comingTo: (neighbour) => whoComes(theCase, neighbour),
  });
  const ofAll = others.length === 0 ? [] : await measuresFor(scope, theCase.id, [...ids, ...others]);
  const isAtTheDoor = ofAll.includes("separate_arrivals");
  const arrivals: Measure[] = isAtTheDoor ? ["separate_arrivals"] : [];
  return { measures, unkept: [...new Set([...unkept, ...arrivals])], isAtTheDoor };
}

/** Whether the same people come to the same place by it. */
const isPlacedAs = (before: MeetingDoc, { location, type }: Planned): boolean =>
  before.type === type && before.location.kind === location.kind && before.location.place === location.place;

/** Who would meet there. */
export function whoComes({ parties }: Case, meeting: Pick<MeetingDoc, "type" | "partyIds">): readonly string[] {
  const takingPart = parties.filter(isTakingPart).map(({ partyId }) => partyId);
  return whoMeets(meeting, takingPart);
}

export interface Obstacle {
  why: "screening" | "unasked" | "conflict";
  message: string;
}

interface Asking {
  /** Whether somebody is asked to come who was not, or at another time. */
  isAskedNow: boolean;
  /** Whether they are told of it by that. */
  isTold: boolean;
}

/**
 * What keeps a meeting from being booked as things stand, and so everybody from being asked to come to one that was; null
 * where nothing does.
 */
export async function whyNotBooked(
  scope: Scope,
  theCase: Case,
  meeting: Planned,
  { isAskedNow, isTold }: Asking,
): Promise<Obstacle | null> {
  const told = isTold ? await toldByAsking(scope, theCase, meeting) : null;
  if (told) return { why: "screening", message: whyNotTold(scope, told) };
  const kept = meeting.isInvitationSent && (await whoIsKept(scope, theCase, meeting));
  if (kept)
    return {
      why: "unasked",
      message: `${kept.label} is not to be contacted yet: whoever came first has not agreed to it, or it has to wait for their safety or for the conflict check. Look at the case, or book without invitations.`,
    };
  const ids = whoComes(theCase, meeting);
  const parties = theCase.parties.filter(({ partyId }) => ids.includes(partyId));
  const conflict = await whyNotSeen(scope, { theCase, meeting, parties, isAskedNow });
  if (conflict.length > 0) return { why: "conflict", message: conflict.join(" ") };
  const isApart = isHeldApart(meeting.type, parties);
  const apart = isApart ? await apartBlockers(scope, theCase, inShuttleWith(theCase, parties)) : [];
  // Outside family nobody is screened before a call, or a first talk, at which they do not mediate yet.
  const isScreeningAsked = theCase.domain === "family" || isHeldToMediate(theCase.domain, meeting.type);
  const meets = { caseId: theCase.id, parties, isScreeningAsked };
  const screening = apart.length > 0 ? apart : await togetherBlockers(scope, meets);
  return screening.length > 0 ? { why: "screening", message: screening.join(" ") } : null;
}

/** Whom nothing asks to come yet of those who are named there. */
async function whoIsKept(scope: Scope, theCase: Case, meeting: Planned): Promise<Case["parties"][number] | undefined> {
  const isKept = await keptUnaskedIn(scope.ownerId, theCase);
  return namedIn(theCase, meeting).find(({ partyId }) => isKept(partyId));
}

interface Seeing {
  theCase: Case;
  meeting: Planned;
  parties: Case["parties"];
  isAskedNow: boolean;
}

async function whyNotSeen(scope: Scope, { theCase, meeting, parties, isAskedNow }: Seeing): Promise<string[]> {
  const caseId = theCase.id;
  const seeing = isAskedNow ? await seeingBlockers(scope, { caseId, parties }) : [];
  if (seeing.length > 0 || !isMediation(meeting.type, parties)) return seeing;
  return meetingBlockers(scope, { caseId, clientIds: parties.map(({ clientId }) => clientId) });
}

const wordsOf = (measures: readonly Measure[]): string =>
  measures.map((measure) => MEASURE_NAMES[measure].toLowerCase()).join(", ");

const namedIn = ({ parties }: Case, { partyIds }: Pick<MeetingDoc, "partyIds">): Case["parties"] =>
  parties.filter(({ partyId }) => partyIds.length === 0 || partyIds.includes(partyId));

type Told = "unsafe" | "unjudged";

/**
 * What somebody who has not answered yet would learn by it: that another came to a mediator, who is not safe now, or who told
 * of a concern that nobody has judged; null where nothing.
 */
async function toldByAsking(scope: Scope, theCase: Case, meeting: Pick<MeetingDoc, "partyIds">): Promise<Told | null> {
  const asked = namedIn(theCase, meeting).filter((party) => isTakingPart(party) && !hasAnswered(party));
  if (asked.length === 0) return null;
  const unsafe = await unsafeCases(scope.ownerId, [{ caseId: theCase.id, parties: theCase.parties }]);
  if (unsafe.has(theCase.id)) return "unsafe";
  // Whoever came first is who may have told of it.
  const first = firstSide(theCase.domain, theCase.parties);
  const isOther = asked.some((party) => !first.includes(party));
  return isOther && (await unjudgedIn(scope.ownerId, [theCase.id])).has(theCase.id) ? "unjudged" : null;
}

const WHY_NOT_TOLD = {
  unsafe: { needs: "screening.read", message: `${NOBODY_WHILE_UNSAFE} Until then, book without invitations.` },
  unjudged: {
    needs: "safeguarding.read",
    message:
      "Complete the safeguarding entry of this case, or say in it why none is needed, before anybody who has not answered is asked to come. Until then, book without invitations.",
  },
} as const;

function whyNotTold(scope: Scope, told: Told): string {
  const { needs, message } = WHY_NOT_TOLD[told];
  return can(scope, needs) ? message : SCREENING_SAYS_NOT_YET;
}

const isAt = (time: Date | string | undefined): number => new Date(time ?? NaN).getTime();

/**
 * What is stored of why it goes against somebody's measures, where nobody gives a reason the former one; throws where it
 * must not be as it is to be.
 */
export async function safetyOf(
  scope: Scope,
  theCase: Case | null,
  { before, meeting, given }: { before: MeetingDoc; meeting: Unsealed; given: string | null },
) {
  if (isHolding(meeting.status) || comesToHear(before, meeting)) await assertChildInclusive(scope, meeting);
  if (!isHolding(meeting.status)) return {};
  const reason = given ?? againstMeasuresOf(before);
  const why = await assertSafe(scope, { theCase, meeting, before, reason });
  // What screenings ask for since, the former reason says nothing of: it is asked for where the session begins.
  if (given === null && before.explained) why.explained = before.explained;
  return sealExplained(scope.ownerId, meeting._id, why);
}
type Unsealed = Pick<
  MeetingDoc,
  | "_id"
  | "status"
  | "startsAt"
  | "endsAt"
  | "rooms"
  | "caseId"
  | "mediatorIds"
  | "type"
  | "location"
  | "partyIds"
  | "arrivals"
  | "arrangements"
  | "childIds"
>;

/** Whether it says of a child now that they are or were heard, or by whom, and did not before. */
const comesToHear = (before: MeetingDoc, { type, status, mediatorIds, childIds = [] }: Unsealed): boolean =>
  before.type !== type ||
  childIds.some((id) => !before.childIds?.includes(id)) ||
  (before.status !== status && status === "completed") ||
  mediatorIds.toSorted().join() !== before.mediatorIds.toSorted().join();
