import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import {
  type Calendar,
  CALENDAR_ROWS_MAX,
  type calendarInputSchema,
  type CalendarMonth,
  type listMeetingsSchema,
  type Meeting,
  MEETING_MAX_MINUTES,
  type meetingPageSchema,
  MONTH_DAY_MEETINGS_MAX,
} from "@app/shared/meetings";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { addDays } from "@app/shared/days";
import { MINUTE_MS, now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { ofNoHiddenCase } from "../cases/case-places.service.ts";
import { listCasesOfClient } from "../cases/cases.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { type BusyTime, busyTimesIn } from "./busy-times.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { type CalendarDoc, toCalendarMeetings, toMeetings, withPlace } from "./meeting-mapping.ts";

type Asked = z.output<typeof calendarInputSchema>;

/** More at once keep everybody else waiting while they are read. */
const READ_AT_ONCE = 500;

/** Everything that touches this time, for one mediator or the whole practice. */
export async function getCalendar(scope: Scope, asked: Asked): Promise<Calendar> {
  const [{ docs, isCut }, others] = await Promise.all([meetingsIn(scope, asked), busyIn(scope, asked)]);
  const meetings = await toCalendarMeetings(scope, await withPlace(scope, docs));
  return { meetings, busy: others.busy, isCut: isCut || others.isCut };
}

/** The same with the first meetings of each day in the practice's zone, and how many more the day has. */
export async function getMonth(scope: Scope, asked: Asked): Promise<CalendarMonth> {
  const [{ docs, isCut }, others, timeZone] = await Promise.all([
    meetingsIn(scope, asked),
    busyIn(scope, asked),
    practiceTimeZone(scope.ownerId),
  ]);
  const shown = (await withPlace(scope, docs)).filter(({ status }) => status !== "expired");
  const ofDays = Map.groupBy(shown, dayOf(timeZone));
  const first = [...ofDays.values()].flatMap((ofDay) => ofDay.slice(0, MONTH_DAY_MEETINGS_MAX));
  const more = [...ofDays].map(([day, { length }]) => ({ day, count: length - MONTH_DAY_MEETINGS_MAX }));
  return {
    meetings: await toCalendarMeetings(scope, first),
    more: more.filter(({ count }) => count > 0),
    busy: others.busy,
    isCut: isCut || others.isCut,
  };
}

/** Which day it is on the wall, of meetings in the order of their starts: a zone is asked once for each day. */
function dayOf(timeZone: string) {
  let known = { day: "", end: Number.NEGATIVE_INFINITY };
  return ({ startsAt }: CalendarDoc): string => {
    if (startsAt.getTime() >= known.end) {
      const { day } = wallTimeOf(timeZone, startsAt);
      known = { day, end: instantOf(timeZone, { day: addDays(day, 1), time: "00:00" }).getTime() };
    }
    return known.day;
  };
}

/** What a calendar needs of each; a whole month of whole meetings is slow to read. */
const CALENDAR_FIELDS = {
  type: 1,
  title: 1,
  startsAt: 1,
  endsAt: 1,
  location: 1,
  status: 1,
  seriesId: 1,
  version: 1,
  caseId: 1,
  clientIds: 1,
  mediatorIds: 1,
  createdBy: 1,
} as const;

async function meetingsIn(
  { ownerId }: Scope,
  { from, to, mediatorId }: Asked,
): Promise<{ docs: CalendarDoc[]; isCut: boolean }> {
  const [start, end] = [new Date(from), new Date(to)];
  const longest = new Date(start.getTime() - MEETING_MAX_MINUTES * MINUTE_MS);
  const docs = await MeetingModel.find(
    {
      ownerId,
      ...(mediatorId ? { mediatorIds: mediatorId } : {}),
      startsAt: mongoose.trusted({ $gt: longest, $lt: end }),
      endsAt: mongoose.trusted({ $gt: start }),
      status: mongoose.trusted({ $ne: "rescheduled" }),
    },
    CALENDAR_FIELDS,
  )
    .sort({ startsAt: 1, _id: 1 })
    .limit(CALENDAR_ROWS_MAX + 1)
    .batchSize(READ_AT_ONCE)
    .lean<CalendarDoc[]>();
  return { docs: docs.slice(0, CALENDAR_ROWS_MAX), isCut: docs.length > CALENDAR_ROWS_MAX };
}

async function busyIn(
  { ownerId }: Scope,
  { from, to, mediatorId }: Asked,
): Promise<{ busy: Calendar["busy"]; isCut: boolean }> {
  const asked = { ownerId, from: new Date(from), to: new Date(to), ...(mediatorId ? { userIds: [mediatorId] } : {}) };
  const found: BusyTime[] = [];
  for await (const time of busyTimesIn(asked)) {
    if (found.push(time) > CALENDAR_ROWS_MAX) break;
  }
  const inOrder = found.slice(0, CALENDAR_ROWS_MAX).toSorted((one, other) => one.from - other.from);
  const busy = inOrder.map(({ id, userId, ...span }) => ({
    id,
    userId,
    startsAt: new Date(span.from).toISOString(),
    endsAt: new Date(span.to).toISOString(),
  }));
  return { busy, isCut: found.length > CALENDAR_ROWS_MAX };
}

/** Those of cases to which no party comes, such as one with a child. */
const ofCasesAlone = (caseIds: string[]) => ({
  caseId: mongoose.trusted({ $in: caseIds }),
  clientIds: mongoose.trusted({ $size: 0 }),
});

/** The meetings of one client and of their cases: what comes, the next first, or what was, the latest first. */
export async function listMeetingsOf(
  scope: Scope,
  { clientId, when, page }: z.output<typeof listMeetingsSchema>,
): Promise<z.infer<typeof meetingPageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  const isUpcoming = when === "upcoming";
  const direction = isUpcoming ? 1 : -1;
  const caseIds = (await listCasesOfClient(scope, clientId)).map(({ id }) => id);
  const filter = {
    ownerId: scope.ownerId,
    startsAt: mongoose.trusted(isUpcoming ? { $gte: now() } : { $lt: now() }),
    $or: [{ clientIds: clientId, ...(await ofNoHiddenCase(scope)) }, ofCasesAlone(caseIds)],
  };
  const [docs, total] = await Promise.all([
    MeetingModel.find(filter)
      .sort({ startsAt: direction, _id: direction })
      .skip((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE)
      .lean(),
    MeetingModel.countDocuments(filter).limit(COUNT_MAX + 1),
  ]);
  return {
    items: await toMeetings(scope, docs),
    total: Math.min(total, COUNT_MAX),
    isTotalExact: total <= COUNT_MAX,
  };
}

/** The meetings of one day in the practice's zone that take place, at most `limit`. */
export async function meetingsOfDay(
  scope: Scope,
  { day, limit }: { day: string; limit: number },
): Promise<{ total: number; items: Meeting[] }> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const midnight = (date: string) => instantOf(timeZone, { day: date, time: "00:00" });
  const filter: QueryFilter<MeetingDoc> = {
    ownerId: scope.ownerId,
    startsAt: mongoose.trusted({ $gte: midnight(day), $lt: midnight(addDays(day, 1)) }),
    status: mongoose.trusted({ $nin: ["rescheduled", "cancelled", "expired"] }),
    ...(scope.isAssignedOnly ? { mediatorIds: scope.userId } : {}),
  };
  const [docs, total] = await Promise.all([
    MeetingModel.find(filter).sort({ startsAt: 1, _id: 1 }).limit(limit).lean(),
    MeetingModel.countDocuments(filter),
  ]);
  return { total, items: await toMeetings(scope, docs) };
}
