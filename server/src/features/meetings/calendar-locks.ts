import mongoose from "mongoose";
import { MEETING_MAX_MINUTES } from "@app/shared/meetings";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { BusyBlockModel } from "./availability.model.ts";
import { CalendarLockModel, type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { nextFreeSlots } from "./free-slots.ts";

export interface Slot {
  startsAt: Date;
  endsAt: Date;
  mediatorIds: string[];
}

const daysOf = ({ startsAt, endsAt }: Slot): number[] => {
  const first = Math.floor(startsAt.getTime() / DAY_MS);
  const last = Math.floor((endsAt.getTime() - 1) / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
};

const lockIds = (slots: Slot[]): string[] =>
  [
    ...new Set(slots.flatMap((slot) => slot.mediatorIds.flatMap((id) => daysOf(slot).map((day) => `${id}:${day}`)))),
  ].sort();

async function prepareLocks(ownerId: string, ids: string[]): Promise<void> {
  for (const _id of ids) {
    try {
      await CalendarLockModel.updateOne({ _id, ownerId }, { $setOnInsert: { turns: 0 } }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

interface Options {
  /** Meetings that make room, such as the one that is moved. */
  exceptIds?: string[];
  allowsOverlap: boolean;
}

/**
 * Books these slots for their mediators, all or none: of any number who try at once, in whatever process, one gets the
 * slot, and the others CONFLICT with the next free ones.
 */
export async function withSlots<Result>(
  scope: Scope,
  slots: Slot[],
  { exceptIds = [], allowsOverlap }: Options,
  book: () => Promise<Result>,
): Promise<Result> {
  if (allowsOverlap) return inTransaction(book);
  // Most conflicts are old ones: they need no turn.
  for (const slot of slots) await assertFree(scope, slot, exceptIds);
  const ids = lockIds(slots);
  await prepareLocks(scope.ownerId, ids);
  return inTransaction(async () => {
    for (const _id of ids) await CalendarLockModel.updateOne({ _id, ownerId: scope.ownerId }, { $inc: { turns: 1 } });
    for (const slot of slots) await assertFree(scope, slot, exceptIds);
    return book();
  });
}

async function assertFree(scope: Scope, slot: Slot, exceptIds: string[]): Promise<void> {
  const taken = await findOverlap(scope.ownerId, slot, exceptIds);
  if (!taken) return;
  const minutes = (slot.endsAt.getTime() - slot.startsAt.getTime()) / MINUTE_MS;
  const [mediatorId = ""] = slot.mediatorIds;
  const free = await nextFreeSlots(scope, { mediatorId, after: slot.startsAt.toISOString(), minutes });
  const times = free.items.map(({ startsAt }) => startsAt).join(", ");
  throw conflict(
    `This time is taken. The next free ones are: ${times || "none in the working hours of the next days"}.`,
  );
}

async function findOverlap(ownerId: string, { startsAt, endsAt, mediatorIds }: Slot, exceptIds: string[]) {
  const longest = new Date(startsAt.getTime() - MEETING_MAX_MINUTES * MINUTE_MS);
  const meeting = await MeetingModel.exists({
    ownerId,
    mediatorIds: mongoose.trusted({ $in: mediatorIds }),
    isHolding: true,
    startsAt: mongoose.trusted({ $lt: endsAt, $gt: longest }),
    endsAt: mongoose.trusted({ $gt: startsAt }),
    _id: mongoose.trusted({ $nin: exceptIds }),
  });
  if (meeting) return true;
  return BusyBlockModel.exists({
    ownerId,
    userId: mongoose.trusted({ $in: mediatorIds }),
    startsAt: mongoose.trusted({ $lt: endsAt }),
    endsAt: mongoose.trusted({ $gt: startsAt }),
  });
}

export const slotOf = ({ startsAt, endsAt, mediatorIds }: Slot | MeetingDoc): Slot => ({
  startsAt,
  endsAt,
  mediatorIds,
});
