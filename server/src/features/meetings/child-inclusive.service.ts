// Meetings with children: none without the consent of everybody with parental responsibility and of the child, and a mediator who is registered for it.
import { can } from "@app/shared/access";
import { type CaseStatus, ENDED_STATUSES, sidesTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { missingForChildren } from "@app/shared/child-inclusive";
import { roundsBefore } from "@app/shared/case-rounds";
import { dayIn } from "@app/shared/days";
import { hasWord } from "@app/shared/has-word";
import { isHolding } from "@app/shared/meeting-states";
import { CHILDREN_READERS } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeTurnOf } from "../../core/turns.ts";
import { getCase } from "../cases/cases.service.ts";
import { lastRoundOver } from "../cases/reopened.service.ts";
import { practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { isSomebodyUnsafe, SCREENING_SAYS_NOT_YET, screeningBlockers } from "../screenings/screening-gates.service.ts";
import { colleagues } from "../users/users.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import { whoseStanding, whyNotYet } from "./child-standing.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

type Planned = Pick<MeetingDoc, "type" | "status" | "caseId" | "mediatorIds"> &
  Partial<Pick<MeetingDoc, "childIds">> & { startsAt: Date | string };

/** A consent that is withdrawn at the moment in which a meeting is booked is either seen by it, or sees the meeting. */
export const takeTurn = ({ ownerId }: Scope, caseId: string) => takeTurnOf(ownerId, `child-inclusive:${caseId}`);

/**
 * With which children of the case it is: where one was offered it, with that one; where several were, as somebody says.
 * BAD_REQUEST where nobody did, or they are of another case.
 */
export function childrenFor(
  theCase: Case | null,
  { type, childIds }: Pick<Planned, "type"> & { childIds?: string[] | undefined },
  before: Pick<Planned, "type" | "childIds"> | null = null,
): string[] {
  if (type !== "cim") return [];
  const kept = before?.type === "cim" ? (before.childIds ?? []) : [];
  const chosen = childIds ?? kept;
  const children = theCase?.children ?? [];
  if (chosen.some((id) => !kept.includes(id) && !children.some(({ childId }) => childId === id)))
    throw badField("childIds", "Choose children of this case.");
  if (chosen.length > 0 || (before?.type === "cim" && kept.length === 0)) return chosen;
  const [only, ...others] = children.filter(({ cim }) => cim.isOffered);
  if (others.length > 0) throw badField("childIds", "Choose the children whom this meeting is with.");
  return only ? [only.childId] : [];
}

const OVER: readonly CaseStatus[] = ["concluded", ...ENDED_STATUSES];

const askedOf = (theCase: Case, { childIds = [] }: Pick<Planned, "childIds">) => ({ ...theCase, childIds });

/** The same words whatever is missing: the report of an import is read by others too, and later. */
export const CHILD_HAS_TO_WAIT =
  "A meeting with a child takes mediation that everybody agreed to, the consents in its case and a mediator who is registered for it. Open the case to see what is missing, and book it there.";

/** What is over is taken over as it was; what was held here was heard by the rules. */
const isToCome = ({ status, startsAt }: Planned): boolean => isHolding(status) || new Date(startsAt) > now();

/** Those of these that bring a child to a meeting that no child may come to. */
export async function unheardAmong<Meeting extends Planned>(
  scope: Scope,
  meetings: readonly Meeting[],
): Promise<Set<Meeting>> {
  const unheard = new Set<Meeting>();
  for (const meeting of meetings)
    if (isToCome(meeting) && (await whyNoChild(scope, meeting)) !== null) unheard.add(meeting);
  return unheard;
}

/** In the transaction that stores them: PRECONDITION_FAILED where one of them brings a child that may not come. */
export async function assertNoneUnheard(scope: Scope, meetings: readonly Planned[]): Promise<void> {
  const cases = meetings.flatMap(({ type, caseId }) => (type === "cim" && caseId ? [caseId] : []));
  for (const caseId of new Set(cases)) await takeTurn(scope, caseId);
  if ((await unheardAmong(scope, meetings)).size > 0) throw wrongState(CHILD_HAS_TO_WAIT);
}

/**
 * In the transaction in which a meeting comes to be one with a child, or one with a child goes on: PRECONDITION_FAILED
 * names each consent that is missing, and BAD_REQUEST says that no mediator of it has the child-inclusive registration.
 */
export async function assertChildInclusive(scope: Scope, meeting: Planned): Promise<void> {
  if (meeting.type !== "cim") return;
  if (meeting.caseId) await takeTurn(scope, meeting.caseId);
  const why = await whyNoChild(scope, meeting);
  if (why) throw why.field ? badField(why.field, why.message) : wrongState(why.message);
}

/** The same of a meeting that is held now. */
export async function assertChildMayBeHeard(scope: Scope, meeting: Omit<Planned, "status">): Promise<void> {
  const why = await whyNoChild(scope, { ...meeting, status: "confirmed" });
  if (why) throw wrongState(why.message);
}

/**
 * What was missing for the child of a meeting that was held and is recorded as that now; empty where nothing was.
 * BAD_REQUEST names it where nobody says why it was held all the same. Call it in the transaction that records it.
 */
export async function childUnmet(scope: Scope, meeting: Planned, reason: string): Promise<string[]> {
  if (meeting.caseId) await takeTurn(scope, meeting.caseId);
  const why = await whyNoChild(scope, { ...meeting, status: "completed" });
  if (!why) return [];
  if (!meeting.caseId) throw badField("caseId", why.message);
  const gaps = await childGapsAt(scope, meeting, new Date(meeting.startsAt));
  const missing = gaps.length > 0 ? gaps : [why.message];
  if (!hasWord(reason))
    throw badField(
      "unmetReason",
      `At that time this was missing: ${missing.join(" ")} Say why the child was heard all the same; it is kept with the meeting.`,
    );
  return missing;
}

/** What was missing for a child who was heard at this time, in words; empty where nothing was. */
export async function childGapsAt(scope: Scope, meeting: Omit<Planned, "status">, at: Date): Promise<string[]> {
  const { type, caseId, mediatorIds } = meeting;
  if (type !== "cim" || !caseId) return [];
  const theCase = await getCase(scope, caseId);
  const when = await whenOf(scope, { ...meeting, status: "completed", startsAt: at }, theCase);
  const missing = missingForChildren(askedOf(theCase, meeting), when);
  const isRegistered = await isOneRegistered(scope, mediatorIds);
  return [...missing, ...(isRegistered ? [] : ["no mediator of it had the child-inclusive registration"])].map(
    (what) => `For the child: ${what}.`,
  );
}

export async function isOneRegistered({ ownerId }: Scope, mediatorIds: readonly string[]): Promise<boolean> {
  const registered = (await colleagues(ownerId)).filter((person) => person.isActive && person.isChildInclusive);
  return registered.some(({ userId }) => mediatorIds.includes(userId));
}

interface Obstacle {
  field: "caseId" | "mediatorIds" | null;
  message: string;
}

const NO_CHILD_WHILE_UNSAFE =
  "Somebody in this case is not safe to mediate, so no child is heard. A new screening that allows mediation changes that.";

const UNHEARD = ", so no child is heard in it who was not heard before.";

interface Standing {
  status: CaseStatus;
  parties: Parameters<typeof sidesTakingPart>[0];
}

/** Mediation does not go on, so that whoever was heard in it is owed the last talk, and nobody else is heard. */
const isPast = ({ status, parties }: Standing): boolean => OVER.includes(status) || sidesTakingPart(parties) < 2;

/** Whether each child of this meeting came to one that was held; one of which nobody said with whom it was may have been with them. */
async function wereHeard(
  { ownerId }: Scope,
  { caseId, childIds = [] }: Pick<Planned, "caseId" | "childIds">,
): Promise<boolean> {
  const held = await MeetingModel.find({ ownerId, caseId, type: "cim", status: "completed" }, { childIds: 1 }).lean();
  const cameTo = (childId: string) => held.some(({ childIds: ids = [] }) => ids.length === 0 || ids.includes(childId));
  return held.length > 0 && childIds.every(cameTo);
}

/** Whether it is the last talk with children who were heard, in a case in which mediation does not go on. */
export const isLastTalk = async (
  scope: Scope,
  theCase: Standing,
  meeting: Pick<Planned, "caseId" | "childIds">,
): Promise<boolean> => isPast(theCase) && (await wereHeard(scope, meeting));

/** The only rule of when a child may be heard; null where they may. */
async function whyNoChild(scope: Scope, meeting: Planned): Promise<Obstacle | null> {
  const { type, caseId, mediatorIds } = meeting;
  if (type !== "cim") return null;
  if (!caseId) return { field: "caseId", message: "Choose the case that the child belongs to." };
  const theCase = await getCase(scope, caseId);
  const isClosing = await isLastTalk(scope, theCase, meeting);
  const asked = isClosing ? [] : whoseStanding(theCase, meeting.childIds ?? []);
  if (isHolding(meeting.status)) {
    if (OVER.includes(theCase.status) && !isClosing)
      return { field: null, message: `Mediation in this case is over${UNHEARD}` };
    if (await isSomebodyUnsafe(scope, { _id: caseId, parties: theCase.parties }))
      return { field: null, message: can(scope, "screening.read") ? NO_CHILD_WHILE_UNSAFE : SCREENING_SAYS_NOT_YET };
    const [unscreened] = await screeningBlockers(scope, { caseId, parties: asked });
    if (unscreened) return { field: null, message: unscreened };
  }
  const said = isClosing ? { rounds: [] } : theCase;
  const when = { ...(await whenOf(scope, meeting, said)), isOnlyNoted: meeting.status === "completed" };
  const missing = missingForChildren(askedOf(theCase, meeting), when);
  if (missing.length > 0)
    return {
      field: null,
      message: `No child can be heard yet: ${missing.join("; ")}. Put that right in the case first.`,
    };
  if (isHolding(meeting.status) && sidesTakingPart(theCase.parties) < 2 && !isClosing)
    return { field: null, message: `Fewer than two sides take part in this case${UNHEARD}` };
  const early = isHolding(meeting.status) && !isClosing ? whyNotYet(theCase, asked) : null;
  if (early !== null) return { field: null, message: early };
  if (await isOneRegistered(scope, mediatorIds)) return null;
  return {
    field: "mediatorIds",
    message: "Choose a mediator whose child-inclusive registration the owner of the practice has confirmed.",
  };
}

/** How old a child is counts on the day of the meeting; what is still to be held is not held before today. */
export async function whenOf(
  { ownerId }: Scope,
  { status, startsAt }: Pick<Planned, "status" | "startsAt">,
  { rounds }: { rounds: Parameters<typeof lastRoundOver>[1]["rounds"] },
) {
  const today = await practiceToday(ownerId);
  const day = dayIn(await practiceTimeZone(ownerId), new Date(startsAt));
  const heldOn = status === "completed" || day > today ? day : today;
  const before = roundsBefore(rounds, { heldOn, startedAt: new Date(startsAt) });
  return { today, heldOn, over: await lastRoundOver({ ownerId }, { rounds: before }) };
}

/** Whether this person may read what was noted at the meeting: with a child, only the mediators of the case. */
export const mayReadNote = (
  scope: Scope,
  { type, mediatorIds }: Pick<MeetingDoc, "type" | "mediatorIds">,
  theCase: Pick<Case, "mediators"> | null,
): boolean =>
  type !== "cim" ||
  (theCase ? mayRead(staffReader(scope, theCase), CHILDREN_READERS) : mediatorIds.includes(scope.userId));

/** The note as it is to be stored: whoever may not read it keeps it as it is. */
export function noteKept(
  scope: Scope,
  { before, next, theCase }: { before: MeetingDoc; next: Pick<MeetingDoc, "type" | "note">; theCase: Case | null },
): string {
  if (before.type !== "cim" || before.note === "") return next.note;
  const isKept = !mayReadNote(scope, before, theCase);
  if (isKept && next.note !== "")
    throw badField("note", "Only the mediators of the case write in the note of a meeting with a child.");
  const note = isKept ? before.note : next.note;
  if (next.type !== "cim" && note !== "")
    throw badField("type", "The note of a meeting with a child is for its mediators alone. Empty it first.");
  return note;
}
