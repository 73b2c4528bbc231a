import { z } from "zod";
import { ANSWER_MAX_LENGTH, VISITOR_NAME_MAX_LENGTH } from "./booking-limits.ts";
import { depositSchema, depositSumSchema, ownDepositSchema, shownDepositSchema } from "./deposits.ts";
import { idSchema, tokenSchema } from "./ids.ts";
import { MEETING_MEDIATORS_MAX, MEETING_MAX_MINUTES } from "./meetings.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { emailSchema, lineSchema, phoneNumberSchema } from "./text.ts";
import { daySchema, instantSchema, timeZoneSchema } from "./time.ts";

export const LINK_TYPES = ["miam", "call", "pre_meeting", "other"] as const;
export const LOCATION_KINDS = ["in_person", "video", "phone"] as const;
export const QUESTION_KINDS = ["short", "long", "yes_no"] as const;
export const QUESTION_KIND_NAMES = {
  short: "Short answer",
  long: "Long answer",
  yes_no: "Yes or no",
} as const satisfies Record<(typeof QUESTION_KINDS)[number], string>;
export const MEDIATOR_CHOICES = ["visitor", "balanced"] as const;
export const QUESTIONS_MAX = 8;
export const USES_MAX = 1000;
export const NOTICE_HOURS_MAX = 336;
export const LINK_MINUTES_MIN = 15;

export const questionSchema = z.strictObject({
  label: lineSchema(120).min(1, "Write the question"),
  kind: z.enum(QUESTION_KINDS),
  isRequired: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;

const linkFields = {
  /** For the practice; whoever opens the link never sees it. */
  name: lineSchema(80).min(1, "Give the link a name"),
  type: z.enum(LINK_TYPES),
  /** What the page is headed with; neutral, for whoever looks over a shoulder. */
  title: lineSchema(80).min(1, "Enter the heading of the page"),
  minutes: z.number().int().min(LINK_MINUTES_MIN, "At least 15 minutes").max(MEETING_MAX_MINUTES),
  location: z.strictObject({ kind: z.enum(LOCATION_KINDS), place: lineSchema(200) }),
  mediatorIds: z.array(idSchema).min(1, "Choose a mediator").max(MEETING_MEDIATORS_MAX),
  /** With several: whoever books chooses, or whoever has least to do takes it. */
  mediatorChoice: z.enum(MEDIATOR_CHOICES),
  questions: z.array(questionSchema).max(QUESTIONS_MAX),
  needsConfirmation: z.boolean(),
  /** Until so long before, whoever booked may move or cancel by themselves. */
  noticeHours: z.number().int().min(0).max(NOTICE_HOURS_MAX),
  /** The last day on which it can be used; empty for no end. */
  expiresOn: z.union([daySchema, z.literal("")]),
  /** Null for any number. */
  useLimit: z.number().int().min(1).max(USES_MAX).nullable(),
  /** What is paid before a time is booked; null where nothing is. */
  deposit: depositSchema.nullable(),
  /** A personal link: who they are is known and not asked. */
  clientId: idSchema.nullable(),
  /** The case in which they are a party, where they come as one. */
  caseId: idSchema.nullable(),
};

const needsClient = ({ clientId, caseId }: { clientId: string | null; caseId: string | null }) =>
  caseId === null || clientId !== null;
const WITHOUT_CLIENT = { path: ["clientId"], message: "Choose the party for whom the link is" };

export const createLinkSchema = z.strictObject(linkFields).refine(needsClient, WITHOUT_CLIENT);
export type CreateLink = z.infer<typeof createLinkSchema>;
export const updateLinkSchema = z
  .strictObject({ ...linkFields, id: idSchema, version: z.number().int().min(0) })
  .refine(needsClient, WITHOUT_CLIENT);
export const setLinkArchivedSchema = z.strictObject({ id: idSchema, isArchived: z.boolean() });

export const bookingLinkSchema = z.object({
  ...linkFields,
  id: idSchema,
  /** By which it is opened; shown to staff whenever they ask. */
  publicId: tokenSchema,
  uses: z.number().int(),
  isArchived: z.boolean(),
  clientName: z.string(),
  mediatorNames: z.array(z.string()),
  /** What it asks for today; null where that is nothing, or cannot be taken now. */
  asksNow: depositSumSchema,
  version: z.number().int(),
  createdAt: instantSchema,
});
export type BookingLink = z.infer<typeof bookingLinkSchema>;

export const listLinksSchema = z.strictObject({ ...pageInputSchema.shape, isArchived: z.boolean().default(false) });
export const linkPageSchema = pageOf(bookingLinkSchema);

// What follows is for whoever opens a link, who is not signed in.

export const openLinkSchema = z.strictObject({ id: tokenSchema });

const appointmentSchema = z.object({
  startsAt: instantSchema,
  endsAt: instantSchema,
  isConfirmed: z.boolean(),
  place: z.string(),
  timeZone: z.string(),
  /** A calendar file. */
  calendar: z.string(),
});
export type Appointment = z.infer<typeof appointmentSchema>;

const pageFields = {
  practiceName: z.string(),
  /** The practice takes nothing at the moment. */
  isClosed: z.boolean(),
  title: z.string(),
  minutes: z.number().int(),
  locationKind: z.enum(LOCATION_KINDS),
  /** How the practice writes dates. */
  locale: z.string(),
  practiceTimeZone: z.string(),
  formToken: z.string(),
};

/** One page for both: a link to book by, or the secret of whoever booked. */
export const bookingPageSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("book"),
    ...pageFields,
    /** Of the link: what is sent from this page is for what it showed. */
    version: z.number().int(),
    /** To choose from; empty where there is no choice. */
    mediators: z.array(z.object({ id: idSchema, name: z.string() })),
    questions: z.array(questionSchema),
    isKnown: z.boolean(),
    needsConfirmation: z.boolean(),
    noticeHours: z.number().int(),
    /** What is paid before the time is booked. */
    deposit: depositSumSchema,
  }),
  z.object({
    kind: z.literal("manage"),
    ...pageFields,
    appointment: appointmentSchema,
    state: z.enum(["coming", "cancelled", "over"]),
    /** Until when they may still move or cancel it by themselves. */
    changeableUntil: instantSchema,
    isChangeable: z.boolean(),
    /** Somebody who can be booked is there to move it to. */
    isMovable: z.boolean(),
    noticeHours: z.number().int(),
    /** What was asked for before it was booked; null where nothing was. */
    deposit: ownDepositSchema.nullable(),
  }),
  // Says nothing of anybody else: neither that there is one, nor that they have chosen.
  z.object({
    kind: z.literal("pair"),
    ...pageFields,
    /** Cancelled: what was booked is off, and the practice arranges another time. */
    state: z.enum(["asked", "waiting", "held", "booked", "cancelled"]),
    /** Their own. */
    picks: z.array(instantSchema),
    /** The time that is kept, or booked. */
    own: z
      .object({
        startsAt: instantSchema,
        endsAt: instantSchema,
        place: z.string(),
        /** A calendar file; null until it is booked. */
        calendar: z.string().nullable(),
      })
      .nullable(),
    hasConfirmed: z.boolean(),
    /** Until when they can cancel what is booked; null where they cannot. */
    cancellableUntil: instantSchema.nullable(),
  }),
]);
export type BookingPage = z.infer<typeof bookingPageSchema>;

