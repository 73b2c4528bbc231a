// What a session takes from its meeting, and gives back to it: the only place where sessions ask for meetings.
import { missingConsents, missingSignatures } from "@app/shared/agreement-gates";
import type { Case, Party } from "@app/shared/cases";
import { agreedAmong, awaitedIn, isAssessing, isMediation, mediates, tookPartAt } from "@app/shared/case-sessions";
import { countSides } from "@app/shared/case-states";
import { dayIn } from "@app/shared/days";
import { hadLeft } from "@app/shared/death";
import { MEETING_STATUS_NAMES, MEETING_TYPE_NAMES, type MeetingType } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { isAgreed } from "@app/shared/session-outcomes";
import { type SessionAttendance, wasThere } from "@app/shared/session-states";
import { CHILDREN_READERS, isNoWider, type Visibility } from "@app/shared/visibility";
import { HOUR_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { badField, notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assertChildMayBeHeard } from "../meetings/child-inclusive.service.ts";
import { unmarked, unsigned } from "../meetings/meeting-others.service.ts";
import { getMeeting, setAttendance } from "../meetings/meetings.service.ts";
import { practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { unsafeDays } from "../screenings/unsafe-days.service.ts";
import { missingOf, type SessionDoc } from "./sessions.model.ts";

type Plan = Pick<SessionDoc, "plannedMinutes" | "partyIds" | "mediatorIds" | "attendance">;

interface Planning {
  meetingId: string | null;
  heldAt?: Date;
}

/** Who is awaited, with whom and for how long: as the meeting says, else as the case does, or did when it was held. */
export async function planOf(scope: Scope, theCase: Case, { meetingId, heldAt }: Planning): Promise<Plan> {
  const mediatorIds = theCase.mediators.map(({ userId }) => userId);
  const held = heldAt && (await momentOf(scope, theCase.id, heldAt));
  if (meetingId === null)
    return { plannedMinutes: null, partyIds: awaitedBy(theCase, null, held), mediatorIds, attendance: [] };
  const meeting = await getMeeting(scope, meetingId);
  if (meeting.caseId !== theCase.id) throw notFound("Meeting");
  if (meeting.type === "supervision")
    throw wrongState("Supervision is no session of a case. Start the session from the case, or from another meeting.");
  const { status, attendance } = meeting;
  if (status === "cancelled" || status === "rescheduled" || status === "expired")
    throw wrongState(
      `This meeting is ${MEETING_STATUS_NAMES[status].toLowerCase()}. Start the session from the case, or from another meeting.`,
    );
  return {
    plannedMinutes: Math.round((Date.parse(meeting.endsAt) - Date.parse(meeting.startsAt)) / MINUTE_MS),
    partyIds: awaitedBy(theCase, meeting, held),
    mediatorIds: meeting.mediatorIds.length > 0 ? meeting.mediatorIds : mediatorIds,
    attendance: attendance.map(({ partyId, attendance: state }) => ({ partyId, state, at: now() })),
  };
}

const STARTED_WITHIN_MS = 12 * HOUR_MS;

/** PRECONDITION_FAILED where a session would begin now of a meeting whose time was over long ago. */
export async function assertItsTime(scope: Scope, meetingId: string | null): Promise<void> {
  if (meetingId === null) return;
  const { endsAt, startsAt } = await getMeeting(scope, meetingId);
  if (Date.parse(endsAt) + STARTED_WITHIN_MS >= now().getTime()) return;
  const { dateTime } = await practiceDates(scope.ownerId);
  throw wrongState(
    `This meeting was on ${dateTime(new Date(startsAt))}. If it was held then, record when it took place; if it is held only now, start the session from the case.`,
  );
}

/** BAD_REQUEST where a session of a meeting would have been held on a day after it: it is another one then. */
export async function assertNotAfterMeeting(scope: Scope, meetingId: string | null, startedAt: Date): Promise<void> {
  if (meetingId === null) return;
  const [meeting, timeZone] = await Promise.all([getMeeting(scope, meetingId), practiceTimeZone(scope.ownerId)]);
  if (dayIn(timeZone, startedAt) <= dayIn(timeZone, new Date(meeting.endsAt))) return;
  const { dateTime } = await practiceDates(scope.ownerId);
  throw badField(
    "startedAt",
    `Its meeting was on ${dateTime(new Date(meeting.startsAt))}. Enter that day, or record the session from the case, without this meeting.`,
  );
}

/** Who is awaited now: since a session was prepared somebody may have joined or agreed, or its meeting may name others. */
export const awaitedNow = async (scope: Scope, theCase: Case, meetingId: string | null): Promise<string[]> =>
  awaitedBy(theCase, meetingId === null ? null : await getMeeting(scope, meetingId));

/** Who was asked to a session: as its meeting says, else as the case stood when it was held. */
export const askedTo = async (
  scope: Scope,
  { meetingId, startedAt }: Pick<SessionDoc, "meetingId" | "startedAt">,
  theCase: Case,
): Promise<string[]> =>
  awaitedBy(
    theCase,
    meetingId === null ? null : await getMeeting(scope, meetingId),
    startedAt ? await momentOf(scope, theCase.id, startedAt) : undefined,
  );

type Moment = Parameters<typeof tookPartAt>[1] & {
  /** When screenings say that somebody was not safe, whenever they were written down. */
  unsafe: Awaited<ReturnType<typeof unsafeDays>>;
};

const momentOf = async (scope: Scope, caseId: string, at: Date): Promise<Moment> => ({
  at,
  day: dayIn(await practiceTimeZone(scope.ownerId), at),
  unsafe: await unsafeDays(scope, caseId),
});

function awaitedBy(theCase: Case, meeting: Pick<Meeting, "type" | "partyIds"> | null, held?: Moment): string[] {
  const type = meeting?.type ?? null;
  // To a meeting with a child nobody comes but those who are named.
  if (meeting && (meeting.partyIds.length > 0 || type === "cim")) return meeting.partyIds;
  const then =
    held &&
    safeAmong(
      theCase.parties.filter((party) => tookPartAt(party, held)),
      held,
    );
  const awaited = then ? pastAmong(then, type) : awaitedIn(theCase, type);
  return awaited.map(({ partyId }) => partyId);
}

/** The others met without whoever was not safe; all of them where that would leave no two sides. */
function safeAmong(parties: Party[], { unsafe, day }: Moment): Party[] {
  const safe = parties.filter(({ partyId }) => !hadLeft({ daysAway: unsafe.get(partyId) ?? [] }, day));
  return countSides(safe) > 1 ? safe : parties;
}

/** Whoever had signed before they left had come as far. */
function pastAmong(then: Party[], type: MeetingType | null): readonly Party[] {
  if (isAssessing(type)) return then;
  const agreed = new Set(agreedAmong(then));
  return then.filter((party) => agreed.has(party) || party.agreementSignedOn !== "");
}

/** What its meeting is for; null for a session without one. */
export const meetingTypeOf = async (scope: Scope, meetingId: string | null): Promise<MeetingType | null> =>
  meetingId === null ? null : (await getMeeting(scope, meetingId)).type;

/**
 * PRECONDITION_FAILED while somebody who comes beside the parties has not signed the confidentiality agreement, or a
 * child is to be heard without the consents to it, or by nobody who is registered for it.
 */
export async function assertMeetingReady(scope: Scope, meetingId: string | null): Promise<void> {
  if (meetingId === null) return;
  const meeting = await getMeeting(scope, meetingId);
  await assertChildMayBeHeard(scope, meeting);
  const missing = unsigned(meeting.others);
  if (missing.length === 0) return;
  throw wrongState(
    `No signed confidentiality agreement from: ${missing.join(", ")}. Record at the meeting the day on which each signed it, then start.`,
  );
}

/** What is noted where a child is heard is for the mediators alone: BAD_REQUEST where others would read it too. */
export async function assertNoteReaders(scope: Scope, meetingId: string | null, visibility: Visibility): Promise<void> {
  if (meetingId === null || isNoWider(CHILDREN_READERS, visibility)) return;
  const { type } = await getMeeting(scope, meetingId);
  if (type === "cim")
    throw badField(
      "visibility",
      "What is noted where a child is heard is for the mediators of the case alone. Save it for them.",
    );
}

type Told = Pick<SessionDoc, "proposals" | "agenda" | "nextSteps" | "outcome" | "amendments">;

const wordsOf = ({ proposals, agenda, nextSteps, outcome, amendments }: Told): string[] =>
  [...proposals, ...agenda, ...nextSteps, outcome?.text ?? "", ...amendments].map((one) => JSON.stringify(one));

/** The same of what else is written in a session, which more people read: PRECONDITION_FAILED where it says more than before. */
export async function assertTellsNoMore(scope: Scope, before: SessionDoc, after: SessionDoc): Promise<void> {
  if (after.meetingId === null) return;
  const known = new Set(wordsOf(before));
  if (wordsOf(after).every((words) => known.has(words))) return;
  const { type } = await getMeeting(scope, after.meetingId);
  if (type === "cim")
    throw wrongState(
      "What is said where a child is heard is for the mediators of the case alone. Write it as a note for them.",
    );
}

/**
 * Who came to mediate with the others without having agreed to it, in words; empty where nobody did. What was signed when
 * they came counts, wherever they stand now, and not what was before they left and came back.
 */
export async function unsignedIn(
  scope: Scope,
  { meetingId, partyIds, attendance }: Pick<SessionDoc, "meetingId" | "partyIds"> & Attended,
  { parties }: Case,
): Promise<string[]> {
  const awaited = parties.filter(({ partyId }) => partyIds.includes(partyId));
  if (!isMediation(await meetingTypeOf(scope, meetingId), awaited)) return [];
  const came = new Set(attendance.filter(wasThere).map(({ partyId }) => partyId));
  const present = awaited.filter(({ partyId }) => came.has(partyId));
  const today = await practiceToday(scope.ownerId);
  const unsigned = present.filter((party) => party.agreementSignedOn === "" || hadLeft(party, today));
  return [...missingConsents(present), ...missingSignatures(unsigned)];
}

interface Attended {
  attendance: readonly { partyId: string; state: SessionAttendance }[];
}

/** Of whom it is still to be noted whether they came. */
export const unmarkedIn = async (scope: Scope, meetingId: string | null): Promise<string[]> =>
  meetingId === null ? [] : unmarked((await getMeeting(scope, meetingId)).others);

/** Whether the calendar says of this party that they did not come to the meeting of a session. */
export async function wasMissed(
  scope: Scope,
  { meetingId }: Pick<SessionDoc, "meetingId">,
  partyId: string,
): Promise<boolean> {
  if (meetingId === null) return false;
  const { attendance } = await getMeeting(scope, meetingId);
  return attendance.some((mark) => mark.partyId === partyId && mark.attendance === "no_show");
}

/**
 * Tells the meeting who came; a party who was not asked to it is known to the session alone. Of one that was stopped before
 * it began the calendar says nothing of its own.
 */
export async function markAttendance(
  scope: Scope,
  meetingId: string | null,
  { partyId, state }: { partyId: string; state: SessionAttendance },
): Promise<void> {
  if (meetingId === null || state === "not_held") return;
  const { partyIds } = await getMeeting(scope, meetingId);
  if (partyIds.includes(partyId)) await setAttendance(scope, { id: meetingId, partyId, attendance: state });
}

/**
 * BAD_REQUEST where something was agreed in a session that was no mediation, or to which people of one side came: nobody
 * agrees alone. Shuttle mediation goes between sides that come apart.
 */
export async function assertAgreedTogether(
  scope: Scope,
  session: Pick<SessionDoc, "status" | "meetingId" | "partyIds" | "attendance" | "outcome">,
  { parties }: Pick<Case, "parties">,
): Promise<void> {
  const { meetingId, attendance, outcome } = session;
  if (!outcome || !isAgreed(outcome.code) || missingOf(session).length > 0) return;
  const type = await meetingTypeOf(scope, meetingId);
  if (type !== null && !mediates(type))
    throw badField(
      "outcome",
      `This was held as “${MEETING_TYPE_NAMES[type]}”, which counts for no mediation, so nothing is agreed in it. Choose another outcome, or change the kind of the meeting first.`,
    );
  const came = new Set(attendance.filter(wasThere).map(({ partyId }) => partyId));
  const sides = countSides(parties.filter(({ partyId }) => came.has(partyId)));
  if (sides > 1 || (sides === 1 && type === "shuttle")) return;
  throw badField(
    "outcome",
    "Nobody agrees alone, and people of one side at most are recorded as there. Correct who came, or choose another outcome.",
  );
}
