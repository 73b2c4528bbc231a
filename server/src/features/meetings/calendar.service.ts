import mongoose, { type QueryFilter } from "mongoose";
import type { z } from "zod";
import {
  type Calendar,
  CALENDAR_ROWS_MAX,
  type calendarInputSchema,
  type listMeetingsSchema,
  type Meeting,
  MEETING_MAX_MINUTES,
  type meetingPageSchema,
} from "@app/shared/meetings";
import { COUNT_MAX } from "@app/shared/pagination";
import { PAGE_SIZE } from "@app/shared/product";
import { instantOf } from "@app/shared/wall-time";
import { addDays } from "@app/shared/days";
import { MINUTE_MS, now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { ofNoHiddenCase } from "../cases/case-places.service.ts";
import { assertClientsVisible } from "../clients/clients.service.ts";
import { caseNumbering } from "../practices/practices.service.ts";
import { BusyBlockModel } from "./availability.model.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { toCalendarMeetings, toMeetings } from "./meeting-mapping.ts";

/** Everything that touches this time, for one mediator or the whole practice. */
export async function getCalendar(
  scope: Scope,
  { from, to, mediatorId }: z.output<typeof calendarInputSchema>,
): Promise<Calendar> {
  const [start, end] = [new Date(from), new Date(to)];
  const longest = new Date(start.getTime() - MEETING_MAX_MINUTES * MINUTE_MS);
  const [docs, blocks] = await Promise.all([
    MeetingModel.find({
      ownerId: scope.ownerId,
      ...(mediatorId ? { mediatorIds: mediatorId } : {}),
      startsAt: mongoose.trusted({ $gt: longest, $lt: end }),
      endsAt: mongoose.trusted({ $gt: start }),
      status: mongoose.trusted({ $ne: "rescheduled" }),
    })
      .sort({ startsAt: 1, _id: 1 })
      .limit(CALENDAR_ROWS_MAX + 1)
      .lean(),
    BusyBlockModel.find({
      ownerId: scope.ownerId,
      ...(mediatorId ? { userId: mediatorId } : {}),
      startsAt: mongoose.trusted({ $lt: end }),
      endsAt: mongoose.trusted({ $gt: start }),
    })
      .sort({ startsAt: 1 })
      .limit(CALENDAR_ROWS_MAX)
      .lean(),
  ]);
  return {
    meetings: await toCalendarMeetings(scope, docs.slice(0, CALENDAR_ROWS_MAX)),
    busy: blocks.map(({ _id, userId, startsAt, endsAt }) => ({
      id: _id,
      userId,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    })),
    isCut: docs.length > CALENDAR_ROWS_MAX,
  };
}

/** The meetings of one client: what comes, the next first, or what was, the latest first. */
export async function listMeetingsOf(
  scope: Scope,
  { clientId, when, page }: z.output<typeof listMeetingsSchema>,
): Promise<z.infer<typeof meetingPageSchema>> {
  await assertClientsVisible(scope, [clientId]);
  const isUpcoming = when === "upcoming";
  const direction = isUpcoming ? 1 : -1;
  const filter = {
    ownerId: scope.ownerId,
    clientIds: clientId,
    ...(await ofNoHiddenCase(scope)),
    startsAt: mongoose.trusted(isUpcoming ? { $gte: now() } : { $lt: now() }),
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
  const { timeZone } = await caseNumbering(scope.ownerId);
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
