// When people of the practice work and what takes their time: what free times are reckoned from, whoever asks for them.
import mongoose from "mongoose";
import { type Availability, BOOKING_RULES } from "@app/shared/availability";
import { dayIn } from "@app/shared/days";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import { MEETING_MAX_MINUTES } from "@app/shared/meetings";
import type { Hours } from "@app/shared/slots";
import { merged, type Span } from "@app/shared/spans";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import { practiceHolidays, practiceTimeZone } from "../practices/practices.service.ts";
import { z } from "zod";
import { memoryOf } from "../../core/memory.ts";
import { AvailabilityModel } from "./availability.model.ts";
import { busyTimesIn } from "./busy-times.ts";
import { MeetingModel } from "./meetings.model.ts";
import { holdsOf } from "./slot-holds.service.ts";

/** Meetings may overlap, so that any number of them is in three weeks. */
const MEETINGS_MAX = 4000;

/** Weekdays from nine to five, until somebody says otherwise. */
export const OFFICE_HOURS: Availability = {
  weekly: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: "09:00", to: "17:00" })),
  daysOff: [],
  otherHours: [],
  rules: BOOKING_RULES,
};

export const availabilityOf = (doc: (Pick<Availability, "weekly" | "daysOff"> & Partial<Availability>) | null) => {
  const { weekly, daysOff, otherHours = [], rules = BOOKING_RULES } = doc ?? OFFICE_HOURS;
  return { weekly, daysOff, otherHours, rules: { ...BOOKING_RULES, ...rules } };
};

export interface HostCalendar extends Hours {
  userId: string;
  timeZone: string;
  rules: Availability["rules"];
  /** In order and without overlaps. */
  busy: Span[];
  /** How many meetings each day has. */
  perDay: Map<string, number>;
  /** Until when all that takes time is known. */
  knownUntil: number;
}

/** How far ahead anybody of these can be booked. */
export async function horizonMs(ownerId: string, userIds: readonly string[]): Promise<number> {
  const docs = await AvailabilityModel.find({ ownerId, _id: mongoose.trusted({ $in: [...userIds] }) }).lean();
  const days = userIds.map((id) => availabilityOf(docs.find(({ _id }) => _id === id) ?? null).rules.horizonDays);
  return (Math.max(...days) + 2) * DAY_MS;
}

interface Asked {
  userIds: readonly string[];
  from: number;
  to: number;
  /** Holds that make room, such as that of whoever asks. */
  exceptHoldIds?: readonly string[];
  /** The same for meetings, such as the one that is moved. */
  exceptIds?: readonly string[];
}

/** Those of these people, in one reading. */
export async function hostCalendars(ownerId: string, asked: Asked): Promise<HostCalendar[]> {
  const { userIds } = asked;
  const [timeZone, holidays, docs, meetings, holds] = await Promise.all([
    practiceTimeZone(ownerId),
    practiceHolidays(ownerId),
    AvailabilityModel.find({ ownerId, _id: mongoose.trusted({ $in: [...userIds] }) }).lean(),
    meetingsOf(ownerId, asked),
    holdsOf(ownerId, asked),
  ]);
  const known = new Map(docs.map((doc) => [doc._id, doc]));
  const busy = new Map(userIds.map((userId): [string, Span[]] => [userId, []]));
  const started = new Map(userIds.map((userId): [string, Map<string, number>] => [userId, new Map()]));
  const take = (userId: string, span: Span, isMeeting: boolean) => {
    busy.get(userId)?.push(span);
    const days = started.get(userId);
    if (!isMeeting || !days) return;
    const day = dayIn(timeZone, new Date(span.from));
    days.set(day, (days.get(day) ?? 0) + 1);
  };
  for (const { people, ...span } of meetings.items) for (const userId of people) take(userId, span, true);
  for (const { mediatorId, ...span } of holds) take(mediatorId, span, true);
  const { knownUntil } = meetings;
  const others = { ownerId, userIds: [...userIds], from: new Date(asked.from), to: new Date(knownUntil) };
  for await (const { userId, from, to } of busyTimesIn(others)) take(userId, { from, to }, false);
  return userIds.map((userId) => {
    const { weekly, daysOff, otherHours, rules } = availabilityOf(known.get(userId) ?? null);
    return {
      userId,
      timeZone,
      weekly,
      holidays,
      overrides: [...otherHours, ...daysOff.map((day) => ({ day, ranges: [] }))],
      rules,
      busy: merged(busy.get(userId) ?? []),
      perDay: started.get(userId) ?? new Map<string, number>(),
      knownUntil,
    };
  });
}

