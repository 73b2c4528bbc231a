import { z } from "zod";
import { agreedTimeSchema } from "./agreed-times.ts";
import { CHILDREN_MAX } from "./child-inclusive.ts";
import { eachOnce } from "./each-once.ts";
import { idSchema } from "./ids.ts";
import { bookedOtherSchema, bookedRoomSchema, meetingOthersSchema, meetingRoomsSchema } from "./meeting-others.ts";
import { ARRANGEMENTS } from "./meeting-safety.ts";
import { INVITATION_REPLIES, MEETING_STATUSES, MEETING_TYPES } from "./meeting-states.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema, NOTE_MAX_LENGTH } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const MEETING_MAX_MINUTES = 8 * 60;
export const CALENDAR_DAYS_MAX = 62;
export const CALENDAR_ROWS_MAX = 2000;
export const OCCURRENCES_MAX = 60;
export const MEETING_MEDIATORS_MAX = 4;
export const ICS_MAX_LENGTH = 900_000;
/** How many other calendars, and how many busy times in all of them. */
export const BUSY_OF_PERSON = { calendars: 10, times: 10_000 };
export const BUSY_OF_PRACTICE = { calendars: 200, times: 50_000 };
const DAY_MS = 86_400_000;

const reasonSchema = lineSchema(200);

export const locationSchema = z.strictObject({
  kind: z.enum(["in_person", "video", "phone"]),
  /** A room, a number or an address to meet at. */
  place: lineSchema(200),
});

export const arrivalSchema = z.strictObject({ partyId: idSchema, minutesBefore: z.number().int().min(-120).max(120) });

const noteSchema = z.string().trim().max(NOTE_MAX_LENGTH, `Use at most ${NOTE_MAX_LENGTH} characters`);

const FIRST_YEAR = 1950;
const LAST_YEAR = 2150;
const plannedSchema = instantSchema.refine(
  (at) => at >= String(FIRST_YEAR) && at < String(LAST_YEAR + 1),
  `Enter a day between ${FIRST_YEAR} and ${LAST_YEAR}`,
);

const whenFields = { startsAt: instantSchema, endsAt: instantSchema };
const plannedFields = { startsAt: plannedSchema, endsAt: plannedSchema };

function checkWhen({ startsAt, endsAt }: { startsAt: string; endsAt: string }, context: z.RefinementCtx) {
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000;
  const report = (message: string) => context.addIssue({ code: "custom", path: ["endsAt"], message });
  if (minutes <= 0) report("The end must be after the start");
  if (minutes > MEETING_MAX_MINUTES) report("A meeting lasts at most 8 hours");
}

const detailFields = {
  type: z.enum(MEETING_TYPES),
  title: lineSchema(120),
  location: locationSchema,
  mediatorIds: z.array(idSchema).min(1, "Choose a mediator").max(MEETING_MEDIATORS_MAX),
  partyIds: z.array(idSchema).max(PARTIES_MAX),
  arrivals: z.array(arrivalSchema).max(PARTIES_MAX),
  /** With which children of the case a child-inclusive meeting is; none in those from before it was asked. */
  childIds: z.array(idSchema).max(CHILDREN_MAX).default([]),
  /** What is arranged for somebody's safety beside the place and the arrivals. */
  arrangements: z.array(z.enum(ARRANGEMENTS)).max(ARRANGEMENTS.length).default([]),
  /** Why it goes without what was agreed for somebody's safety; empty where it does not, or for whoever may not read it. */
  againstMeasures: noteSchema.default(""),
  /** Kept by the practice: no party reads it. */
  note: noteSchema,
};

interface TypeAndParties {
  type: string;
  partyIds: string[];
  arrivals: { partyId: string }[];
}

/** An assessment meeting is held with each party apart, children are seen without their parents, and each arrives once. */
function checkParties({ type, partyIds, arrivals }: TypeAndParties, context: z.RefinementCtx) {
  if (!eachOnce(arrivals, ({ partyId }) => partyId))
    context.addIssue({ code: "custom", path: ["arrivals"], message: "Enter one arrival for each party" });
  if (type === "miam" && partyIds.length > 1)
    context.addIssue({
      code: "custom",
      path: ["partyIds"],
      message: "Book the assessment meeting of each party apart",
    });
  const message = WITHOUT_PARTIES[type];
  if (message !== undefined && partyIds.length > 0) context.addIssue({ code: "custom", path: ["partyIds"], message });
}

