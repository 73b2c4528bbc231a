import mongoose from "mongoose";
import { HOLDING_STATUSES, type InvitationReply, type MeetingStatus } from "@app/shared/meeting-states";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import type { AgreedTime } from "@app/shared/agreed-times";
import type { Attempt } from "@app/shared/ladders";
import { dayIn } from "@app/shared/days";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { toldOfMeetings } from "../outbox/notices.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import type { IsSince } from "../cases/reopened.service.ts";
import { agreedTimesOf } from "./agreed-times.ts";
import { dayOf, isAssessing, OF_ASSESSMENT } from "./assessment-marks.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/** Where the first meeting of this party stands in the calendar, the earliest first: of none of these it is said whether they came. */
export async function bookedFirst(
  scope: Scope,
  { caseId, partyId }: { caseId: string; partyId: string },
): Promise<{ startsAt: Date; day: string }[]> {
  const status = mongoose.trusted({ $in: HOLDING_STATUSES });
  const meetings = await MeetingModel.find({ ownerId: scope.ownerId, caseId, partyIds: partyId, status })
    .sort({ startsAt: 1 })
    .lean();
  const found = await Promise.all(
    meetings.map(async (meeting) =>
      !isMarked(meeting, partyId) && (await isAssessing(scope, caseId, meeting))
        ? [{ startsAt: meeting.startsAt, day: await dayOf(scope, meeting) }]
        : [],
    ),
  );
  return found.flat();
}

const isMarked = ({ startsAt, attendance }: Pick<MeetingDoc, "startsAt" | "attendance">, partyId: string): boolean =>
  startsAt <= now() && attendance.some((mark) => mark.partyId === partyId);

/** The first meetings of a case that are of this round. */
export async function firstMeetings(scope: Scope, caseId: string, isSince: IsSince): Promise<MeetingDoc[]> {
  const type = mongoose.trusted({ $in: [...OF_ASSESSMENT] });
  const meetings = await MeetingModel.find({ ownerId: scope.ownerId, caseId, type }).lean();
  const found = await Promise.all(
    meetings.map(async (meeting) => {
      const isOfRound = isSince({ on: await dayOf(scope, meeting), at: meeting.createdAt });
      return isOfRound && (await isAssessing(scope, caseId, meeting)) ? [meeting] : [];
    }),
  );
  return found.flat();
}

/** Such a meeting did not take place as it stood. */
const TAKEN_OFF: readonly MeetingStatus[] = ["cancelled", "rescheduled", "expired"];

/** Who is marked as there at one of these. */
export const markedAsThere = (meetings: readonly MeetingDoc[]): Set<string> =>
  new Set(
    meetings
      .filter(({ status }) => !TAKEN_OFF.includes(status))
      .flatMap(({ attendance }) => attendance.filter((one) => one.attendance !== "no_show"))
      .map(({ partyId }) => partyId),
  );

/** Who answered so to the invitation to one of these, as it stood in the end, and did not come to it. */
export const repliedAndMissed = (meetings: readonly MeetingDoc[], reply: InvitationReply): Set<string> =>
  new Set(meetings.flatMap((meeting) => missedBy(meeting).filter((partyId) => hasReplied(meeting, partyId, reply))));

/** Who did not come to one of these, of whom it is kept so whether they had agreed to its time. */
export const agreedAndMissed = (meetings: readonly MeetingDoc[], hadAgreed: boolean): Set<string> =>
  new Set(
    meetings.flatMap((meeting) => {
      const meant = agreedTimesOf(meeting).filter(({ how }) => (how !== "no") === hadAgreed);
      const missed = missedBy(meeting);
      // Whose calendar said no after it was confirmed took that back; what was answered afterwards counts.
      const isTakenBack = (agreed: AgreedTime) =>
        agreed.how === "confirmed" && hasReplied(meeting, agreed.partyId, "declined");
      return meant.filter((one) => missed.includes(one.partyId) && !isTakenBack(one)).map(({ partyId }) => partyId);
    }),
  );

/** An appointment that was offered to somebody who said nothing to it, as an attempt to reach them. */
type Offered = Pick<Attempt, "channel" | "on" | "replyBy" | "insteadBecause">;

/** Who was told of one of these, as it stood in the end, said nothing to it, and did not come. */
export async function toldAndMissed(
  { ownerId }: Pick<Scope, "ownerId">,
  { _id: caseId, clientIds }: Pick<CaseDoc, "_id" | "clientIds">,
  meetings: readonly MeetingDoc[],
): Promise<Map<string, Offered>> {
  const missed = meetings.flatMap((meeting) => missedBy(meeting).map((partyId) => ({ meeting, partyId })));
  if (missed.length === 0) return new Map();
  const told = await toldOfMeetings(ownerId, { caseId, clientIds });
  const timeZone = await practiceTimeZone(ownerId);
  return new Map(
    missed.flatMap(({ meeting, partyId }) => {
      const { sequence } = entryOf(meeting, partyId);
      const first = told.find(
        (one) =>
          one.partyId === partyId &&
          one.meeting.id === meeting._id &&
          one.meeting.sequence === sequence &&
          one.sentAt < meeting.startsAt,
      );
      if (!first || meeting.replies.some((one) => one.partyId === partyId)) return [];
      const on = dayIn(timeZone, first.sentAt);
      const replyBy = dayIn(meeting.timeZone, meeting.startsAt);
      return [[partyId, { channel: "email" as const, on, replyBy, insteadBecause: "" }]];
    }),
  );
}

const missedBy = ({ partyIds, attendance, status }: MeetingDoc): string[] =>
  partyIds.filter((partyId) => (attendance.find((one) => one.partyId === partyId)?.attendance ?? status) === "no_show");

function hasReplied(meeting: MeetingDoc, partyId: string, reply: InvitationReply): boolean {
  const { sequence } = entryOf(meeting, partyId);
  return meeting.replies.some((one) => one.partyId === partyId && one.reply === reply && one.sequence === sequence);
}
