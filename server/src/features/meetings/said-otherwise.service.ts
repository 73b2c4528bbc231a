// What the calendar says of mediation on a day, where a session of that day says something else.
import { mediates } from "@app/shared/case-sessions";
import type { Party } from "@app/shared/cases";
import { isHolding } from "@app/shared/meeting-states";
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { dayOf } from "./assessment-marks.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

interface Session {
  caseId: string;
  /** The meeting that it is of; null where nobody said. */
  meetingId: string | null;
  /** Who is said to have come. */
  parties: readonly Pick<Party, "partyId" | "label">[];
  day: string;
}

/** In words, what stands against it; nothing where a meeting of that day bears it out. */
export async function saidOtherwise(scope: Scope, { caseId, meetingId, parties, day }: Session): Promise<string[]> {
  const ids = parties.map(({ partyId }) => partyId);
  const among = mongoose.trusted({ $in: ids });
  const meetings = await MeetingModel.find({ ownerId: scope.ownerId, caseId, partyIds: among }).lean();
  const ofDay = [];
  for (const meeting of meetings)
    if (mediates(meeting.type) && (await dayOf(scope, meeting)) === day) ofDay.push(meeting);
  const asked = meetingId === null ? ofDay : ofDay.filter(({ _id }) => _id === meetingId);
  if (asked.some((meeting) => stands(meeting) && missedOf(meeting, parties).length === 0)) return [];
  const { dateTime } = await practiceDates(scope.ownerId);
  return asked.flatMap((meeting) => wordsOf(meeting, parties, dateTime(meeting.startsAt)));
}

const stands = ({ status }: MeetingDoc): boolean => isHolding(status) || status === "completed";

const missedOf = ({ attendance }: MeetingDoc, parties: Session["parties"]): Session["parties"] =>
  parties.filter(({ partyId }) => attendance.some((mark) => mark.partyId === partyId && mark.attendance === "no_show"));

function wordsOf(meeting: MeetingDoc, parties: Session["parties"], when: string): string[] {
  if (meeting.status === "cancelled") return [`The calendar says that the meeting on ${when} was cancelled.`];
  if (meeting.status === "rescheduled") return [`The calendar says that the meeting on ${when} was moved.`];
  if (meeting.status === "no_show") return [`The calendar says that nobody met on ${when}.`];
  return missedOf(meeting, parties).map(({ label }) => `The calendar says that ${label} did not come on ${when}.`);
}
