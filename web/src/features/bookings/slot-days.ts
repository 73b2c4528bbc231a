import { addDays, dayIn, daysBetween } from "@app/shared/days";
import { zoneFormats } from "./zone-formats.ts";

export interface SlotDay {
  /** YYYY-MM-DD, in the visitor's zone. */
  day: string;
  times: string[];
}

export const DAYS_SHOWN = 5;

/** Every day from the first that has a time to the last, each with its own; also those without. */
export function slotDays(slots: readonly string[], timeZone: string): SlotDay[] {
  // Old phones load this: nothing of the last years' JavaScript.
  const byDay = new Map<string, string[]>();
  for (const at of slots) {
    const day = dayIn(timeZone, new Date(at));
    byDay.set(day, [...(byDay.get(day) ?? []), at]);
  }
  const days = [...byDay.keys()];
  const [first, last] = [days[0], days[days.length - 1]];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => {
    const day = addDays(first, index);
    return { day, times: byDay.get(day) ?? [] };
  });
}

export const countWords = (count: number): string => (count === 0 ? "none" : `${count} time${count === 1 ? "" : "s"}`);

/** Noon of a calendar day, which is that day in the zone that it is formatted in. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);

/** The month of these days, or both: November and December 2026. */
export function monthWords(days: readonly Pick<SlotDay, "day">[], locale: string): string {
  const { month, monthName } = zoneFormats(locale, "UTC");
  const [first, last] = [days[0]?.day, days[days.length - 1]?.day];
  if (first === undefined || last === undefined) return "";
  if (first.slice(0, 7) === last.slice(0, 7)) return month(noonOf(first));
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isOneYear ? monthName(noonOf(first)) : month(noonOf(first))} and ${month(noonOf(last))}`;
}
