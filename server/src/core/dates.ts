// Dates and times in texts that people read, written as a practice's region writes them.
import { type Region, REGIONS } from "@app/shared/regions";

export interface Dates {
  /** Thursday 10 December 2026, 14:30 */
  dateTime: (instant: Date) => string;
  /** Thursday 10 December 2026 */
  longDay: (instant: Date) => string;
  /** 10 December 2026 */
  day: (instant: Date) => string;
  /** 14:30 */
  time: (instant: Date) => string;
  /** Whose clock that is: United Kingdom Time */
  zone: (instant: Date) => string;
  /** A calendar day (YYYY-MM-DD), which has no zone: 10 December 2026 */
  calendarDay: (day: string) => string;
}

const known = new Map<string, Dates>();

/** The one way in which the server writes dates for people. */
export function datesIn(region: Region, timeZone: string): Dates {
  const key = `${region} ${timeZone}`;
  const dates = known.get(key) ?? makeDates(REGIONS[region].locale, timeZone);
  known.set(key, dates);
  return dates;
}

const DAY = { day: "numeric", month: "long", year: "numeric" } as const;

function makeDates(locale: string, timeZone: string): Dates {
  const day = new Intl.DateTimeFormat(locale, { timeZone, ...DAY });
  const calendarDay = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...DAY });
  const weekday = new Intl.DateTimeFormat(locale, { timeZone, weekday: "long" });
  const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: "short" });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "longGeneric" });
  // Not by one format with the weekday: the comma after it comes and goes with the version of the locale's data.
  const comma = locale === "en-US" ? "," : "";
  const longDay = (instant: Date) => `${weekday.format(instant)}${comma} ${day.format(instant)}`;
  // Some locales set the half of the day apart by a space that not every mail program shows.
  const time = (instant: Date) => clock.format(instant).replace("\u202f", " ");
  return {
    longDay,
    time,
    day: (instant) => day.format(instant),
    dateTime: (instant) => `${longDay(instant)}, ${time(instant)}`,
    zone: (instant) => zoneName(zone, instant) ?? timeZone,
    calendarDay: (date) => calendarDay.format(new Date(`${date}T00:00:00Z`)),
  };
}

/** Nothing where the locale has no name for it, only how far it is from Greenwich. */
function zoneName(format: Intl.DateTimeFormat, instant: Date): string | null {
  const name = format.formatToParts(instant).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  return name.startsWith("GMT") ? null : name;
}
