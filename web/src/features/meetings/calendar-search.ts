export const CALENDAR_VIEWS = ["day", "week", "month", "agenda"] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

export interface CalendarSearch {
  /** The week where it is left out. */
  view?: CalendarView;
  /** A day of what is shown; today where it is left out. */
  day?: string;
  /** Whose calendar; the whole practice's where it is left out. */
  mediator?: string;
  /** The meeting whose dialog is open. */
  open?: string;
  /** Booking is under way, from this wall time on, such as 2026-11-20T09:00. */
  book?: string;
  settings?: true;
}

export function calendarSearch(search: Record<string, unknown>): CalendarSearch {
  const { day, mediator, open, book } = search;
  const view = CALENDAR_VIEWS.find((known) => known === search["view"]);
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  return {
    ...(view && view !== "week" ? { view } : {}),
    ...(isText(day) && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { day } : {}),
    ...(isText(mediator) ? { mediator } : {}),
    ...(isText(open) ? { open } : {}),
    ...(isText(book) && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(book) ? { book } : {}),
    ...(search["settings"] === true ? { settings: true } : {}),
  };
}
