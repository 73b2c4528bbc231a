import mongoose from "mongoose";
import { MEETING_MAX_MINUTES } from "@app/shared/meetings";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { conflict } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { isAnyBusy } from "./busy-times.ts";
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

/** Call it before the transaction that takes them. */
export async function prepareLocks(ownerId: string, ids: string[]): Promise<void> {
  for (const _id of ids) {
    try {
      await CalendarLockModel.updateOne({ _id, ownerId }, { $setOnInsert: { turns: 0 } }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Call it in a transaction: of several that take the same one comes after the other. */
export const takeLock = (ownerId: string, _id: string) =>
  CalendarLockModel.updateOne({ _id, ownerId }, { $inc: { turns: 1 } });

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
  const ids = lockIds(slots);
  const assertAllFree = async () => {
    for (const slot of slots) await assertFree(scope.ownerId, slot, exceptIds);
  };
  try {
    // Most conflicts are old ones: they need no turn.
    await assertAllFree();
    await prepareLocks(scope.ownerId, ids);
    return await inTransaction(async () => {
      // Nor does one that came about while this one waited.
      await assertAllFree();
      for (const id of ids) await takeLock(scope.ownerId, id);
      await assertAllFree();
      return book();
    });
  } catch (error) {
    if (!(error instanceof SlotTaken)) throw error;
    throw conflict(await insteadOf(scope, error.slot));
  }
}

/** Says only that: what is free instead is looked up when nobody waits for this transaction any more. */
class SlotTaken extends Error {
  readonly slot: Slot;
  constructor(slot: Slot) {
    super("this time is taken");
    this.slot = slot;
  }
}

async function assertFree(ownerId: string, slot: Slot, exceptIds: string[]): Promise<void> {
  if (await findOverlap(ownerId, slot, exceptIds)) throw new SlotTaken(slot);
}

async function insteadOf(scope: Scope, { startsAt, endsAt, mediatorIds }: Slot): Promise<string> {
  const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS;
  const [mediatorId = ""] = mediatorIds;
  const free = await nextFreeSlots(scope, { mediatorId, after: startsAt.toISOString(), minutes });
  const { dateTime } = await practiceDates(scope.ownerId);
  const times = free.items.map((item) => dateTime(new Date(item.startsAt))).join("; ");
  return `This time is taken. The next free ones are: ${times || "none in the working hours of the next days"}.`;
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
  return isAnyBusy({ ownerId, userIds: mediatorIds, from: startsAt, to: endsAt });
}

export const slotOf = ({ startsAt, endsAt, mediatorIds }: Slot | MeetingDoc): Slot => ({
  startsAt,
  endsAt,
  mediatorIds,
});
