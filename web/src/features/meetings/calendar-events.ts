import { MEETING_TYPE_COLOURS } from "@app/shared/meeting-states";
import type { Calendar, CalendarMeeting } from "@app/shared/meetings";
import { wallTimeOf } from "@app/shared/wall-time";
import type { ScheduleEventData } from "@mantine/schedule";
import { nameOf } from "./meeting-name.ts";

export interface ShownMeeting extends CalendarMeeting {
  /** 09:00 */
  from: string;
  /** 10:30 */
  to: string;
}

export interface Shown {
  meetings: ReadonlyMap<string, ShownMeeting>;
  events: ScheduleEventData[];
  hasWeekend: boolean;
  /** How many meetings take place on each day that has any. */
  counts: ReadonlyMap<string, number>;
}

/** What the grids draw, in the practice's wall time. */
export function shownOf(calendar: Calendar, timeZone: string): Shown {
  const wallOf = (instant: string) => wallTimeOf(timeZone, new Date(instant));
  const meetings = new Map<string, ShownMeeting>();
  const events: ScheduleEventData[] = [];
  const days = new Set<string>();
  const counts = new Map<string, number>();
  for (const meeting of calendar.meetings) {
    const [start, end] = [wallOf(meeting.startsAt), wallOf(meeting.endsAt)];
    meetings.set(meeting.id, { ...meeting, from: start.time, to: end.time });
    days.add(start.day);
    if (meeting.status === "expired") continue;
    if (meeting.status !== "cancelled") counts.set(start.day, (counts.get(start.day) ?? 0) + 1);
    events.push({
      id: meeting.id,
      title: nameOf(meeting),
      // The library would read a text anew for each of the dozens of times that it compares it.
      start: new Date(`${start.day}T${start.time}`),
      end: new Date(`${end.day}T${end.time}`),
      color: `var(--chart-${MEETING_TYPE_COLOURS[meeting.type]})`,
    });
  }
  for (const { id, startsAt, endsAt } of calendar.busy) {
    const [start, end] = [wallOf(startsAt), wallOf(endsAt)];
    days.add(start.day);
    events.push({
      id,
      title: "Busy",
      start: new Date(`${start.day}T${start.time}`),
      end: new Date(`${end.day}T${end.time}`),
      color: "var(--hover)",
      display: "background",
    });
  }
  return { meetings, events: events.toSorted(inOrder), hasWeekend: [...days].some(isAtWeekend), counts };
}

const isAtWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** The order that the library brings them into, which takes it much longer. */
const inOrder = (a: ScheduleEventData, b: ScheduleEventData): number =>
  Number(a.start) - Number(b.start) || Number(b.end) - Number(a.end);
