import mongoose from "mongoose";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import type { Scope } from "../../core/trpc.ts";
import type { IsSince } from "../cases/reopened.service.ts";
import { dayOf, isAssessing } from "./assessment-marks.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/** On which days the first meeting of this party stands in the calendar, the earliest first. */
export async function bookedDays(
  scope: Scope,
  { caseId, partyId }: { caseId: string; partyId: string },
): Promise<string[]> {
  const status = mongoose.trusted({ $in: HOLDING_STATUSES });
  const meetings = await MeetingModel.find({ ownerId: scope.ownerId, caseId, partyIds: partyId, status })
    .sort({ startsAt: 1 })
    .lean();
  const days = await Promise.all(
    meetings.map(async (meeting) => ((await isAssessing(scope, caseId, meeting)) ? [await dayOf(scope, meeting)] : [])),
  );
  return days.flat();
}

/** Who said yes to the invitation to a first meeting of this round, as it stood in the end, and did not come to it. */
export async function acceptedAndMissed(scope: Scope, caseId: string, isSince: IsSince): Promise<Set<string>> {
  const replies = mongoose.trusted({ $elemMatch: { reply: "accepted" } });
  const meetings = await MeetingModel.find({ ownerId: scope.ownerId, caseId, replies }).lean();
  const found = await Promise.all(
    meetings.map(async (meeting) => {
      const isOfRound = isSince({ on: await dayOf(scope, meeting), at: meeting.createdAt });
      return isOfRound && (await isAssessing(scope, caseId, meeting)) ? missedBy(meeting) : [];
    }),
  );
  return new Set(found.flat());
}

const missedBy = (meeting: MeetingDoc): string[] =>
  meeting.partyIds.filter((partyId) => {
    const { sequence } = entryOf(meeting, partyId);
    const hasAccepted = meeting.replies.some(
      (one) => one.partyId === partyId && one.reply === "accepted" && one.sequence === sequence,
    );
    const mark = meeting.attendance.find((one) => one.partyId === partyId)?.attendance;
    return hasAccepted && (mark ?? meeting.status) === "no_show";
  });
