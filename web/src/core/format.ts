import { type Region, REGIONS } from "@app/shared/regions";
import { useCurrentUser } from "./session.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Dates, times and numbers as this practice writes them: never without a locale and a zone. */
function formatsFor(region: Region, timeZone: string) {
  const { locale } = REGIONS[region];
  // Made when it is first used, because making one takes a hundred times as long as using it.
  const datesIn = (zone: string, options: Intl.DateTimeFormatOptions) => {
    let format: Intl.DateTimeFormat | undefined;
    return (instant: string | Date) => {
      format ??= new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
      // No-break spaces keep a date in one piece.
      return format.format(new Date(instant)).replaceAll(" ", "\u00a0");
    };
  };
  const dates = (options: Intl.DateTimeFormatOptions) => datesIn(timeZone, options);
  const calendarDates = (options: Intl.DateTimeFormatOptions) => {
    const ofUtc = datesIn("UTC", options);
    return (day: string) => ofUtc(`${day}T00:00:00Z`);
  };
  const longDay = new Intl.DateTimeFormat(locale, { timeZone, weekday: "long", day: "numeric", month: "long" });
  const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  return {
    /** Where the practice mediates, which words follow too. */
    region,
    /** 17 Nov 2026 */
    day: dates({ day: "numeric", month: "short", year: "numeric" }),
    /** Tuesday 17 November */
    longDay: (instant: Date) => longDay.format(instant).replace(",", ""),
    /** 14:30 */
    time: dates({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    /** 17 Nov 2026, 14:30 */
    dateTime: dates({
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }),
    number: (value: number) => number.format(value),
    /** A calendar day (YYYY-MM-DD), which has no zone: 17 Nov 2026 */
    calendarDay: calendarDates({ day: "numeric", month: "short", year: "numeric" }),
    /** A calendar day as letters write it: 17 November 2026 */
    longCalendarDay: calendarDates({ day: "numeric", month: "long", year: "numeric" }),
    /** A calendar day of about this year: 17 Nov */
    shortDay: calendarDates({ day: "numeric", month: "short" }),
    /** "3 hours ago"; show the exact time beside it. */
    relative: (instant: string) => {
      const ageMs = Date.parse(instant) - Date.now();
      if (Math.abs(ageMs) < MINUTE_MS) return "just now";
      if (Math.abs(ageMs) < HOUR_MS) return relativeFormat.format(Math.trunc(ageMs / MINUTE_MS), "minute");
      if (Math.abs(ageMs) < DAY_MS) return relativeFormat.format(Math.trunc(ageMs / HOUR_MS), "hour");
      return relativeFormat.format(Math.trunc(ageMs / DAY_MS), "day");
    },
  };
}

export type Formats = ReturnType<typeof formatsFor>;
const known = new Map<string, Formats>();

export function useFormats(): Formats {
  const { region, timeZone } = useCurrentUser();
  const key = `${region} ${timeZone}`;
  const formats = known.get(key) ?? formatsFor(region, timeZone);
  known.set(key, formats);
  return formats;
}
