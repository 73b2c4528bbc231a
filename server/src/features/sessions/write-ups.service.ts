// What the calendar says was held, and nobody wrote up yet.
import type { Scope } from "../../core/trpc.ts";
import { meetingsOfCase } from "../meetings/case-meetings.service.ts";
import { openTitles } from "../tasks/asked-tasks.service.ts";

/** What the task to write up the session of this meeting is about. */
export const writeUpOf = (meetingId: string): string => `write up ${meetingId}`;

/** The tasks to write up sessions of a case that are open, in their words. */
export async function unwrittenIn(scope: Scope, caseId: string): Promise<string[]> {
  const abouts = (await meetingsOfCase(scope, caseId)).map(({ id }) => writeUpOf(id));
  return openTitles({ ownerId: scope.ownerId, caseId, abouts });
}

interface Came {
  caseId: string;
  partyId: string;
  /** Which moments are meant. */
  isMeant: (startedAt: Date) => boolean;
}

/** The same of those to which this party was asked, and may have come. */
export async function unwrittenOf(scope: Scope, { caseId, partyId, isMeant }: Came): Promise<string[]> {
  const meetings = (await meetingsOfCase(scope, caseId)).filter(
    ({ partyIds, attendance, startsAt }) =>
      (partyIds.length === 0 || partyIds.includes(partyId)) &&
      !attendance.some((mark) => mark.partyId === partyId && mark.attendance === "no_show") &&
      isMeant(new Date(startsAt)),
  );
  return openTitles({ ownerId: scope.ownerId, caseId, abouts: meetings.map(({ id }) => writeUpOf(id)) });
}
