import ICAL from "ical.js";
import type { z } from "zod";
import type { Availability, availabilityOfSchema, busyCalendarsSchema, importBusySchema } from "@app/shared/meetings";
import { instantOf } from "@app/shared/wall-time";
import { DAY_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { caseNumbering } from "../practices/practices.service.ts";
import { AvailabilityModel, BusyBlockModel } from "./availability.model.ts";
import { OFFICE_HOURS } from "./free-slots.ts";

const PAST_MS = 30 * DAY_MS;
const FUTURE_MS = 400 * DAY_MS;
const BLOCKS_MAX = 5000;
const STEPS_MAX = 20_000;

/** When this person works, in the practice's zone. */
export async function getAvailability(scope: Scope): Promise<z.infer<typeof availabilityOfSchema>> {
  const [{ timeZone }, doc] = await Promise.all([
    caseNumbering(scope.ownerId),
    AvailabilityModel.findOne({ ownerId: scope.ownerId, _id: scope.userId }).lean(),
  ]);
  const { weekly, daysOff } = doc ?? OFFICE_HOURS;
  return { weekly, daysOff, timeZone };
}

export async function setAvailability(scope: Scope, input: Availability) {
  await AvailabilityModel.updateOne({ _id: scope.userId, ownerId: scope.ownerId }, { $set: input }, { upsert: true });
  return getAvailability(scope);
}

/** The calendars whose busy times were imported. */
export async function listBusyCalendars(scope: Scope): Promise<z.infer<typeof busyCalendarsSchema>> {
  const found = await BusyBlockModel.aggregate<{ _id: string; count: number; importedAt: Date }>([
    { $match: { ownerId: scope.ownerId, userId: scope.userId } },
    { $group: { _id: "$calendar", count: { $sum: 1 }, importedAt: { $max: "$importedAt" } } },
    { $sort: { _id: 1 } },
  ]);
  return {
    items: found.map(({ _id, count, importedAt }) => ({ name: _id, count, importedAt: importedAt.toISOString() })),
  };
}

/** Takes the busy times of a calendar file, without what they are about; the same name again replaces them. */
export async function importBusy(scope: Scope, { name, ics }: z.output<typeof importBusySchema>) {
  const { timeZone } = await caseNumbering(scope.ownerId);
  const spans = readBusy(ics, timeZone);
  const importedAt = now();
  await inTransaction(async () => {
    await BusyBlockModel.deleteMany({ ownerId: scope.ownerId, userId: scope.userId, calendar: name });
    await BusyBlockModel.insertMany(
      spans.map((span) => ({ ...span, ownerId: scope.ownerId, userId: scope.userId, calendar: name, importedAt })),
    );
  });
  return listBusyCalendars(scope);
}

export async function removeBusy(scope: Scope, { name }: { name: string }) {
  await BusyBlockModel.deleteMany({ ownerId: scope.ownerId, userId: scope.userId, calendar: name });
  return listBusyCalendars(scope);
}

interface Span {
  startsAt: Date;
  endsAt: Date;
}

function readBusy(ics: string, timeZone: string): Span[] {
  const window = { from: new Date(now().getTime() - PAST_MS), to: new Date(now().getTime() + FUTURE_MS) };
  const events = parse(ics)
    .getAllSubcomponents("vevent")
    .map((component) => new ICAL.Event(component))
    .filter(isBusy);
  // A changed occurrence stands beside its series, which must not show it at its old time.
  for (const event of events.filter((each) => each.isRecurrenceException()))
    events.find((each) => each.uid === event.uid && !each.isRecurrenceException())?.relateException(event);
  const spans = events
    .filter((event) => !event.isRecurrenceException())
    .flatMap((event) => occurrences(event, window, timeZone));
  return spans.slice(0, BLOCKS_MAX);
}

function parse(ics: string): ICAL.Component {
  try {
    const component = new ICAL.Component(ICAL.parse(ics));
    if (component.name === "vcalendar") return component;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  throw badField("ics", "This is not a calendar file. Export your calendar as .ics and choose that file.");
}

const isBusy = (event: ICAL.Event): boolean => {
  const transparency = event.component.getFirstPropertyValue("transp");
  const status = event.component.getFirstPropertyValue("status");
  return transparency !== "TRANSPARENT" && status !== "CANCELLED" && event.startDate !== null;
};

function occurrences(event: ICAL.Event, window: { from: Date; to: Date }, timeZone: string): Span[] {
  if (!event.isRecurring()) return within(spanOf(event.startDate, event.endDate, timeZone), window);
  const spans: Span[] = [];
  const iterator = event.iterator();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = iterator.next();
    if (!next) break;
    const { startDate, endDate, item } = event.getOccurrenceDetails(next);
    const span = spanOf(startDate, endDate, timeZone);
    if (instantFor(next, timeZone) > window.to) break;
    if (isBusy(item)) spans.push(...within(span, window));
  }
  return spans;
}

const within = (span: Span, { from, to }: { from: Date; to: Date }): Span[] =>
  span.endsAt > from && span.startsAt < to && span.endsAt > span.startsAt ? [span] : [];

const spanOf = (start: ICAL.Time, end: ICAL.Time, timeZone: string): Span => ({
  startsAt: instantFor(start, timeZone),
  endsAt: instantFor(end, timeZone),
});

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

function knownZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
