// When people are busy by their other calendars. It is kept by stretches of four weeks, so that what is asked for is read
// and little else, and a whole calendar is replaced by writing a few of them.
import mongoose, { type QueryFilter } from "mongoose";
import { DAY_MS } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { BusyCalendarModel, type BusyTimesDoc, BusyTimesModel } from "./availability.model.ts";
import type { Span } from "@app/shared/spans";

const STRETCH_MS = 28 * DAY_MS;
const READ_AT_ONCE = 20;

interface CalendarOf {
  ownerId: string;
  userId: string;
  name: string;
}

interface Asked {
  ownerId: string;
  /** Of everybody in the practice where left out. */
  userIds?: string[];
  from: Date;
  to: Date;
}

/**
 * Keeps times that are in their order and do not overlap. Call it in a transaction: what the calendar held before is
 * gone, and what it holds now is there, in one moment.
 */
export async function keepCalendar({ ownerId, userId, name }: CalendarOf, times: readonly Span[], importedAt: Date) {
  await removeTimes({ ownerId, userId, name });
  const stretches = Map.groupBy(times, ({ from }) => Math.floor(from / STRETCH_MS));
  const docs = [...stretches.values()].map((own) => ({
    _id: newId(),
    ownerId,
    userId,
    calendar: name,
    from: new Date(own[0]?.from ?? 0),
    to: new Date(own.at(-1)?.to ?? 0),
    times: own.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) })),
  }));
  if (docs.length > 0) await BusyTimesModel.insertMany(docs, { lean: true });
  await BusyCalendarModel.updateOne(
    { ownerId, userId, name },
    { $set: { count: times.length, importedAt }, $setOnInsert: { _id: newId() } },
    { upsert: true },
  );
}

/** Call it in a transaction. */
export async function removeCalendar({ ownerId, userId, name }: CalendarOf): Promise<void> {
  await removeTimes({ ownerId, userId, name });
  await BusyCalendarModel.deleteOne({ ownerId, userId, name });
}

const removeTimes = ({ ownerId, userId, name }: CalendarOf) =>
  BusyTimesModel.deleteMany({ ownerId, userId, calendar: name });

export interface BusyTime extends Span {
  id: string;
  userId: string;
}

/** The busy times that touch this span, not in their order; those of a whole practice may be very many. */
export async function* busyTimesIn(asked: Asked): AsyncGenerator<BusyTime> {
  const [from, to] = [asked.from.getTime(), asked.to.getTime()];
  const stretches = BusyTimesModel.find(touching(asked)).batchSize(READ_AT_ONCE).lean();
  for await (const { _id, userId, times } of stretches.cursor()) {
    for (const [at, time] of times.entries()) {
      const span = { from: time.from.getTime(), to: time.to.getTime() };
      if (span.from < to && span.to > from) yield { ...span, userId, id: `${_id}-${at}` };
    }
  }
}

export async function isAnyBusy(asked: Asked): Promise<boolean> {
  const { from, to } = touching(asked);
  const found = await BusyTimesModel.exists({
    ...touching(asked),
    times: mongoose.trusted({ $elemMatch: { from, to } }),
  });
  return found !== null;
}

const touching = ({ ownerId, userIds, from, to }: Asked) =>
  ({
    ownerId,
    ...(userIds ? { userId: mongoose.trusted({ $in: userIds }) } : {}),
    from: mongoose.trusted({ $lt: to }),
    to: mongoose.trusted({ $gt: from }),
  }) satisfies QueryFilter<BusyTimesDoc>;
