// Whether somebody who did not come to their first meeting had agreed to its time, and how they said so.
import { z } from "zod";
import { idSchema } from "./ids.ts";
import type { InvitationReply, MeetingStatus, MeetingType } from "./meeting-states.ts";

export const AGREED_WAYS = ["in_person", "by_phone", "in_writing", "no"] as const;
export const AGREED_WAY_NAMES = {
  in_person: "Yes, in person",
  by_phone: "Yes, by phone",
  in_writing: "Yes, in writing",
  no: "No, or not known",
} as const satisfies Record<(typeof AGREED_WAYS)[number], string>;

export const noteAgreedTimeSchema = z.strictObject({ id: idSchema, partyId: idSchema, how: z.enum(AGREED_WAYS) });

/** What was answered, the newest of each party; or that it was confirmed before it began. */
export const agreedTimeSchema = z.object({ partyId: idSchema, how: z.enum([...AGREED_WAYS, "confirmed"]) });
export type AgreedTime = z.infer<typeof agreedTimeSchema>;

interface Missed {
  type: MeetingType;
  status: MeetingStatus;
  attendance: readonly { partyId: string; attendance: string }[];
  replies: readonly { partyId: string; reply: InvitationReply }[];
}

/** A certificate says it of whoever missed their MIAM; whose calendar said yes has answered. */
export function asksIfAgreed({ type, status, attendance, replies }: Missed, partyId: string): boolean {
  if (type !== "miam" || replies.some((one) => one.partyId === partyId && one.reply === "accepted")) return false;
  return (attendance.find((one) => one.partyId === partyId)?.attendance ?? status) === "no_show";
}
