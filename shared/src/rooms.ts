import { z } from "zod";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";

export const ROOMS_MAX = 100;
export const ROOM_CAPACITY_MAX = 500;
export const ROOM_NOTES_MAX_LENGTH = 500;

const roomFields = {
  name: lineSchema(60).min(1, "Give the room a name"),
  /** An address, or a floor of the practice's own. */
  place: lineSchema(200),
  /** How many people have a seat; null where nobody counted. */
  capacity: z.number().int().min(1).max(ROOM_CAPACITY_MAX).nullable(),
  /** For the practice alone. */
  notes: z.string().trim().max(ROOM_NOTES_MAX_LENGTH, `Use at most ${ROOM_NOTES_MAX_LENGTH} characters`),
};

export const createRoomSchema = z.strictObject(roomFields);
export type CreateRoom = z.infer<typeof createRoomSchema>;

export const updateRoomSchema = z.strictObject({ id: idSchema, version: z.number().int().min(0), ...roomFields });

export const ROOM_STATUSES = ["active", "archived"] as const;
export const setRoomStatusSchema = z.strictObject({ id: idSchema, status: z.enum(ROOM_STATUSES) });

export const roomSchema = z.object({
  ...roomFields,
  id: idSchema,
  status: z.enum(ROOM_STATUSES),
  version: z.number().int(),
});
export type Room = z.infer<typeof roomSchema>;

export const roomListSchema = z.object({ items: z.array(roomSchema) });
