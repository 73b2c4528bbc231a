import type { Case } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import type { GuardedItem } from "../cases/visibility.ts";
import { MeetingModel } from "./meetings.model.ts";
import { meetingFor } from "./meetings.visibility.ts";

const PREVIEW_MAX = 100;

/** The meetings of a case as this party knows them, the newest first. */
export async function partyMeetings(scope: Scope, { id }: Case, partyId: string): Promise<GuardedItem[]> {
  const docs = await MeetingModel.find({ ownerId: scope.ownerId, caseId: id })
    .sort({ startsAt: -1, _id: -1 })
    .limit(PREVIEW_MAX)
    .lean();
  return docs
    .flatMap((doc) => meetingFor(doc, partyId) ?? [])
    .map((meeting) => ({
      kind: "meeting",
      id: meeting.id,
      title: meeting.title,
      detail: meeting.location,
      at: meeting.startsAt.toISOString(),
      visibility: meeting.visibility,
    }));
}
