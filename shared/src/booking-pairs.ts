import { z } from "zod";
import { PICKS_MAX } from "./booking-limits.ts";
import { LINK_MINUTES_MIN, LOCATION_KINDS } from "./bookings.ts";
import { idSchema, tokenSchema } from "./ids.ts";
import { MEETING_MAX_MINUTES, MEETING_MEDIATORS_MAX } from "./meetings.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema, timeZoneSchema } from "./time.ts";

/** What two parties may find a time for, each by a link of their own. */
export const PAIR_TYPES = ["mediation", "pre_meeting", "shuttle", "call", "other"] as const;
const PARTIES_OF_PAIR = 2;

const pairFields = {
  caseId: idSchema,
  partyIds: z.array(idSchema).length(PARTIES_OF_PAIR, "Choose two parties"),
  type: z.enum(PAIR_TYPES),
  title: lineSchema(80).min(1, "Enter the heading of the page"),
  minutes: z.number().int().min(LINK_MINUTES_MIN, "At least 15 minutes").max(MEETING_MAX_MINUTES),
  location: z.strictObject({ kind: z.enum(LOCATION_KINDS), place: lineSchema(200) }),
  mediatorIds: z.array(idSchema).min(1, "Choose a mediator").max(MEETING_MEDIATORS_MAX),
  expiresOn: z.union([daySchema, z.literal("")]),
};

export const createPairSchema = z.strictObject(pairFields);
export type CreatePair = z.infer<typeof createPairSchema>;

export const PAIR_STATES = ["asking", "held", "booked", "cancelled", "over"] as const;
export const PAIR_STATE_NAMES = {
  asking: "Waiting for times",
  held: "A time is kept, to be confirmed",
  booked: "Booked",
  cancelled: "Cancelled, so arrange another time with each",
  over: "Ended",
} as const satisfies Record<(typeof PAIR_STATES)[number], string>;

/** As the practice sees it; neither party ever sees what is here of the other. */
export const bookingPairSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  caseRef: z.string(),
  type: z.enum(PAIR_TYPES),
  minutes: z.number().int(),
  state: z.enum(PAIR_STATES),
  meetingId: idSchema.nullable(),
  startsAt: instantSchema.nullable(),
  sides: z.array(
    z.object({
      partyId: idSchema,
      label: z.string(),
      name: z.string(),
      publicId: tokenSchema,
      pickCount: z.number().int(),
      hasConfirmed: z.boolean(),
    }),
  ),
});
export type BookingPair = z.infer<typeof bookingPairSchema>;

export const listPairsSchema = z.strictObject(pageInputSchema.shape);
export const pairPageSchema = pageOf(bookingPairSchema);

const sentFields = { id: tokenSchema, formToken: z.string().max(200), website: z.string().max(200) };
export const pickTimesSchema = z.strictObject({
  ...sentFields,
  timeZone: timeZoneSchema,
  times: z.array(instantSchema).min(1, "Choose at least one time").max(PICKS_MAX, `Choose at most ${PICKS_MAX} times`),
});
export const answerPairSchema = z.strictObject({ ...sentFields, isAgreed: z.boolean() });
