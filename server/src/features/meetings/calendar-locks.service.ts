import mongoose from "mongoose";
import { MEETING_MAX_MINUTES } from "@app/shared/meetings";
import { DAY_MS, MINUTE_MS } from "../../core/clock.ts";
import { inTransaction, isDuplicateKey } from "../../core/database.ts";
import { HOLDING_STATUSES } from "@app/shared/meeting-states";
import { conflict, takenField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { isAnyBusy } from "./busy-times.ts";
import { CalendarLockModel, type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { nextFreeSlots } from "./free-slots.ts";
import { heldBy } from "./meeting-others.service.ts";
import { isHeld } from "./slot-holds.service.ts";

export interface Slot {
  startsAt: Date;
  endsAt: Date;
  mediatorIds: string[];
  /** Rooms, and people beside the mediators: whatever a mediator allows for themselves. */
  held: ReturnType<typeof heldBy>;
}

const daysOf = ({ startsAt, endsAt }: Slot): number[] => {
  const first = Math.floor(startsAt.getTime() / DAY_MS);
  const last = Math.floor((endsAt.getTime() - 1) / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
};

const idsOf = ({ mediatorIds, held }: Slot): string[] => [...mediatorIds, ...held.map(({ id }) => id)];

const lockIds = (slots: Slot[]): string[] =>
  [...new Set(slots.flatMap((slot) => idsOf(slot).flatMap((id) => daysOf(slot).map((day) => `${id}:${day}`))))].sort();

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
  /** The same for times that somebody outside holds. */
  exceptHoldIds?: readonly string[];
  allowsOverlap: boolean;
}

/**
 * Books these slots for their mediators, rooms and interpreters, all or none: of any number who try at once, in whatever process, one gets the
 * slot, and the others CONFLICT with the next free ones, or with which room is taken.
 */
export async function withSlots<Result>(
  scope: Scope,
  planned: Slot[],
  { exceptIds = [], exceptHoldIds = [], allowsOverlap }: Options,
  book: () => Promise<Result>,
): Promise<Result> {
  const slots = allowsOverlap ? planned.map((slot) => ({ ...slot, mediatorIds: [] })) : planned;
  if (slots.every((slot) => idsOf(slot).length === 0)) return inTransaction(book);
  const ids = lockIds(slots);
  const assertAllFree = async () => {
    for (const slot of slots) await assertFree(scope.ownerId, slot, { exceptIds, exceptHoldIds });
  };
  try {
    // Most clashes are old ones: they need no turn.
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
    if (error instanceof HeldElsewhere) throw takenField(error.held.field, takenWords(error.held));
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

type Held = Slot["held"][number];

/** Which room, or who, is in another meeting then. */
class HeldElsewhere extends Error {
  readonly held: Held;
  constructor(held: Held) {
    super("booked elsewhere at this time");
    this.held = held;
  }
}

const takenWords = ({ name, field }: Held): string =>
  `${field === "rooms" ? `“${name}”` : name} is booked at this time. Choose ${field === "rooms" ? "another room" : "somebody else"} or another time.`;

type Except = Required<Pick<Options, "exceptIds" | "exceptHoldIds">>;

async function assertFree(ownerId: string, slot: Slot, except: Except): Promise<void> {
  const { exceptIds } = except;
  for (const held of slot.held) if (await isTaken(ownerId, slot, held, exceptIds)) throw new HeldElsewhere(held);
  if (await findOverlap(ownerId, slot, except)) throw new SlotTaken(slot);
}

async function insteadOf(scope: Scope, { startsAt, endsAt, mediatorIds }: Slot): Promise<string> {
  const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS;
  const [mediatorId = ""] = mediatorIds;
  const free = await nextFreeSlots(scope, { mediatorId, after: startsAt.toISOString(), minutes });
  const { dateTime } = await practiceDates(scope.ownerId);
  const times = free.items.map((item) => dateTime(new Date(item.startsAt))).join("; ");
  return `This time is taken. The next free ones are: ${times || "none in the working hours of the next days"}.`;
}

/** Meetings that take place while this slot does. */
const during = (ownerId: string, { startsAt, endsAt }: Slot, exceptIds: string[]) => ({
  ownerId,
  startsAt: mongoose.trusted({
    $lt: endsAt,
    $gt: new Date(startsAt.getTime() - MEETING_MAX_MINUTES * MINUTE_MS),
  }),
  endsAt: mongoose.trusted({ $gt: startsAt }),
  _id: mongoose.trusted({ $nin: exceptIds }),
});

/** Also in a meeting that overlaps others for its mediators: their leave is not the room's. */
const isTaken = async (ownerId: string, slot: Slot, { id, isHeld }: Held, exceptIds: string[]): Promise<boolean> => {
  const then = during(ownerId, slot, exceptIds);
  const status = mongoose.trusted({ $in: HOLDING_STATUSES });
  if (await MeetingModel.exists({ ...then, heldIds: id, status })) return true;
  if (!isHeld) return false;
  if (await MeetingModel.exists({ ...then, "others.personId": id, status })) return true;
  return (await MeetingModel.exists({ ...then, mediatorIds: id, isHolding: true })) !== null;
};

async function findOverlap(ownerId: string, slot: Slot, { exceptIds, exceptHoldIds }: Except) {
  const { startsAt, endsAt, mediatorIds } = slot;
  if (mediatorIds.length === 0) return false;
  const then = during(ownerId, slot, exceptIds);
  const among = mongoose.trusted({ $in: mediatorIds });
  if (await MeetingModel.exists({ ...then, mediatorIds: among, isHolding: true })) return true;
  const status = mongoose.trusted({ $in: HOLDING_STATUSES });
  if (await MeetingModel.exists({ ...then, heldIds: among, status })) return true;
  const held = { userIds: mediatorIds, from: startsAt.getTime(), to: endsAt.getTime(), exceptHoldIds };
  if (await isHeld(ownerId, held)) return true;
  return isAnyBusy({ ownerId, userIds: mediatorIds, from: startsAt, to: endsAt });
}

/** The slot with what is left free around it, in minutes. */
export const withRoom = (slot: Slot, { before, after }: { before: number; after: number }): Slot => ({
  ...slot,
  startsAt: new Date(slot.startsAt.getTime() - before * MINUTE_MS),
  endsAt: new Date(slot.endsAt.getTime() + after * MINUTE_MS),
});

type Booked = Pick<MeetingDoc, "startsAt" | "endsAt" | "mediatorIds" | "rooms" | "others">;

export const slotOf = ({ startsAt, endsAt, mediatorIds, ...meeting }: Booked): Slot => ({
  startsAt,
  endsAt,
  mediatorIds,
  held: heldBy(meeting),
});
