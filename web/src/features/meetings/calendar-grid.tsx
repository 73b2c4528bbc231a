import { MEETING_TYPE_COLOURS } from "@app/shared/meeting-states";
import type { Calendar, CalendarMeeting } from "@app/shared/meetings";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { DayView, MonthView, type ScheduleEventData, WeekView } from "@mantine/schedule";
import { useEffect, useRef } from "react";
import "@mantine/schedule/styles.css";
import { useCurrentUser } from "../../core/session.ts";
import { eventBody, eventProps } from "./calendar-event.tsx";
import { nameOf } from "./meeting-name.ts";
import { useMove } from "./use-move.ts";

const FIRST_HOUR = "07:00:00";
const LAST_HOUR = "21:00:00";
const STEP_MINUTES = 15;

interface Props {
  view: "day" | "week" | "month";
  day: string;
  calendar: Calendar;
  mayManage: boolean;
  onOpen: (id: string) => void;
  onDay: (day: string) => void;
  /** A wall time, such as 2026-11-20T09:00. */
  onBook: (at: string) => void;
}

/** The grid of a day, a week or a month; meetings are moved and made longer by dragging. */
export function CalendarGrid({ view, day, calendar, mayManage, onOpen, onDay, onBook }: Props) {
  const { timeZone } = useCurrentUser();
  const move = useMove();
  const grid = useRef<HTMLDivElement>(null);
  // The library names a day's button by its date alone, which leaves out what the button shows.
  useEffect(() => {
    for (const button of grid.current?.querySelectorAll('[aria-label^="Weekday "]') ?? [])
      button.removeAttribute("aria-label");
  });
  const meetings = new Map(calendar.meetings.map((meeting) => [meeting.id, meeting]));
  const isMovable = ({ id }: ScheduleEventData) => {
    const meeting = meetings.get(String(id));
    return mayManage && meeting !== undefined && isActive(meeting) && !meeting.isBusyOnly;
  };
  const drop = ({ eventId, newStart, newEnd }: { eventId: string | number; newStart: string; newEnd: string }) => {
    const meeting = meetings.get(String(eventId));
    if (meeting) void move(meeting, { startsAt: instantAt(newStart), endsAt: instantAt(newEnd) });
  };
  const instantAt = (wall: string) =>
    instantOf(timeZone, { day: wall.slice(0, 10), time: wall.slice(11, 16) }).toISOString();
  const common = {
    date: day,
    withHeader: false,
    events: eventsOf(calendar, timeZone),
    renderEventBody: eventBody(meetings),
    renderEvent: eventProps(meetings),
    withEventsDragAndDrop: mayManage,
    canDragEvent: isMovable,
    onEventDrop: drop,
    onEventClick: ({ id }: ScheduleEventData) => {
      if (meetings.get(String(id))?.isBusyOnly === false) onOpen(String(id));
    },
    labels: { noEvents: "No meetings" },
  } as const;
  const hours = {
    startTime: FIRST_HOUR,
    endTime: LAST_HOUR,
    intervalMinutes: 30,
    eventDragInterval: STEP_MINUTES,
    eventResizeInterval: STEP_MINUTES,
    withAllDaySlots: false,
    withEventResize: mayManage,
    canResizeEvent: isMovable,
    onEventResize: drop,
    withSubHourGridLines: false,
    slotHeight: 56,
    withCurrentTimeIndicator: true,
    getCurrentTime: () => wallText(timeZone, new Date()),
    onTimeSlotClick: ({ slotStart }: { slotStart: string }) => {
      if (mayManage) onBook(slotStart.slice(0, 16).replace(" ", "T"));
    },
  } as const;
  return (
    <div ref={grid} className="calendar-grid" data-view={view}>
      {view === "week" && (
        <WeekView
          {...common}
          {...hours}
          firstDayOfWeek={1}
          weekdayFormat="ddd"
          highlightToday
          onDateChange={onDay}
          withWeekNumber={false}
          withWeekendDays={hasWeekend(calendar, timeZone)}
        />
      )}
      {view === "day" && <DayView {...common} {...hours} />}
      {view === "month" && (
        <MonthView
          {...common}
          firstDayOfWeek={1}
          highlightToday
          maxEventsPerDay={4}
          onDayClick={(date) => onDay(date)}
        />
      )}
    </div>
  );
}

const isActive = ({ status }: CalendarMeeting) =>
  status === "proposed" || status === "booked" || status === "confirmed";

function wallText(timeZone: string, instant: Date): string {
  const { day, time } = wallTimeOf(timeZone, instant);
  return `${day} ${time}:00`;
}

function hasWeekend({ meetings, busy }: Calendar, timeZone: string): boolean {
  return [...meetings, ...busy].some(({ startsAt }) => {
    const { day } = wallTimeOf(timeZone, new Date(startsAt));
    return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  });
}

function eventsOf({ meetings, busy }: Calendar, timeZone: string): ScheduleEventData[] {
  const shown = meetings.filter(({ status }) => status !== "expired");
  return [
    ...shown.map((meeting) => ({
      id: meeting.id,
      title: nameOf(meeting),
      start: wallText(timeZone, new Date(meeting.startsAt)),
      end: wallText(timeZone, new Date(meeting.endsAt)),
      color: `var(--chart-${MEETING_TYPE_COLOURS[meeting.type]})`,
    })),
    ...busy.map(({ id, startsAt, endsAt }) => ({
      id,
      title: "Busy",
      start: wallText(timeZone, new Date(startsAt)),
      end: wallText(timeZone, new Date(endsAt)),
      color: "var(--hover)",
      display: "background" as const,
    })),
  ];
}