export const listSlotsSchema = z.strictObject({
  id: tokenSchema,
  mediatorId: idSchema.nullable(),
  /** Whose own time is free for them still. */
  holder: tokenSchema.optional(),
});
export const SLOTS_MAX = 6000;
export const slotsSchema = z.object({
  items: z.array(instantSchema),
  /** There are later ones, of which only so many are told. */
  hasLater: z.boolean(),
});

const chosenFields = {
  id: tokenSchema,
  /** Of the page on which it was chosen. */
  version: z.number().int().min(0),
  mediatorId: idSchema.nullable(),
  startsAt: instantSchema,
};
export const holdSlotSchema = z.strictObject({ ...chosenFields, holder: tokenSchema, timeZone: timeZoneSchema });
export const heldSchema = z.object({ heldUntil: instantSchema });
export const letGoSchema = z.strictObject({ id: tokenSchema, holder: tokenSchema });

const sentFields = {
  formToken: z.string().max(200),
  /** Nobody sees this field, so that only programs fill it in. */
  website: z.string().max(200),
};

export const bookSlotSchema = z.strictObject({
  ...chosenFields,
  ...sentFields,
  holder: tokenSchema,
  timeZone: timeZoneSchema,
  /** Left out by a client whose link is their own. */
  person: z
    .strictObject({
      name: lineSchema(VISITOR_NAME_MAX_LENGTH).min(1, "Enter your name"),
      email: emailSchema,
      phone: z.union([phoneNumberSchema, z.literal("")]),
    })
    .nullable(),
  /** In the order of the questions. */
  answers: z
    .array(z.string().trim().max(ANSWER_MAX_LENGTH, `Use at most ${ANSWER_MAX_LENGTH} characters`))
    .max(QUESTIONS_MAX),
  /** What their page said is to be paid, which the server compares; null for nothing. */
  shownDeposit: shownDepositSchema.nullable().default(null),
});
export type BookSlot = z.infer<typeof bookSlotSchema>;
export const bookedSlotSchema = z.object({
  manageId: tokenSchema,
  appointment: appointmentSchema,
  /** Where they pay to have it booked; empty where nothing is asked for, or it is paid. */
  payPath: z.string(),
});

export const moveBookingSchema = z.strictObject({ id: tokenSchema, startsAt: instantSchema, ...sentFields });
export const cancelBookingSchema = z.strictObject({ id: tokenSchema, ...sentFields });
