import { z } from "zod";
import type { Availability, availabilityOfSchema, busyCalendarsSchema, importBusySchema } from "@app/shared/meetings";
import { DAY_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { AvailabilityModel, BusyBlockModel } from "./availability.model.ts";
import type { work } from "./busy-times.foreign.ts";
import { OFFICE_HOURS } from "./free-slots.ts";

const PAST_MS = 30 * DAY_MS;
const FUTURE_MS = 400 * DAY_MS;
const LIMIT_MS = 1500;
const WORDS = {
  unreadable: "This is not a calendar file. Export your calendar as .ics and choose that file.",
  "too-much":
    "This calendar holds more than can be taken in: too many events, or some that repeat too often. Export a shorter time, or fewer events.",
};

const busyTimesIn = defineForeign<typeof work>({
  file: new URL("./busy-times.foreign.ts", import.meta.url),
  output: z.array(z.object({ startsAt: z.date(), endsAt: z.date() })),
  limitMs: LIMIT_MS,
  refuse: (why) => badField("ics", WORDS[why]),
});

/** When this person works, in the practice's zone. */
export async function getAvailability(scope: Scope): Promise<z.infer<typeof availabilityOfSchema>> {
  const [timeZone, doc] = await Promise.all([
    practiceTimeZone(scope.ownerId),
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
  const timeZone = await practiceTimeZone(scope.ownerId);
  const importedAt = now();
  const [from, to] = [new Date(importedAt.getTime() - PAST_MS), new Date(importedAt.getTime() + FUTURE_MS)];
  const spans = await busyTimesIn(ofPerson(scope), { ics, timeZone, from, to });
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
