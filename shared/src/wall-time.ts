// Between instants and what a clock on the wall shows, in any IANA zone. Free of zod.

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

export interface WallTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM */
  time: string;
}

interface Shown {
  day: string;
  hour: string;
  minute: string;
  second: string;
}

// Reading the numbers out of the text takes an eighth of the time of formatToParts.
function shownAt(timeZone: string, instant: Date): Shown {
  const numbers = formatOf(timeZone).format(instant).match(/\d+/g) ?? [];
  const [day = "", month = "", year = "", hour = "", minute = "", second = ""] = numbers;
  return { day: `${year}-${month}-${day}`, hour, minute, second };
}

/** What the clock shows there at this instant. */
export function wallTimeOf(timeZone: string, instant: Date): WallTime {
  const { day, hour, minute } = shownAt(timeZone, instant);
  return { day, time: `${hour}:${minute}` };
}

/** How far that zone's clock is ahead of UTC at this instant, in milliseconds. */
function offsetMs(timeZone: string, instant: number): number {
  const { day, hour, minute, second } = shownAt(timeZone, new Date(instant));
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`) - Math.floor(instant / 1000) * 1000;
}

/**
 * The instant at which the clock there shows this. An hour that comes twice is taken the first time; one that is left
 * out is shifted on by what was left out.
 */
export function instantOf(timeZone: string, wall: WallTime): Date {
  const [first] = instantsOf(timeZone, wall);
  return first ?? new Date(asUtc(wall) - offsetMs(timeZone, asUtc(wall) - DAY_MS));
}

/** Every instant at which the clock there shows this, in their order: mostly one, none or two where it is put on or back. */
export function instantsOf(timeZone: string, wall: WallTime): Date[] {
  const [before, after] = [-DAY_MS, DAY_MS].map((away) => offsetMs(timeZone, asUtc(wall) + away));
  return [...new Set([before ?? 0, after ?? 0])]
    .filter((offset) => offsetMs(timeZone, asUtc(wall) - offset) === offset)
    .map((offset) => new Date(asUtc(wall) - offset))
    .toSorted((a, b) => a.getTime() - b.getTime());
}

const asUtc = ({ day, time }: WallTime): number => Date.parse(`${day}T${time}:00Z`);

/** How far the clock is ahead of UTC on a day on which, and beside which, nobody changes it; null where somebody does. */
export function plainDayOffset(timeZone: string, day: string): number | null {
  const midnight = asUtc({ day, time: "00:00" });
  const before = offsetMs(timeZone, midnight - DAY_MS);
  return before === offsetMs(timeZone, midnight + 2 * DAY_MS) ? before : null;
}
