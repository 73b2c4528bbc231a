// Who comes to a meeting beside its parties and mediators, and in which rooms it is.
import { z } from "zod";
import { eachOnce } from "./each-once.ts";
import { idSchema } from "./ids.ts";
import { ATTENDANCES } from "./session-states.ts";
import { daySchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const MEETING_ROOMS_MAX = 6;
export const MEETING_OTHERS_MAX = 12;

export const OTHER_ROLES = ["lawyer", "interpreter", "supporter", "observer", "co_mediator"] as const;
export type OtherRole = (typeof OTHER_ROLES)[number];
export const OTHER_ROLE_NAMES = {
  lawyer: "Lawyer",
  interpreter: "Interpreter",
  supporter: "Supporter",
  observer: "Observer",
  co_mediator: "Co-mediator",
} as const satisfies Record<OtherRole, string>;

/** These hold whoever comes as one, as a meeting holds its room: whatever they come as elsewhere, they are in one at a time. */
const BOOKED_ONCE: readonly OtherRole[] = ["interpreter", "co_mediator"];
export const isBookedOnce = ({ role }: { role: OtherRole }): boolean => BOOKED_ONCE.includes(role);

const roomFields = {
  roomId: idSchema,
  /** Whose room it is; nobody named is everybody's. Each party is told only of theirs. */
  partyIds: z.array(idSchema).max(PARTIES_MAX),
};
export const meetingRoomSchema = z.strictObject(roomFields);
/** With its name and address as they were when it was chosen: what was sent stays true to them. */
export const bookedRoomSchema = z.object({ ...roomFields, name: z.string(), place: z.string() });
export type BookedRoom = z.infer<typeof bookedRoomSchema>;

const otherFields = {
  kind: z.enum(["contact", "colleague"]),
  personId: idSchema,
  role: z.enum(OTHER_ROLES),
  /** On whose side they come, and who alone hears of it; null is everybody's. */
  partyId: idSchema.nullable(),
  /** The day on which they signed the confidentiality agreement; empty until then. */
  signedOn: z.union([z.literal(""), daySchema]),
};
export const meetingOtherSchema = z.strictObject(otherFields);
export type MeetingOther = z.infer<typeof meetingOtherSchema>;
export const bookedOtherSchema = z.object({
  ...otherFields,
  name: z.string(),
  attendance: z.enum(ATTENDANCES).nullable(),
});
export type BookedOther = z.infer<typeof bookedOtherSchema>;

export const meetingRoomsSchema = z
  .array(meetingRoomSchema)
  .max(MEETING_ROOMS_MAX, `A meeting has at most ${MEETING_ROOMS_MAX} rooms`)
  .refine((rooms) => eachOnce(rooms, ({ roomId }) => roomId), "Choose each room once");
export const meetingOthersSchema = z
  .array(meetingOtherSchema)
  .max(MEETING_OTHERS_MAX, `At most ${MEETING_OTHERS_MAX} people come beside the parties`)
  .refine((others) => eachOnce(others, ({ personId }) => personId), "Name each person once");

/** What is found out of somebody in the room: that they signed, or whether they came. */
export const noteOtherSchema = z
  .strictObject({
    id: idSchema,
    personId: idSchema,
    signedOn: otherFields.signedOn.optional(),
    attendance: z.enum(ATTENDANCES).optional(),
  })
  .refine(({ signedOn, attendance }) => signedOn !== undefined || attendance !== undefined, "Say what is to be noted");
