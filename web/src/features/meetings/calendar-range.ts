import { addDays, addMonths } from "@app/shared/days";
import { instantOf } from "@app/shared/wall-time";

export const CALENDAR_VIEWS = ["day", "week", "month", "agenda"] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

const AGENDA_DAYS = 14;

/** Monday of the week of this day. */
export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** The first day that is shown, and the first that is not. */
export function daysShown(view: CalendarView, day: string): { first: string; end: string } {
  switch (view) {
    case "day":
      return { first: day, end: addDays(day, 1) };
    case "week":
      return { first: mondayOf(day), end: addDays(mondayOf(day), 7) };
    case "agenda":
      return { first: day, end: addDays(day, AGENDA_DAYS) };
    case "month": {
      const first = mondayOf(`${day.slice(0, 7)}-01`);
      return { first, end: addDays(first, 42) };
    }
  }
}

interface Shows {
  view: CalendarView;
  day: string;
}

/** Whether every day of the first is shown by the second too. */
export function isWithin(inner: Shows, outer: Shows): boolean {
  const days = daysShown(inner.view, inner.day);
  const around = daysShown(outer.view, outer.day);
  return days.first >= around.first && days.end <= around.end;
}

/** The same as instants in the practice's zone. */
export function rangeShown(view: CalendarView, day: string, timeZone: string): { from: string; to: string } {
  const { first, end } = daysShown(view, day);
  const midnight = (date: string) => instantOf(timeZone, { day: date, time: "00:00" }).toISOString();
  return { from: midnight(first), to: midnight(end) };
}

// An address may be typed: days that no calendar has are none.
const isDay = (text = ""): boolean =>
  /^(?:19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** What of the address says which meetings are shown. */
export interface Shown {
  view?: string | undefined;
  day?: string | undefined;
  mediator?: string | undefined;
}

interface Place {
  isPhone: boolean;
  today: string;
  timeZone: string;
}

/** What the calendar shows at this address, and what it asks the server for. */
export function calendarAt(search: Shown, { isPhone, today, timeZone }: Place) {
  const view: CalendarView = isPhone ? "agenda" : (CALENDAR_VIEWS.find((known) => known === search.view) ?? "week");
  const day = search.day && isDay(search.day) ? search.day : today;
  const mediator: { mediatorId?: string } = search.mediator ? { mediatorId: search.mediator } : {};
  return { view, day, input: { ...rangeShown(view, day, timeZone), ...mediator } };
}

/** One step back or on. */
export function stepOf(view: CalendarView, day: string, direction: 1 | -1): string {
  if (view === "month") return addMonths(`${day.slice(0, 7)}-01`, direction);
  const days = { day: 1, week: 7, agenda: AGENDA_DAYS }[view];
  return addDays(day, direction * days);
}

/** "16–22 November 2026", "November 2026" or "Tuesday 17 November 2026". */
export function titleOf(view: CalendarView, day: string, locale: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  const at = (date: string) => new Date(`${date}T00:00:00Z`);
  if (view === "month") return format({ month: "long", year: "numeric" }).format(at(day));
  const long = format({ day: "numeric", month: "long", year: "numeric" });
  if (view === "day")
    return format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(at(day));
  const { first, end } = daysShown(view, day);
  return long.formatRange(at(first), at(addDays(end, -1)));
}
