// Two people were not at one meeting where the calendar has theirs at different hours.
import type { Assessment } from "@app/shared/assessments";
import { hoursOf } from "../meetings/case-meetings.service.ts";

/** Whether another record is of a meeting at other hours than this one; not where the calendar does not know both. */
export async function hoursApart(
  ownerId: string,
  { meetingId }: Assessment,
  records: readonly Assessment[],
): Promise<(record: Assessment) => boolean> {
  const ids = [meetingId, ...records.map((record) => record.meetingId)].flatMap((id) => id ?? []);
  const hours = await hoursOf(ownerId, ids);
  const own = meetingId === null ? undefined : hours.get(meetingId);
  return (record) => {
    const theirs = record.meetingId === null ? undefined : hours.get(record.meetingId);
    return (
      own !== undefined && theirs !== undefined && (own.endsAt <= theirs.startsAt || theirs.endsAt <= own.startsAt)
    );
  };
}
