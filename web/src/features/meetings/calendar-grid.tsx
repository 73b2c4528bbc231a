import { type Calendar, type CalendarMeeting, type CalendarMonth, MONTH_DAY_MEETINGS_MAX } from "@app/shared/meetings";
import { addDays } from "@app/shared/days";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { DayView, MonthView, type ScheduleEventData, WeekView } from "@mantine/schedule";
import { memo, useEffect, useMemo, useRef } from "react";
import "@mantine/schedule/styles.css";
import { useCurrentUser } from "../../core/session.ts";
import { eventBody, eventProps } from "./calendar-event.tsx";
import { shownOf } from "./calendar-events.ts";
import { daysShown, mondayOf } from "./calendar-range.ts";
import { showDraggedTime } from "./dragged-time.ts";
import { useMove } from "./use-move.ts";
import { isWorkingAt, type WorkingTime } from "./working-time.ts";

const HOURS = { first: 7, last: 21 };
const FIRST_HOUR = "07:00:00";
const LAST_HOUR = "21:00:00";
const STEP_MINUTES = 15;
const DAY_LABELS = ".mantine-WeekView-weekViewDayLabel, .mantine-MonthView-monthViewDayLabel";

export interface GridActs {
  day: string;
  mayManage: boolean;
  onOpen: (id: string) => void;
  onDay: (day: string) => void;
  /** A wall time, such as 2026-11-20T09:00. */
  onBook: (at: string) => void;
}

interface HoursProps extends GridActs {
  view: "day" | "week";
  calendar: Calendar;
  /** What is outside these is shaded; none where it is not known whose they would be. */
  workingTime: WorkingTime | undefined;
}

/**
 * The grid of a day or a week; meetings are moved and made longer by dragging. Drawing a busy week takes a good part of
 * what a click may take, so it is only drawn when it shows something else.
 */
export const HoursGrid = memo(function HoursGrid({ view, calendar, workingTime, ...acts }: HoursProps) {
  const { day, mayManage, onDay, onBook } = acts;
  const { timeZone } = useCurrentUser();
  const { grid, common, hasWeekend } = useGrid(calendar, acts, mondayOf(day));
  const hours = {
    startTime: FIRST_HOUR,
    endTime: LAST_HOUR,
    intervalMinutes: 30,
    eventDragInterval: STEP_MINUTES,
    eventResizeInterval: STEP_MINUTES,
    withEventResize: mayManage,
    canResizeEvent: common.canDragEvent,
    onEventResize: common.onEventDrop,
    withSubHourGridLines: false,
    slotHeight: 56,
    withCurrentTimeIndicator: true,
    getCurrentTime: () => wallText(timeZone, new Date()),
    getTimeSlotProps: ({ start }: { start: string }) => {
      const at = { day: start.slice(0, 10), time: start.slice(11, 16) };
      return workingTime && !isWorkingAt(workingTime, at)
        ? { "data-outside-hours": true, title: "Outside your working hours" }
        : undefined;
    },
    onTimeSlotClick: ({ slotStart }: { slotStart: string }) => {
      if (mayManage) onBook(slotStart.slice(0, 16).replace(" ", "T"));
    },
  } as const;
  return (
    <div
      ref={grid}
      className="calendar-grid"
      data-view={view}
      onDragOver={({ currentTarget }) => requestAnimationFrame(() => showDraggedTime(currentTarget, HOURS))}
    >
      {view === "week" ? (
        <WeekView
          {...common}
          {...hours}
          date={day}
          firstDayOfWeek={1}
          weekdayFormat="ddd"
          withAllDaySlots={false}
          highlightToday
          onDateChange={onDay}
          withWeekNumber={false}
          withWeekendDays={hasWeekend}
        />
      ) : (
        <DayView {...common} {...hours} withAllDaySlot={false} date={day} />
      )}
    </div>
  );
});

/** The first meetings of each day of a month; what more there is opens with its day. */
export const MonthGrid = memo(function MonthGrid({ month, ...acts }: GridActs & { month: CalendarMonth }) {
  const { day, onDay } = acts;
  const { grid, common } = useGrid(month, acts, daysShown("month", day).first);
  const more = month.more.map((ofDay) => ({
    id: `more ${ofDay.day}`,
    title: `${ofDay.count} more`,
    color: "var(--hover)",
    // Behind every meeting of the day.
    start: `${ofDay.day} 23:59:00`,
    end: `${ofDay.day} 23:59:59`,
  }));
  return (
    <div ref={grid} className="calendar-grid" data-view="month">
      <MonthView
        {...common}
        date={day}
        events={[...common.events, ...more]}
        firstDayOfWeek={1}
        highlightToday
        maxEventsPerDay={MONTH_DAY_MEETINGS_MAX + 1}
        onDayClick={onDay}
      />
    </div>
  );
});

/** What every grid has: its events, how they look, and what is done with them. */
function useGrid(calendar: Calendar & Partial<CalendarMonth>, { mayManage, onOpen, onDay }: GridActs, first: string) {
  const { timeZone } = useCurrentUser();
  const move = useMove();
  const grid = useRef<HTMLDivElement>(null);
  const { meetings, events, hasWeekend, counts } = useMemo(() => shownOf(calendar, timeZone), [calendar, timeZone]);
  useEffect(() => {
    const more = new Map(calendar.more?.map(({ day, count }) => [day, count]));
    const labels = grid.current?.querySelectorAll<HTMLElement>(DAY_LABELS) ?? [];
    for (const [index, label] of [...labels].entries()) {
      // The library names a day's button by its date alone, which leaves out what the button shows.
      if (label.ariaLabel?.startsWith("Weekday ")) label.ariaLabel = null;
      const day = addDays(first, index);
      const count = (counts.get(day) ?? 0) + (more.get(day) ?? 0);
      label.dataset["count"] = count > 0 ? String(count) : "";
    }
  });
  const instantAt = (wall: string) =>
    instantOf(timeZone, { day: wall.slice(0, 10), time: wall.slice(11, 16) }).toISOString();
  const common = {
    withHeader: false,
    events,
    renderEventBody: eventBody(meetings),
    renderEvent: eventProps(meetings),
    withEventsDragAndDrop: mayManage,
    canDragEvent: ({ id }: ScheduleEventData) => {
      const meeting = meetings.get(String(id));
      return mayManage && meeting !== undefined && isActive(meeting) && !meeting.isBusyOnly;
    },
    onEventDrop: ({ eventId, newStart, newEnd }: { eventId: string | number; newStart: string; newEnd: string }) => {
      const meeting = meetings.get(String(eventId));
      if (meeting) void move(meeting, { startsAt: instantAt(newStart), endsAt: instantAt(newEnd) });
    },
    onEventClick: ({ id, start }: ScheduleEventData) => {
      const meeting = meetings.get(String(id));
      // Only what stands for the others of its day has no meeting, and begins with its day.
      if (!meeting) onDay(String(start).slice(0, 10));
      else if (!meeting.isBusyOnly) onOpen(meeting.id);
    },
    labels: { noEvents: "No meetings" },
  } as const;
  return { grid, common, hasWeekend };
}

const isActive = ({ status }: CalendarMeeting) =>
  status === "proposed" || status === "booked" || status === "confirmed";

function wallText(timeZone: string, instant: Date): string {
  const { day, time } = wallTimeOf(timeZone, instant);
  return `${day} ${time}:00`;
}
