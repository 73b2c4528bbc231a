import { pageSearch, textsOf } from "../../core/search.ts";

export interface CalendarSearch {
  /** day, month, agenda or links (those to book by); the week where it is left out. */
  view?: string;
  /** A day of what is shown; today where it is left out. */
  day?: string;
  /** Whose calendar; the whole practice's where it is left out. */
  mediator?: string;
  /** The meeting whose dialog is open. */
  open?: string;
  /** Booking is under way, from this wall time on, such as 2026-11-20T09:00. */
  book?: string;
  /** "open" while the settings are. */
  settings?: string;
  /** The booking link that is open, or "new". */
  link?: string;
  /** "archived" while those are shown. */
  links?: string;
  /** Of the booking links. */
  page?: number;
}

export const calendarSearch = (search: Record<string, unknown>): CalendarSearch => ({
  ...textsOf(search, ["view", "day", "mediator", "open", "book", "settings", "link", "links"]),
  ...pageSearch(search),
});
