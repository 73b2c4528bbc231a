import { type Region, REGIONS } from "@app/shared/regions";
import { useMemo } from "react";
import { useCurrentUser } from "./session.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Dates, times and numbers as this practice writes them: never without a locale and a zone. */
export function formatsFor(region: Region, timeZone: string) {
  const { locale } = REGIONS[region];
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    // No-break spaces keep a date in one piece.
    return (instant: string | Date) => format.format(new Date(instant)).replaceAll(" ", "\u00a0");
  };
  const longDay = new Intl.DateTimeFormat(locale, { timeZone, weekday: "long", day: "numeric", month: "long" });
  const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  return {
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
    calendarDay: (day: string) =>
      new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" })
        .format(new Date(`${day}T00:00:00Z`))
        .replaceAll(" ", "\u00a0"),
    /** A calendar day of about this year: 17 Nov */
    shortDay: (day: string) =>
      new Intl.DateTimeFormat(locale, { timeZone: "UTC", day: "numeric", month: "short" })
        .format(new Date(`${day}T00:00:00Z`))
        .replaceAll(" ", "\u00a0"),
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

export function useFormats() {
  const { region, timeZone } = useCurrentUser();
  return useMemo(() => formatsFor(region, timeZone), [region, timeZone]);
}
