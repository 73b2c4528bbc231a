// The rooms that a practice meets in. A room is archived and not deleted, because meetings were held in it.
import mongoose from "mongoose";
import type { z } from "zod";
import {
  type CreateRoom,
  type Room,
  ROOMS_MAX,
  type setRoomStatusSchema,
  type updateRoomSchema,
} from "@app/shared/rooms";
import { foldText } from "@app/shared/text";
import { isDuplicateKey } from "../../core/database.ts";
import { badField, notFound, stale, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type RoomDoc, RoomModel } from "./rooms.model.ts";

/** All of them, those in use first; each part by name. */
export async function listRooms({ ownerId }: Scope): Promise<{ items: Room[] }> {
  const docs = await RoomModel.find({ ownerId }).sort({ status: 1, nameKey: 1 }).limit(ROOMS_MAX).lean();
  return { items: docs.map(toRoom) };
}

export async function getRoom({ ownerId }: Scope, id: string): Promise<Room> {
  const doc = await RoomModel.findOne({ ownerId, _id: id }).lean();
  if (!doc) throw notFound("Room");
  return toRoom(doc);
}

/** Those of these rooms that can be booked, by id. */
export async function bookableRooms({ ownerId }: Scope, ids: readonly string[]): Promise<Map<string, Room>> {
  if (ids.length === 0) return new Map();
  const docs = await RoomModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }), status: "active" }).lean();
  return new Map(docs.map((doc) => [doc._id, toRoom(doc)]));
}

export async function createRoom({ ownerId }: Scope, room: CreateRoom): Promise<Room> {
  if ((await RoomModel.countDocuments({ ownerId })) >= ROOMS_MAX)
    throw wrongState(`There are ${ROOMS_MAX} rooms, which is the most. Give one that nobody uses another name.`);
  const [doc] = await named(() => RoomModel.create([{ ...room, ownerId, nameKey: foldText(room.name) }]));
  if (!doc) throw new Error("the room that was just stored is missing");
  return toRoom(doc.toObject());
}

/** What was sent to somebody keeps the name that the room had then. */
export async function updateRoom(
  { ownerId }: Scope,
  { id, version, ...fields }: z.output<typeof updateRoomSchema>,
): Promise<Room> {
  const doc = await named(() =>
    RoomModel.findOneAndUpdate(
      { ownerId, _id: id, version },
      { $set: { ...fields, nameKey: foldText(fields.name) }, $inc: { version: 1 } },
      { returnDocument: "after", lean: true },
    ),
  );
  if (doc) return toRoom(doc);
  if (await RoomModel.exists({ ownerId, _id: id })) throw stale("room");
  throw notFound("Room");
}

export async function setRoomStatus(
  { ownerId }: Scope,
  { id, status }: z.output<typeof setRoomStatusSchema>,
): Promise<Room> {
  const doc = await RoomModel.findOneAndUpdate(
    { ownerId, _id: id },
    { $set: { status }, $inc: { version: 1 } },
    { returnDocument: "after", lean: true },
  );
  if (!doc) throw notFound("Room");
  return toRoom(doc);
}

async function named<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error))
      throw badField(
        "name",
        "Another room has this name. Choose another one, or bring that room back if it is archived.",
      );
    throw error;
  }
}

const toRoom = ({ _id, name, place, capacity, notes, status, version }: RoomDoc): Room => ({
  id: _id,
  name,
  place,
  capacity,
  notes,
  status,
  version,
});
