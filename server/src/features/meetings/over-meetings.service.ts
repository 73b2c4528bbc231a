import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { endToDo } from "./meeting-tasks.ts";
import { MeetingModel } from "./meetings.model.ts";

/** It was held, on whichever day: nobody is reminded of it any more, or asked to look at it before. */
export async function noteHeld({ ownerId }: Scope, id: string): Promise<void> {
  await MeetingModel.updateOne({ ownerId, _id: id, remindedAt: null }, { $set: { remindedAt: now() } });
  const meeting = await MeetingModel.findOne({ ownerId, _id: id }).lean();
  if (meeting) await endToDo(meeting);
}
