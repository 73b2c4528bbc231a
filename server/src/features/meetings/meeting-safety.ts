// What the screenings of those who come ask of a meeting.
import { can } from "@app/shared/access";
import { inShuttleWith, isHeldApart, isMediation } from "@app/shared/case-sessions";
import { hasAnswered, isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { isHolding } from "@app/shared/meeting-states";
import { unkeptMeasures, whoMeets } from "@app/shared/meeting-safety";
import { type Measure, MEASURE_NAMES } from "@app/shared/screenings";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { sidesOf } from "../cases/case-sides.service.ts";
import { meetingBlockers, seeingBlockers } from "../conflicts/conflict-gates.service.ts";
import { keptUnasked } from "../ladders/unasked.service.ts";
import {
  assertMayMediateApart,
  assertMayMeet,
  isSomebodyUnsafe,
  measuresFor,
  SCREENING_SAYS_NOT_YET,
} from "../screenings/screening-gates.service.ts";
import { unsafeAmong } from "../screenings/open-concerns.service.ts";
import { unjudgedIn } from "../safeguarding/opened-entries.service.ts";
import { assertChildInclusive } from "./child-inclusive.service.ts";
import { againstMeasuresOf, type MeetingDoc, sealExplained } from "./meetings.model.ts";

type Planned = Pick<MeetingDoc, "type" | "location" | "partyIds" | "arrivals" | "arrangements"> &
  Partial<Pick<MeetingDoc, "isInvitationSent">> & { startsAt?: Date | string };

interface Change {
  theCase: Case | null;
  meeting: Planned;
  /** What the meeting was before; null where it is new. */
  before: MeetingDoc | null;
  /** Why it goes without measures, as somebody who may know of them gave it. */
  reason: string;
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
export async function assertSafe(scope: Scope, { theCase, meeting, before, reason }: Change): Promise<Explained> {
  if (!theCase) return NOTHING_UNKEPT;
  if (meeting.isInvitationSent) {
    if (await tellsOfUnsafe(scope, theCase, meeting)) throw wrongState(SCREENING_SAYS_NOT_YET);
    const isKept = await keptUnasked(scope.ownerId, [sidesOf(theCase)]);
    const kept = namedIn(theCase, meeting).find(({ partyId }) => isKept(theCase.id, partyId));
    if (kept)
      throw wrongState(
        `${kept.label} is not to be contacted yet: whoever came first has not agreed to it, or it has to wait for their safety or for the conflict check. Look at the case, or book without invitations.`,
      );
  }
  const takingPart = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
  const ids = whoMeets(meeting, takingPart);
  const parties = theCase.parties.filter(({ partyId }) => ids.includes(partyId));
  const isMoved = before !== null && isAt(meeting.startsAt) !== before.startsAt.getTime();
  const isAskedNow = isMoved || ids.some((id) => before === null || !before.partyIds.includes(id));
  if (isAskedNow) refuse(await seeingBlockers(scope, { caseId: theCase.id, parties }));
  if (isMediation(meeting.type, parties)) await assertNoConflict(scope, theCase, parties);
  if (isHeldApart(meeting.type, parties)) await assertMayMediateApart(scope, theCase, inShuttleWith(theCase, parties));
  if (ids.length < 2) return NOTHING_UNKEPT;
  await assertMayMeet(scope, { caseId: theCase.id, parties });
  const measures = await measuresFor(scope, theCase.id, ids);
  const unkept = unkeptMeasures(measures, { ...meeting, partyIds: ids });
  if (unkept.length === 0) return NOTHING_UNKEPT;
  if (can(scope, "screening.read")) {
    if (!reason) throw badField("againstMeasures", `Say why this meeting goes without: ${wordsOf(unkept)}.`);
    return { reason, explained: unkept };
  }
  const kept = before ? againstMeasuresOf(before) : "";
  const unkeptBefore = before ? unkeptMeasures(measures, before) : [];
  if (kept && unkept.every((measure) => unkeptBefore.includes(measure))) return { reason: kept, explained: unkept };
  throw wrongState(SCREENING_SAYS_NOT_YET);
}

const wordsOf = (measures: readonly Measure[]): string =>
  measures.map((measure) => MEASURE_NAMES[measure].toLowerCase()).join(", ");

const namedIn = ({ parties }: Case, { partyIds }: Pick<MeetingDoc, "partyIds">): Case["parties"] =>
  parties.filter(({ partyId }) => partyIds.length === 0 || partyIds.includes(partyId));

/**
 * Whether somebody who has not answered yet would learn by it that another came to a mediator, who is not safe now, or of
 * a concern that nobody has judged.
 */
async function tellsOfUnsafe(scope: Scope, theCase: Case, meeting: Pick<MeetingDoc, "partyIds">): Promise<boolean> {
  const asked = namedIn(theCase, meeting).filter((party) => isTakingPart(party) && !hasAnswered(party));
  if (asked.length === 0) return false;
  const unsafe = await unsafeAmong(scope.ownerId, [{ caseId: theCase.id, parties: theCase.parties }]);
  return unsafe.has(theCase.id) || (await unjudgedIn(scope.ownerId, [theCase.id])).has(theCase.id);
}

/** Whether nobody is asked to come there: several were to meet of whom somebody is found not safe by now, or it tells of it. */
export async function isUnsafe(scope: Scope, theCase: Case, meeting: Pick<MeetingDoc, "partyIds">): Promise<boolean> {
  const parties = namedIn(theCase, meeting);
  if (parties.length > 1 && (await isSomebodyUnsafe(scope, { _id: theCase.id, parties }))) return true;
  return tellsOfUnsafe(scope, theCase, meeting);
}

const assertNoConflict = async (scope: Scope, { id }: Case, parties: Case["parties"]): Promise<void> =>
  refuse(await meetingBlockers(scope, { caseId: id, clientIds: parties.map(({ clientId }) => clientId) }));

const isAt = (time: Date | string | undefined): number => new Date(time ?? NaN).getTime();

function refuse(blockers: readonly string[]): void {
  if (blockers.length > 0) throw wrongState(blockers.join(" "));
}

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
