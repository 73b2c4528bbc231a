import type { z } from "zod";
import { meetingSchema } from "./meetings.ts";

/** A meeting of the case of which a session may be prepared, started or written up: none was yet. */
export const sessionMeetingSchema = meetingSchema.pick({
  id: true,
  type: true,
  status: true,
  startsAt: true,
  endsAt: true,
  partyIds: true,
});
export type SessionMeeting = z.infer<typeof sessionMeetingSchema>;
