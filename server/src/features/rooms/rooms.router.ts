import { ofNewThing } from "@app/shared/ids";
import { createRoomSchema, roomListSchema, roomSchema, setRoomStatusSchema, updateRoomSchema } from "@app/shared/rooms";
import { creating } from "../../core/once.ts";
import { calling, permitted, router } from "../../core/trpc.ts";
import * as rooms from "./rooms.service.ts";

const managing = permitted("clients.read", "calendar.manage");

export const roomsRouter = router({
  list: permitted("clients.read")
    .output(roomListSchema)
    .query(({ ctx }) => rooms.listRooms(ctx.scope)),
  create: managing
    .input(createRoomSchema.safeExtend(ofNewThing))
    .output(roomSchema)
    .mutation(creating(rooms.createRoom, rooms.getRoom)),
  update: managing.input(updateRoomSchema).output(roomSchema).mutation(calling(rooms.updateRoom)),
  setStatus: managing.input(setRoomStatusSchema).output(roomSchema).mutation(calling(rooms.setRoomStatus)),
});