const WITHOUT_PARTIES: Record<string, string> = {
  cim: "Children are seen without their parents. Take the parties out, and book a meeting of its own for them",
  supervision: "Supervision is the mediator’s own, and no party comes to it. Take the parties out",
};

const repeatSchema = z.strictObject({
  everyWeeks: z.number().int().min(1).max(4),
  times: z.number().int().min(2).max(OCCURRENCES_MAX),
});

export const createMeetingSchema = z
  .strictObject({
    ...plannedFields,
    ...detailFields,
    rooms: meetingRoomsSchema.default([]),
    others: meetingOthersSchema.default([]),
    caseId: idSchema.nullable(),
    /** For a meeting with a client who is in no case. */
    clientId: idSchema.nullable(),
    status: z.enum(["proposed", "booked"]),
    /** The same time of day, in the practice's zone, every so many weeks. */
    repeat: repeatSchema.nullable(),
    /** Books although the mediator is busy then; the person was asked. */
    allowsOverlap: z.boolean(),
    /** Books although more people come than the room has seats; the person was asked. */
    allowsCrowding: z.boolean().default(false),
    isInvitationSent: z.boolean(),
  })
  .superRefine(checkWhen)
  .superRefine(checkParties);
export type CreateMeeting = z.infer<typeof createMeetingSchema>;

const versioned = { id: idSchema, version: z.number().int().min(0) };

/** Children, rooms and other people that are left out stay as they are. */
export const updateMeetingSchema = z
  .strictObject({
    ...versioned,
    ...detailFields,
    childIds: detailFields.childIds.unwrap().optional(),
    rooms: meetingRoomsSchema.optional(),
    others: meetingOthersSchema.optional(),
  })
  .superRefine(checkParties);

export const rescheduleMeetingSchema = z
  .strictObject({
    ...versioned,
    ...plannedFields,
    reason: reasonSchema,
    allowsOverlap: z.boolean(),
    /** Where the new time goes against what was agreed for somebody's safety; else the former reason stays. */
    againstMeasures: noteSchema.optional(),
  })
  .superRefine(checkWhen);

export const cancelMeetingSchema = z.strictObject({
  ...versioned,
  reason: reasonSchema.min(1, "Say why"),
  isLate: z.boolean(),
  /** Also the later ones of the same series. */
  isWholeSeries: z.boolean(),
});

export const UNMET_REASON_MAX_LENGTH = 300;
/** Of a meeting that was held: why, though something was missing for it then; asked for only where it was. */
const unmetReasonSchema = lineSchema(UNMET_REASON_MAX_LENGTH).optional();
export const setMeetingStatusSchema = z.strictObject({
  ...versioned,
  to: z.enum(MEETING_STATUSES),
  unmetReason: unmetReasonSchema,
});

export const ATTENDANCES = ["present", "late", "no_show"] as const;
export const setAttendanceSchema = z.strictObject({
  id: idSchema,
  partyId: idSchema,
  attendance: z.enum(ATTENDANCES),
  unmetReason: unmetReasonSchema,
});

const replySchema = z.object({ partyId: idSchema, reply: z.enum(INVITATION_REPLIES) });

/** Whether an answer that nothing proves was that party's own; named, because another may have come meanwhile. */
export const settleReplySchema = z.strictObject({
  id: idSchema,
  partyId: idSchema,
  reply: z.enum(INVITATION_REPLIES),
  isTheirs: z.boolean(),
});

