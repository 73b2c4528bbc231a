import mongoose from "mongoose";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import type { Scope } from "../../core/trpc.ts";
import { dayOf, isAssessing } from "./assessment-marks.ts";
import { MeetingModel } from "./meetings.model.ts";

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
