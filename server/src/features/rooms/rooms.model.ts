import mongoose from "mongoose";
import type { CreateRoom, Room } from "@app/shared/rooms";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface RoomDoc extends CreateRoom {
  _id: string;
  ownerId: string;
  /** No two rooms of a practice go by one name. */
  nameKey: string;
  status: Room["status"];
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };

const roomMongooseSchema = new mongoose.Schema<RoomDoc>(
  {
    _id: { type: String, default: newId },
    name: required,
    nameKey: required,
    place: text,
    capacity: { type: Number, default: null },
    notes: text,
    status: { type: String, default: "active" },
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "rooms", versionKey: false },
);
roomMongooseSchema.plugin(owned);
roomMongooseSchema.index({ ownerId: 1, nameKey: 1 }, { unique: true });

export const RoomModel = mongoose.model("Room", roomMongooseSchema);
