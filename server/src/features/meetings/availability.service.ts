import { z } from "zod";
import { type AvailabilityOf, type setAvailabilitySchema } from "@app/shared/availability";
import {
  BUSY_OF_PERSON,
  BUSY_OF_PRACTICE,
  type busyCalendarsSchema,
  type importBusySchema,
} from "@app/shared/meetings";
import { DAY_MS, now } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { badField, stale } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { AvailabilityModel, BUSY_KEPT_MS, BusyCalendarModel } from "./availability.model.ts";
import { keepCalendar, removeCalendar } from "./busy-times.ts";
import type { work } from "./busy-times.foreign.ts";
import { prepareLocks, takeLock } from "./calendar-locks.service.ts";
import { availabilityOf } from "./host-calendars.service.ts";

const FUTURE_MS = 400 * DAY_MS;
const LIMIT_MS = 1500;
const WORDS = {
  unreadable: "This is not a calendar file. Export your calendar as .ics and choose that file.",
  "too-much":
    "This calendar holds more than can be taken in: too many events, or some that repeat too often. Export a shorter time, or fewer events.",
};

const LESS = "Remove a calendar that you no longer need, or choose a file with fewer events.";

const busyTimesOf = defineForeign<typeof work>({
  file: new URL("./busy-times.foreign.ts", import.meta.url),
  output: z.array(z.object({ from: z.number(), to: z.number() })),
  limitMs: LIMIT_MS,
  refuse: (why) => badField("ics", WORDS[why]),
});

/** When this person works, in the practice's zone. */
export async function getAvailability(scope: Scope): Promise<AvailabilityOf> {
  const [timeZone, doc] = await Promise.all([
    practiceTimeZone(scope.ownerId),
    AvailabilityModel.findOne({ ownerId: scope.ownerId, _id: scope.userId }).lean(),
  ]);
  return { ...availabilityOf(doc), version: doc?.version ?? 0, timeZone };
}

/** Nobody's hours are lost: over an older version nothing is stored. */
export async function setAvailability(
  scope: Scope,
  { version, ...hours }: z.output<typeof setAvailabilitySchema>,
): Promise<AvailabilityOf> {
  const { ownerId, userId: _id } = scope;
  try {
    const { matchedCount, upsertedCount } = await AvailabilityModel.updateOne(
      { ownerId, _id, version },
      { $set: hours, $inc: { version: 1 } },
      { upsert: version === 0 },
    );
    if (matchedCount + upsertedCount === 0) throw stale("timetable");
  } catch (error) {
    throw isDuplicateKey(error) ? stale("timetable") : error;
  }
  return getAvailability(scope);
}

/** The calendars whose busy times were imported. */
export async function listBusyCalendars({ ownerId, userId }: Scope): Promise<z.infer<typeof busyCalendarsSchema>> {
  const found = await BusyCalendarModel.find({ ownerId, userId }).sort({ name: 1 }).lean();
  return {
    items: found.map(({ name, count, importedAt }) => ({ name, count, importedAt: importedAt.toISOString() })),
  };
}

/** Takes the busy times of a calendar file, without what they are about; the same name again replaces them. */
export async function importBusy(scope: Scope, { name, ics }: z.output<typeof importBusySchema>) {
  const { ownerId, userId } = scope;
  const timeZone = await practiceTimeZone(ownerId);
  const importedAt = now();
  const [from, to] = [new Date(importedAt.getTime() - BUSY_KEPT_MS), new Date(importedAt.getTime() + FUTURE_MS)];
  const spans = await busyTimesOf(ofPerson(scope), { ics, timeZone, from, to });
  const turn = busyTurn(ownerId);
  await prepareLocks(ownerId, [turn]);
  await inTransaction(async () => {
    await takeLock(ownerId, turn);
    await assertRoom(scope, name, spans.length);
    await keepCalendar({ ownerId, userId, name }, spans, importedAt);
  });
  return listBusyCalendars(scope);
}

/** Two imports at once may together be too much. */
const busyTurn = (ownerId: string): string => `busy times of ${ownerId}`;

/** Whoever looks for a free time has to read what is kept. */
async function assertRoom({ ownerId, userId }: Scope, name: string, count: number): Promise<void> {
  const kept = await BusyCalendarModel.find({ ownerId }, { userId: 1, name: 1, count: 1 }).lean();
  const ofPractice = kept.filter((calendar) => calendar.userId !== userId || calendar.name !== name);
  const own = ofPractice.filter((calendar) => calendar.userId === userId);
  const limits = [
    { calendars: own, most: BUSY_OF_PERSON, has: "You have", whose: "Your calendars" },
    {
      calendars: ofPractice,
      most: BUSY_OF_PRACTICE,
      has: "Your practice has",
      whose: "The calendars of your practice",
    },
  ];
  for (const { calendars, most, has, whose } of limits) {
    if (calendars.length >= most.calendars)
      throw badField("name", `${has} ${most.calendars} other calendars here already, which is the most. ${LESS}`);
    const times = calendars.reduce((sum, calendar) => sum + calendar.count, count);
    if (times > most.times)
      throw badField("ics", `${whose} would hold ${times} busy times, and ${most.times} is the most. ${LESS}`);
  }
}

export async function removeBusy(scope: Scope, { name }: { name: string }) {
  await inTransaction(() => removeCalendar({ ownerId: scope.ownerId, userId: scope.userId, name }));
  return listBusyCalendars(scope);
}
