// What the calendar says of first meetings stands against what somebody enters of them by hand, until it is put right there.
import mongoose from "mongoose";
import { isHolding } from "@app/shared/meeting-states";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import {
  type AttendedDay,
  defineAttendanceGate,
  defineConductorGate,
} from "../assessments/attendance-gates.service.ts";
import { colleagues } from "../users/users.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { dayOf, isAssessing, OF_ASSESSMENT } from "./assessment-marks.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";

interface Said {
  meeting: MeetingDoc;
  day: string;
  isMissed: boolean;
}

/** BAD_REQUEST where the calendar says that they did not come on this day, or still has their meeting on another one. */
export const assertCalendarBears = (scope: Scope, attended: AttendedDay): Promise<void> =>
  assertBears(scope, attended, isHolding);

async function assertBears(
  scope: Scope,
  { field, on, meetingId = null, ...of }: AttendedDay,
  speaks: (status: MeetingDoc["status"], startsAt: Date) => boolean,
): Promise<void> {
  const said = await saidOf(scope, of);
  const own = said.find(({ meeting }) => meeting._id === meetingId);
  if (own && on > own.day) throw badField(field, AS_IN_CALENDAR);
  const ofDay = said.filter(({ day }) => day === on);
  if (ofDay.some(({ meeting, isMissed }) => stands(meeting) && !isMissed)) return;
  const { calendarDay, dateTime } = await practiceDates(scope.ownerId);
  const [against] = ofDay.toSorted((one, other) => Number(other.isMissed) - Number(one.isMissed));
  if (against) throw badField(field, againstWords(against, dateTime(against.meeting.startsAt)));
  const booked = said.find(({ meeting }) => speaks(meeting.status, meeting.startsAt));
  if (booked)
    throw badField(
      field,
      `Their meeting is booked for ${calendarDay(booked.day)}. Move or cancel that booking first, or enter its day.`,
    );
}

const AS_IN_CALENDAR =
  "This record came from a meeting of the calendar, and was not held after it. Enter its day or an earlier one; if it was held later, strike this record and record the meeting anew.";

// Beside a record of what was held, another one that is still to come says nothing.
defineAttendanceGate((scope, attended) =>
  assertBears(scope, attended, (status, startsAt) => isHolding(status) && startsAt <= now()),
);

// Whoever held the meeting that a record came from held it on whichever day it is put.
defineConductorGate(async (scope, { on, mediatorId, meetingId = null, ...of }) => {
  const held = (await saidOf(scope, of)).filter(
    ({ day, meeting, isMissed }) => (day === on || meeting._id === meetingId) && stands(meeting) && !isMissed,
  );
  const ids = held.flatMap(({ meeting }) => meeting.mediatorIds);
  if (ids.length === 0 || ids.includes(mediatorId)) return;
  const names = (await colleagues(scope.ownerId)).filter(({ userId }) => ids.includes(userId)).map(({ name }) => name);
  throw badField(
    "mediatorId",
    `The calendar says that ${names.join(" and ") || "somebody else"} held ${held.some(({ day }) => day === on) ? "their meeting on this day" : "the meeting that this record came from"}. If that is wrong, put it right in the calendar first.`,
  );
});

/** When the calendar says that they came to their first meeting of this day; of the one that a record came from alone, where it is of that day. */
export async function hoursOfFirst(
  scope: Scope,
  { on, meetingId = null, ...of }: Omit<AttendedDay, "field">,
): Promise<Pick<MeetingDoc, "startsAt" | "endsAt">[]> {
  const ofDay = (await saidOf(scope, of)).filter(
    ({ day, meeting, isMissed }) => day === on && stands(meeting) && !isMissed,
  );
  const own = ofDay.filter(({ meeting }) => meeting._id === meetingId);
  return (own.length > 0 ? own : ofDay).map(({ meeting: { startsAt, endsAt } }) => ({ startsAt, endsAt }));
}

const stands = ({ status }: MeetingDoc): boolean => isHolding(status) || status === "completed";

function againstWords({ meeting, isMissed }: Said, when: string): string {
  if (isMissed)
    return `The calendar says that they did not come to their meeting on ${when}. If that is wrong, mark them as “Present” there, which records it. If they came at another time of that day, add that meeting to the calendar first.`;
  const what = meeting.status === "rescheduled" ? "moved to another time" : "cancelled";
  return `The calendar says that their meeting on ${when} was ${what}. If they met on that day all the same, add the meeting to the calendar first, as it was held.`;
}

/** Each first meeting of this party, the earliest first, and what the calendar says of it; an offer that ran out says nothing. */
async function saidOf(
  scope: Scope,
  { caseId, partyId }: Omit<AttendedDay, "field" | "on" | "meetingId">,
): Promise<Said[]> {
  const { ownerId } = scope;
  const type = mongoose.trusted({ $in: [...OF_ASSESSMENT] });
  const meetings = await MeetingModel.find({ ownerId, caseId, partyIds: partyId, type }).sort({ startsAt: 1 }).lean();
  const said = await Promise.all(
    meetings.map(async (meeting) => {
      if (meeting.status === "expired" || !(await isAssessing(scope, caseId, meeting))) return [];
      const mark = meeting.attendance.find((one) => one.partyId === partyId)?.attendance ?? meeting.status;
      return [{ meeting, day: await dayOf(scope, meeting), isMissed: mark === "no_show" }];
    }),
  );
  return said.flat();
}
