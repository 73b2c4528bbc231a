// Why people met though something was missing, as it was said when their meetings were recorded as held.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import type { Missing } from "../screenings/missing-then.service.ts";
import { MeetingModel, unmetOf } from "./meetings.model.ts";

interface HeldReason {
  meetingId: string;
  startsAt: Date;
  /** Of the parties, whoever did not stay away. */
  partyIds: string[];
  missing: Missing[];
  reason: string;
  at: Date;
  byId: string;
  byName: string;
}

/** Of the meetings of a case, where it is known who said it, and when. */
export async function heldReasonsIn({ ownerId }: Pick<Scope, "ownerId">, caseId: string): Promise<HeldReason[]> {
  const isSaid = { unmetSaid: mongoose.trusted({ $exists: true }) };
  const meetings = await MeetingModel.find({ ownerId, caseId, status: "completed", ...isSaid }).lean();
  return meetings.flatMap((meeting) => {
    const { _id: meetingId, startsAt, unmetSaid, attendance } = meeting;
    const absent = attendance.filter((mark) => mark.attendance === "no_show").map(({ partyId }) => partyId);
    const partyIds = meeting.partyIds.filter((partyId) => !absent.includes(partyId));
    const { missing, reason } = unmetOf(meeting);
    return unmetSaid && missing.length > 0 ? [{ meetingId, startsAt, partyIds, missing, reason, ...unmetSaid }] : [];
  });
}
