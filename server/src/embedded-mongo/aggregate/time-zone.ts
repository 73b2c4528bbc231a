// A local time is kept as the milliseconds that the same wall clock would show in UTC, so that the UTC methods of Date
// can do its arithmetic.
import { located } from "../bson/fail.ts";

export type Zone = { name: string; offsetAt(utc: number): number };

const UTC: Zone = { name: "UTC", offsetAt: () => 0 };
const zones = new Map<string, Zone>([
  ["UTC", UTC],
  ["GMT", UTC],
  ["Z", UTC],
]);

// Zones change their offset on quarter hours only, and at most once in a day.
const STEP = 15 * 60 * 1000;
const DAY = 24 * 60 * 60 * 1000;
const REMEMBERED = 20_000;

export function openZone(name: string | undefined): Zone {
  const known = zones.get(name ?? "UTC");
  if (known) return known;
  const zone = fixedZone(name ?? "") ?? namedZone(name ?? "");
  if (zones.size < 1000) zones.set(name ?? "", zone);
  return zone;
}

function fixedZone(name: string): Zone | undefined {
  const match = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  const offset = (match[1] === "-" ? -1 : 1) * minutes * 60_000;
  return { name, offsetAt: () => offset };
}

function namedZone(name: string): Zone {
  const format = openFormat(name);
  const offsets = new Map<number, number>();
  const offsetOf = (instant: number): number => {
    const known = offsets.get(instant);
    if (known !== undefined) return known;
    const offset = readOffset(format, instant);
    if (offsets.size >= REMEMBERED) offsets.clear();
    offsets.set(instant, offset);
    return offset;
  };
  return {
    name,
    offsetAt(utc) {
      const day = Math.floor(utc / DAY) * DAY;
      const offset = offsetOf(day);
      return offset === offsetOf(day + DAY) ? offset : offsetOf(Math.floor(utc / STEP) * STEP);
    },
  };
}

function openFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (cause) {
    const error = located(40485, `unrecognized time zone identifier: "${timeZone}"`);
    error.cause = cause;
    throw error;
  }
}

function readOffset(format: Intl.DateTimeFormat, utc: number): number {
  const text = format.formatToParts(utc).find((part) => part.type === "timeZoneName")?.value ?? "";
  const match = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
  if (!match) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === "-" ? -1000 : 1000) * seconds;
}

export const toLocal = (utc: number, zone: Zone): number => utc + zone.offsetAt(utc);

/** The instant of a wall time; one that the clock skips is moved on by the size of the gap. */
export function toUtc(local: number, zone: Zone): number {
  const guess = local - zone.offsetAt(local - zone.offsetAt(local));
  return toLocal(guess, zone) === local ? guess : local - zone.offsetAt(local - 24 * 3600 * 1000);
}
