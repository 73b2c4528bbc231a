// What somebody is asked to do about a meeting while it is still to come, found again by what it is about.
import { isHolding } from "@app/shared/meeting-states";
import { wasThere } from "@app/shared/session-states";
import { callOff } from "../tasks/asked-tasks.service.ts";
import type { MeetingDoc } from "./meetings.model.ts";

const TO_DO = {
  left: (id: string) => `left ${id}`,
  ended: (id: string) => `ended ${id}`,
  handOver: (id: string) => `hand over ${id}`,
  unsafe: (id: string) => `unsafe ${id}`,
  unkept: (id: string) => `unkept measures of ${id}`,
  hold: (id: string) => `hold ${id} as it stands`,
  remind: (id: string) => `remind of ${id}`,
} as const;

export const toDoAbout = (what: keyof typeof TO_DO, { _id }: Pick<MeetingDoc, "_id">): string => TO_DO[what](_id);

/** Whether an answer that came by itself was that party’s own. */
export const claimAbout = ({ _id }: Pick<MeetingDoc, "_id">, partyId: string): string =>
  `answer of ${partyId} to ${_id}`;

/** Neither cancelled, moved, nor said to have been held or missed. */
export const isToCome = ({ status, attendance }: Pick<MeetingDoc, "status" | "attendance">): boolean =>
  isHolding(status) && !attendance.some((mark) => wasThere({ state: mark.attendance }));

type Over = Pick<MeetingDoc, "_id" | "ownerId" | "caseId" | "partyIds" | "status">;

/** Whatever had to be done about it before it is so no more. What somebody answered counts also where they did not come. */
export async function endToDo(meeting: Over): Promise<void> {
  const { _id, ownerId, caseId, partyIds, status } = meeting;
  const isOff = status === "cancelled" || status === "rescheduled" || status === "expired";
  const abouts = [
    ...Object.values(TO_DO).map((aboutOf) => aboutOf(_id)),
    ...(isOff ? partyIds.map((partyId) => claimAbout(meeting, partyId)) : []),
  ];
  // What may name no case stands in none.
  for (const place of new Set([caseId, null])) await callOff({ ownerId, caseId: place, abouts });
}
