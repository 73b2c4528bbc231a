import mongoose from "mongoose";
import type { z } from "zod";
import { addDays } from "@app/shared/days";
import {
  type Availability,
  type freeSlotsSchema,
  MEETING_MAX_MINUTES,
  type nextFreeSchema,
} from "@app/shared/meetings";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { AvailabilityModel, BusyBlockModel } from "./availability.model.ts";
import { MeetingModel } from "./meetings.model.ts";

const STEP_MS = 15 * MINUTE_MS;
const SLOTS = 3;
const DAYS_AHEAD = 21;

/** Weekdays from nine to five, until somebody says otherwise. */
export const OFFICE_HOURS: Availability = {
  weekly: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: "09:00", to: "17:00" })),
  daysOff: [],
};

interface Span {
  from: number;
  to: number;
}

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** The next times of this length at which the mediator works and is free. */
export async function nextFreeSlots(
  scope: Scope,
  { mediatorId, after, minutes }: z.output<typeof nextFreeSchema>,
): Promise<z.infer<typeof freeSlotsSchema>> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const start = Date.parse(after);
  const end = start + DAYS_AHEAD * DAY_MS;
  const hours = (await AvailabilityModel.findOne({ ownerId: scope.ownerId, _id: mediatorId }).lean()) ?? OFFICE_HOURS;
  const busy = await busySpans(scope.ownerId, mediatorId, start, end);
  const items: { startsAt: string; endsAt: string }[] = [];
  for (const span of workingSpans(hours, timeZone, start, end)) {
    if (items.length === SLOTS) break;
    for (let from = span.from; from + minutes * MINUTE_MS <= span.to && items.length < SLOTS; from += STEP_MS) {
      const slot = { from, to: from + minutes * MINUTE_MS };
      if (slot.from < start || busy.some((taken) => taken.from < slot.to && taken.to > slot.from)) continue;
      items.push({ startsAt: new Date(slot.from).toISOString(), endsAt: new Date(slot.to).toISOString() });
    }
  }
  return { items };
}

/** One by one, because the first few are usually enough and each is reckoned in the zone's own clock. */
function* workingSpans(
  { weekly, daysOff }: Availability,
  timeZone: string,
  start: number,
  end: number,
): Generator<Span> {
  const lastDay = wallTimeOf(timeZone, new Date(end)).day;
  for (let { day } = wallTimeOf(timeZone, new Date(start)); day <= lastDay; day = addDays(day, 1)) {
    if (daysOff.includes(day)) continue;
    for (const { from, to } of weekly.filter(({ weekday }) => weekday === weekdayOf(day)))
      yield {
        from: instantOf(timeZone, { day, time: from }).getTime(),
        to: instantOf(timeZone, { day, time: to }).getTime(),
      };
  }
}

async function busySpans(ownerId: string, userId: string, start: number, end: number): Promise<Span[]> {
  const range = mongoose.trusted({ $lt: new Date(end), $gt: new Date(start - MEETING_MAX_MINUTES * MINUTE_MS) });
  const meetings = await MeetingModel.find(
    { ownerId, mediatorIds: userId, isHolding: true, startsAt: range },
    { startsAt: 1, endsAt: 1 },
  ).lean();
  const blocks = await BusyBlockModel.find(
    {
      ownerId,
      userId,
      startsAt: mongoose.trusted({ $lt: new Date(end) }),
      endsAt: mongoose.trusted({ $gt: new Date(start) }),
    },
    { startsAt: 1, endsAt: 1 },
  ).lean();
  return [...meetings, ...blocks].map(({ startsAt, endsAt }) => ({ from: startsAt.getTime(), to: endsAt.getTime() }));
}