export const meetingSchema = z.object({
  ...whenFields,
  ...detailFields,
  id: idSchema,
  caseId: idSchema.nullable(),
  clientIds: z.array(idSchema),
  caseRef: z.string(),
  /** Who comes, with their labels; empty where the reader may not know. */
  people: z.array(z.object({ partyId: z.string(), clientId: idSchema, label: z.string(), name: z.string() })),
  mediatorNames: z.array(z.string()),
  /** Who booked it from outside; a client who did is among the people. Only a name where the rest is not for this reader. */
  visitor: z
    .object({
      person: z.object({ name: z.string(), email: z.string(), phone: z.string() }).nullable(),
      answers: z.array(z.object({ label: z.string(), answer: z.string() })),
      timeZone: z.string(),
    })
    .nullable(),
  rooms: z.array(bookedRoomSchema),
  /** Who comes beside the parties and the mediators. */
  others: z.array(bookedOtherSchema),
  status: z.enum(MEETING_STATUSES),
  attendance: z.array(z.object({ partyId: idSchema, attendance: z.enum(ATTENDANCES) })),
  /** What they answered to their invitations, where their calendars did. */
  replies: z.array(replySchema),
  /** Answers of which nothing proves that they are theirs. */
  claims: z.array(replySchema),
  /** Whether those who did not come had agreed to its time, as far as anybody said. */
  agreedTimes: z.array(agreedTimeSchema),
  /** Somebody who comes may only be reached in a certain way. */
  hasSafetyRule: z.boolean(),
  reason: z.string(),
  /** What was missing when it was held, and why it was all the same: null where the reader may not know. */
  unmet: z.object({ what: z.array(z.string()), reason: z.string().nullable() }).optional(),
  seriesId: idSchema.nullable(),
  timeZone: z.string(),
  version: z.number().int(),
  /** The reader sees only that the time is taken. */
  isBusyOnly: z.boolean(),
});
export type Meeting = z.infer<typeof meetingSchema>;

/** What a calendar shows of a meeting; a month has a thousand of them. */
export const calendarMeetingSchema = z.object({
  ...meetingSchema.pick({
    id: true,
    type: true,
    title: true,
    startsAt: true,
    endsAt: true,
    location: true,
    status: true,
    seriesId: true,
    version: true,
    hasSafetyRule: true,
    isBusyOnly: true,
  }).shape,
  people: z.array(z.object({ label: z.string(), name: z.string() })),
});
export type CalendarMeeting = z.infer<typeof calendarMeetingSchema>;

export const calendarInputSchema = z
  .strictObject({ from: plannedSchema, to: plannedSchema, mediatorId: idSchema.optional() })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= CALENDAR_DAYS_MAX * DAY_MS && from < to, {
    path: ["to"],
    message: `Ask for at most ${CALENDAR_DAYS_MAX} days`,
  });

export const busyBlockSchema = z.object({
  id: idSchema,
  userId: idSchema,
  startsAt: instantSchema,
  endsAt: instantSchema,
});
export const calendarSchema = z.object({
  meetings: z.array(calendarMeetingSchema),
  busy: z.array(busyBlockSchema),
  /** There are more than can be shown at once. */
  isCut: z.boolean(),
});
export type Calendar = z.infer<typeof calendarSchema>;

/** How many meetings of a day a month shows; of the others it tells how many they are. */
export const MONTH_DAY_MEETINGS_MAX = 4;
export const monthSchema = z.object({
  ...calendarSchema.shape,
  /** The days that have more meetings than are given here, and how many more. */
  more: z.array(z.object({ day: daySchema, count: z.number().int().positive() })),
});
export type CalendarMonth = z.infer<typeof monthSchema>;

export const listMeetingsSchema = z.strictObject({
  ...pageInputSchema.shape,
  clientId: idSchema,
  when: z.enum(["upcoming", "past"]).default("upcoming"),
});
export const meetingPageSchema = pageOf(meetingSchema);

export const nextFreeSchema = z.strictObject({
  mediatorId: idSchema,
  after: plannedSchema,
  minutes: z.number().int().min(5).max(MEETING_MAX_MINUTES),
});
export const freeSlotsSchema = z.object({ items: z.array(z.object(whenFields)) });

export const importBusySchema = z.strictObject({
  name: lineSchema(60).min(1, "Give the calendar a name"),
  ics: z.string().max(ICS_MAX_LENGTH, "This calendar file is too large. Export a shorter time."),
});
export const busyCalendarsSchema = z.object({
  items: z.array(z.object({ name: z.string(), count: z.number().int(), importedAt: instantSchema })),
});

export const FEED_LEVELS = ["busy", "initials", "full"] as const;
export type FeedLevel = (typeof FEED_LEVELS)[number];
export const feedSchema = z.object({ level: z.enum(FEED_LEVELS), createdAt: instantSchema }).nullable();
export const makeFeedSchema = z.strictObject({ level: z.enum(FEED_LEVELS) });
/** The address is shown once: only its hash is kept. */
export const newFeedSchema = z.object({ address: z.string(), level: z.enum(FEED_LEVELS) });
