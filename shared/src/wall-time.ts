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

function partsOf(timeZone: string, instant: Date): Record<string, string> {
  return Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
}

/** What the clock shows there at this instant. */
export function wallTimeOf(timeZone: string, instant: Date): WallTime {
  const { year, month, day, hour, minute } = partsOf(timeZone, instant);
  return { day: `${year}-${month}-${day}`, time: `${hour}:${minute}` };
}

/** How far that zone's clock is ahead of UTC at this instant, in milliseconds. */
function offsetMs(timeZone: string, instant: number): number {
  const { year, month, day, hour, minute, second } = partsOf(timeZone, new Date(instant));
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return shown - Math.floor(instant / 1000) * 1000;
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
