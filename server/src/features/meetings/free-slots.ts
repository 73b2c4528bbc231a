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
import { AvailabilityModel } from "./availability.model.ts";
import { busyTimesIn } from "./busy-times.ts";
import { MeetingModel } from "./meetings.model.ts";
import { merged, type Span } from "./spans.ts";

const STEP_MS = 15 * MINUTE_MS;
const SLOTS = 3;
const DAYS_AHEAD = 21;
/** Meetings may overlap, so that any number of them is in three weeks. */
const MEETINGS_MAX = 2000;

/** Weekdays from nine to five, until somebody says otherwise. */
export const OFFICE_HOURS: Availability = {
  weekly: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: "09:00", to: "17:00" })),
  daysOff: [],
};

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
  const taken = await takenSpans(scope.ownerId, mediatorId, start, end);
  const items: { startsAt: string; endsAt: string }[] = [];
  for (const span of workingSpans(hours, timeZone, start, taken.knownUntil)) {
    for (const from of freeStarts({ from: span.from, to: Math.min(span.to, taken.knownUntil) }, minutes, taken.spans)) {
      if (from < start) continue;
      items.push({
        startsAt: new Date(from).toISOString(),
        endsAt: new Date(from + minutes * MINUTE_MS).toISOString(),
      });
      if (items.length === SLOTS) return { items };
    }
  }
  return { items };
}

/** When something of this length may begin within the span, by quarters of an hour from its start. */
function* freeStarts(span: Span, minutes: number, taken: readonly Span[]): Generator<number> {
  const lengthMs = minutes * MINUTE_MS;
  let at = taken.findIndex(({ to }) => to > span.from);
  for (let from = span.from; from + lengthMs <= span.to;) {
    let next = at === -1 ? undefined : taken[at];
    for (; next && next.to <= from; next = taken[at]) at += 1;
    if (!next || next.from >= from + lengthMs) {
      yield from;
      from += STEP_MS;
    } else from += Math.ceil((next.to - from) / STEP_MS) * STEP_MS;
  }
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

/** What takes their time, in order and without overlaps, and until when all of that is known. */
async function takenSpans(ownerId: string, userId: string, start: number, end: number) {
  const range = mongoose.trusted({ $lt: new Date(end), $gt: new Date(start - MEETING_MAX_MINUTES * MINUTE_MS) });
  const meetings = await MeetingModel.find(
    { ownerId, mediatorIds: userId, isHolding: true, startsAt: range },
    { startsAt: 1, endsAt: 1 },
  )
    .sort({ startsAt: 1 })
    .limit(MEETINGS_MAX)
    .lean();
  const spans = meetings.map(({ startsAt, endsAt }) => ({ from: startsAt.getTime(), to: endsAt.getTime() }));
  const knownUntil = spans.length < MEETINGS_MAX ? end : (spans.at(-1)?.from ?? end);
  const asked = { ownerId, userIds: [userId], from: new Date(start), to: new Date(knownUntil) };
  for await (const { from, to } of busyTimesIn(asked)) spans.push({ from, to });
  return { spans: merged(spans), knownUntil };
}
