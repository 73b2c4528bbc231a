import mongoose from "mongoose";
import { HOLDING_STATUSES, type MeetingStatus } from "@app/shared/meeting-states";
import type { Scope } from "../../core/trpc.ts";
import type { Attempt } from "@app/shared/ladders";
import { dayIn } from "@app/shared/days";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { toldOfMeetings } from "../outbox/notices.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import type { IsSince } from "../cases/reopened.service.ts";
import { dayOf, isAssessing } from "./assessment-marks.ts";
import { entryOf } from "./meeting-uids.service.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

/** Where the first meeting of this party stands in the calendar, the earliest first. */
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
      (await isAssessing(scope, caseId, meeting))
        ? [{ startsAt: meeting.startsAt, day: await dayOf(scope, meeting) }]
        : [],
    ),
  );
  return found.flat();
}

/** Such a meeting did not take place as it stood. */
const TAKEN_OFF: readonly MeetingStatus[] = ["cancelled", "rescheduled", "expired"];

/** Who is marked as there at a first meeting of this round. */
export async function markedAsThere(scope: Scope, caseId: string, isSince: IsSince): Promise<Set<string>> {
  const status = mongoose.trusted({ $nin: TAKEN_OFF });
  const found = await MeetingModel.find({ ownerId: scope.ownerId, caseId, status }).lean();
  const meetings = await firstOnes(scope, { caseId, isSince }, found);
  return new Set(
    meetings.flatMap(({ attendance }) =>
      attendance.flatMap((one) => (one.attendance === "no_show" ? [] : [one.partyId])),
    ),
  );
}

/** Who said yes to the invitation to a first meeting of this round, as it stood in the end, and did not come to it. */
export async function acceptedAndMissed(scope: Scope, caseId: string, isSince: IsSince): Promise<Set<string>> {
  const replies = mongoose.trusted({ $elemMatch: { reply: "accepted" } });
  const found = await MeetingModel.find({ ownerId: scope.ownerId, caseId, replies }).lean();
  const meetings = await firstOnes(scope, { caseId, isSince }, found);
  return new Set(meetings.flatMap((meeting) => missedBy(meeting).filter((partyId) => hasAccepted(meeting, partyId))));
}

/** An appointment that was offered to somebody who said nothing to it, as an attempt to reach them. */
type Offered = Pick<Attempt, "channel" | "on" | "replyBy" | "insteadBecause">;

/** Who was told of a first meeting of this round, as it stood in the end, said nothing to it, and did not come. */
export async function toldAndMissed(
  scope: Scope,
  { _id: caseId, clientIds }: Pick<CaseDoc, "_id" | "clientIds">,
  isSince: IsSince,
): Promise<Map<string, Offered>> {
  const told = await toldOfMeetings(scope.ownerId, { caseId, clientIds });
  const _id = mongoose.trusted({ $in: told.map(({ meeting }) => meeting.id) });
  const found = await MeetingModel.find({ ownerId: scope.ownerId, caseId, _id }).lean();
  const timeZone = await practiceTimeZone(scope.ownerId);
  const meetings = await firstOnes(scope, { caseId, isSince }, found);
  return new Map(
    meetings.flatMap((meeting) =>
      missedBy(meeting).flatMap((partyId) => {
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
    ),
  );
}

/** Those of these meetings of a case that are first meetings of this round. */
async function firstOnes(
  scope: Scope,
  { caseId, isSince }: { caseId: string; isSince: IsSince },
  meetings: readonly MeetingDoc[],
): Promise<MeetingDoc[]> {
  const found = await Promise.all(
    meetings.map(async (meeting) => {
      const isOfRound = isSince({ on: await dayOf(scope, meeting), at: meeting.createdAt });
      return isOfRound && (await isAssessing(scope, caseId, meeting)) ? [meeting] : [];
    }),
  );
  return found.flat();
}

const missedBy = ({ partyIds, attendance, status }: MeetingDoc): string[] =>
  partyIds.filter((partyId) => (attendance.find((one) => one.partyId === partyId)?.attendance ?? status) === "no_show");

function hasAccepted(meeting: MeetingDoc, partyId: string): boolean {
  const { sequence } = entryOf(meeting, partyId);
  return meeting.replies.some(
    (one) => one.partyId === partyId && one.reply === "accepted" && one.sequence === sequence,
  );
}
