// When somebody is busy, out of a calendar file that any program wrote (RFC 5545).
import ICAL from "ical.js";
import { instantOf } from "@app/shared/wall-time";
import { z } from "zod";
import { DAY_MS } from "../../core/clock.ts";
import { foreignWork, TooMuch } from "../../core/foreign-work.ts";
import { merged, type Span } from "@app/shared/spans";

const SPANS_MAX = 5000;
/** Of all searches for the next time that something happens: a rule may go through a great many before one fits. */
const STEPS_MAX = 200_000;
const STEPS_OF_ONE_MAX = 60_000;
/** Nobody is busy by the minute, and what is said so has to be searched through by the minute. */
const TOO_OFTEN = ["SECONDLY", "MINUTELY"];
/** A clock on the wall is never further from UTC than this, in either direction. */
const ZONES_MS = DAY_MS;

interface Asked {
  timeZone: string;
  from: Date;
  to: Date;
}

const inputSchema = z.object({ ics: z.string(), timeZone: z.string(), from: z.date(), to: z.date() });

/** The busy times within the span that is asked for, in their order; those that overlap as one. */
export const work = foreignWork(inputSchema, ({ ics, ...asked }): Span[] => {
  const takeSteps = counter(STEPS_MAX);
  // Zones have rules too.
  onSteps = takeSteps;
  const spans: Span[] = [];
  for (const event of busyEvents(ics)) {
    const takeOwnSteps = counter(STEPS_OF_ONE_MAX);
    onSteps = (steps) => {
      takeSteps(steps);
      takeOwnSteps(steps);
    };
    for (const span of occurrences(event, asked)) spans.push(span);
    if (spans.length > SPANS_MAX) throw new TooMuch();
  }
  return merged(spans);
});

let onSteps = (_steps: number): void => {};
// Nothing else bounds a search for the next time that fits: the first of these is asked of every time that comes into
// question, and the others look at many days.
for (const [name, steps] of Object.entries({ check_contracting_rules: 1, next_month: 30, expand_year_days: 3 })) {
  const search = ICAL.RecurIterator.prototype;
  const step: unknown = Reflect.get(search, name);
  if (typeof step !== "function") throw new Error(`calendars are not searched by ${name} any more`);
  Reflect.set(search, name, function counted(this: unknown, ...given: unknown[]): unknown {
    onSteps(steps);
    return Reflect.apply(step, this, given);
  });
}

function counter(max: number) {
  let count = 0;
  return (steps: number) => {
    count += steps;
    if (count > max) throw new TooMuch();
  };
}

/** Each series with its changed occurrences, which it must not show at their old times. */
function busyEvents(ics: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(ics));
  if (calendar.name !== "vcalendar") throw new Error("no calendar");
  for (const zone of calendar.getAllSubcomponents("vtimezone")) boundZone(zone);
  const components = calendar.getAllSubcomponents("vevent");
  const changed = Map.groupBy(
    components.filter((component) => component.hasProperty("recurrence-id")),
    uidOf,
  );
  return components
    .filter((component) => !component.hasProperty("recurrence-id"))
    .map((component) => new ICAL.Event(component, { exceptions: changed.get(uidOf(component)) ?? [] }))
    .filter(isBusy);
}

/** Clocks are changed by a rule of the year; one that says they are by the minute is there to be worked out for ever. */
function boundZone(zone: ICAL.Component): void {
  for (const observance of zone.getAllSubcomponents()) {
    const rule = observance.getFirstPropertyValue("rrule");
    if (!(rule instanceof ICAL.Recur) || rule.freq !== "YEARLY") observance.removeAllProperties("rrule");
  }
}

const uidOf = (component: ICAL.Component): string => String(component.getFirstPropertyValue("uid"));

const isBusy = (event: ICAL.Event): boolean => {
  const transparency = event.component.getFirstPropertyValue("transp");
  const status = event.component.getFirstPropertyValue("status");
  return transparency !== "TRANSPARENT" && status !== "CANCELLED" && event.startDate !== null;
};

function* occurrences(event: ICAL.Event, asked: Asked): Generator<Span> {
  if (!event.isRecurring()) {
    onSteps(1);
    yield* within(event.startDate, event.endDate, asked);
    return;
  }
  if (rulesOf(event).some(({ freq }) => TOO_OFTEN.includes(freq))) throw new TooMuch();
  const reach = Object.keys(event.exceptions).length > 0 ? Infinity : event.duration.toSeconds() * 1000 + ZONES_MS;
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    const at = Date.UTC(next.year, next.month - 1, next.day);
    if (at > asked.to.getTime() + ZONES_MS) return;
    // Far from what is asked, where what it is like does not matter: most of what an old series holds.
    if (at + DAY_MS + reach < asked.from.getTime()) continue;
    const { startDate, endDate, item } = event.getOccurrenceDetails(next);
    if (isBusy(item)) yield* within(startDate, endDate, asked);
  }
}

const rulesOf = ({ component }: ICAL.Event): ICAL.Recur[] =>
  ["rrule", "exrule"].flatMap((name) =>
    component
      .getAllProperties(name)
      .flatMap((property) => property.getValues())
      .filter((value) => value instanceof ICAL.Recur),
  );

function within(start: ICAL.Time, end: ICAL.Time, { timeZone, from, to }: Asked): Span[] {
  const [startsAt, endsAt] = [instantFor(start, timeZone), instantFor(end, timeZone)];
  const isAsked = endsAt > from && startsAt < to && endsAt > startsAt;
  return isAsked ? [{ from: startsAt.getTime(), to: endsAt.getTime() }] : [];
}

const two = (part: number): string => String(part).padStart(2, "0");

/** A time of the file as an instant: in its own zone where it names one that we know, else in the practice's. */
function instantFor(time: ICAL.Time, timeZone: string): Date {
  if (time.zone === ICAL.Timezone.utcTimezone) return time.toJSDate();
  const wall = {
    day: `${time.year}-${two(time.month)}-${two(time.day)}`,
    time: time.isDate ? "00:00" : `${two(time.hour)}:${two(time.minute)}`,
  };
  return instantOf(knownZone(time.zone.tzid) ?? timeZone, wall);
}

// Only of names that exist, which are few.
const zones = new Map<string, string>();

function knownZone(name: string): string | null {
  const known = zones.get(name);
  if (known) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    zones.set(name, timeZone);
    return timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