const askedSchema = z.tuple([
  z.string(),
  z.object({
    userIds: z.array(z.string()),
    from: z.number(),
    to: z.number(),
    exceptHoldIds: z.array(z.string()),
    exceptIds: z.array(z.string()),
  }),
]);

const READ_OF = ["meetings", "slot_holds", "availability", "busy_times", "settings", "users"];
const calendars = memoryOf(READ_OF, (key) => hostCalendars(...askedSchema.parse(JSON.parse(key))));

/**
 * The same for many who ask the same at one moment: read once, and anew once this process stored anything of it. Whoever
 * takes a time by it has it looked at again.
 */
export async function hostCalendarsNow(ownerId: string, asked: Asked): Promise<HostCalendar[]> {
  const { userIds, from, to, exceptHoldIds = [], exceptIds = [] } = asked;
  return (await calendars.recall(JSON.stringify([ownerId, { userIds, from, to, exceptHoldIds, exceptIds }]))) ?? [];
}

/** The meetings that take these people's time, as mediators or beside them. */
async function meetingsOf(ownerId: string, { userIds, from, to, exceptIds = [] }: Asked) {
  const among = mongoose.trusted({ $in: [...userIds] });
  const startsAt = mongoose.trusted({ $lt: new Date(to), $gt: new Date(from - MEETING_MAX_MINUTES * MINUTE_MS) });
  const meetings = await MeetingModel.find(
    {
      ownerId,
      startsAt,
      _id: mongoose.trusted({ $nin: [...exceptIds] }),
      $or: [
        { mediatorIds: among, isHolding: true },
        { heldIds: among, status: mongoose.trusted({ $in: HOLDING_STATUSES }) },
      ],
    },
    { startsAt: 1, endsAt: 1, mediatorIds: 1, heldIds: 1 },
  )
    .sort({ startsAt: 1 })
    .limit(MEETINGS_MAX)
    .lean();
  const items = meetings.map(({ startsAt: start, endsAt, mediatorIds, heldIds }) => ({
    people: [...mediatorIds, ...heldIds],
    from: start.getTime(),
    to: endsAt.getTime(),
  }));
  return { items, knownUntil: items.length < MEETINGS_MAX ? to : (items.at(-1)?.from ?? to) };
}

/** How many meetings a day they want; null for any number. */
export const maxPerDayOf = async (ownerId: string, userId: string): Promise<number | null> =>
  availabilityOf(await AvailabilityModel.findOne({ ownerId, _id: userId }).lean()).rules.maxPerDay;

/** Whether this person has as many meetings on that day as they want. Call it in a transaction that took the day's turn. */
export async function isDayFull(ownerId: string, userId: string, { at, ...except }: DayOf): Promise<boolean> {
  const maxPerDay = await maxPerDayOf(ownerId, userId);
  if (maxPerDay === null) return false;
  const timeZone = await practiceTimeZone(ownerId);
  const day = dayIn(timeZone, new Date(at));
  const asked = { userIds: [userId], from: at - DAY_MS, to: at + DAY_MS, ...except };
  const { items } = await meetingsOf(ownerId, asked);
  const starts = [...items, ...(await holdsOf(ownerId, asked))].map(({ from }) => dayIn(timeZone, new Date(from)));
  return starts.filter((one) => one === day).length >= maxPerDay;
}

interface DayOf extends Pick<Asked, "exceptHoldIds" | "exceptIds"> {
  at: number;
}
