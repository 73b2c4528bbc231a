import { z } from "zod";
import { CASE_FORMATS } from "./cases.ts";
import { idSchema } from "./ids.ts";
import { consentSchema, sessionNoteSchema } from "./notes.ts";
import { countSides, type Sided } from "./case-states.ts";
import { PRIVILEGES, PROPOSAL_PRIVILEGE } from "./privileges.ts";
import {
  PROPOSAL_STATUSES,
  SESSION_ATTENDANCES,
  SESSION_OUTCOMES,
  SESSION_STATUSES,
  type SessionAttendance,
  wasThere,
} from "./session-states.ts";
import { safetyReviewSchema } from "./safety-reviews.ts";
import { amendmentSchema, holderIdsSchema } from "./session-amendments.ts";
import { sessionOutcomeSchema } from "./session-outcomes.ts";
import { timeChangeSchema, unmetReasonSchema, unmetSchema } from "./session-times.ts";
import { MEASURES } from "./screenings.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { isCaucus, type Visibility, visibilitySchema } from "./visibility.ts";

export const PROPOSAL_MAX_LENGTH = 4000;
export const ISSUE_MAX_LENGTH = 100;
export const AGENDA_MAX = 40;
export const PROPOSALS_MAX = 200;
export const NEXT_STEPS_MAX = 50;
export const SESSION_MINUTES_MAX = 1440;
export const JOINT = "joint";

const minutesSchema = z.number().int().min(0).max(SESSION_MINUTES_MAX, "A session lasts at most a day");

export const topicSchema = z.strictObject({
  id: idSchema,
  topic: lineSchema(ISSUE_MAX_LENGTH).min(1, "Name the topic"),
  privilege: z.enum(PRIVILEGES),
  minutes: z.number().int().min(0).max(480),
  isDone: z.boolean(),
});
export type Topic = z.infer<typeof topicSchema>;

const byPartySchema = z.union([z.literal(JOINT), idSchema]);

/** Whose answer to an offer it is, and on which day they gave it. */
export const answerSchema = z.strictObject({ byPartyId: byPartySchema, on: daySchema });
export type Answer = z.infer<typeof answerSchema>;

export const proposalSchema = z.object({
  id: idSchema,
  issue: z.string(),
  text: z.string(),
  byPartyId: byPartySchema,
  status: z.enum(PROPOSAL_STATUSES),
  visibility: visibilitySchema,
  privilege: z.literal(PROPOSAL_PRIVILEGE),
  at: instantSchema,
  /** The offer that this one answers. */
  countersId: idSchema.nullable(),
  /** The note or the proposal in confidence that a party let out. */
  releasedFromId: idSchema.nullable(),
  consent: consentSchema.nullable(),
  history: z.array(
    z.object({
      at: instantSchema,
      byName: z.string(),
      status: z.enum(PROPOSAL_STATUSES),
      /** Null where it was noted in the session in which it was said. */
      answer: answerSchema.nullable(),
      /** Why the answer before this was noted in error; empty where nothing was. */
      mistake: z.string(),
    }),
  ),
});
export type Proposal = z.infer<typeof proposalSchema>;

const nextStepFields = {
  id: idSchema,
  text: lineSchema(200).min(1, "Say what is to be done"),
  /** Who does it; null is the practice. */
  partyId: idSchema.nullable(),
  dueOn: daySchema.nullable(),
};
export const nextStepSchema = z.object({ ...nextStepFields, taskId: idSchema.nullable() });
export type NextStep = z.infer<typeof nextStepSchema>;

const attendanceSchema = z.object({ partyId: idSchema, state: z.enum(SESSION_ATTENDANCES), at: instantSchema });

export const sessionSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  meetingId: idSchema.nullable(),
  number: z.number().int().min(1),
  status: z.enum(SESSION_STATUSES),
  format: z.enum(CASE_FORMATS),
  /** Who holds it, or held it; whoever left still has a name. */
  mediatorIds: z.array(idSchema),
  mediatorNames: z.array(z.string()),
  plannedMinutes: minutesSchema.nullable(),
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  pausedAt: instantSchema.nullable(),
  pausedMs: z.number().int(),
  minutes: minutesSchema,
  /** Those who are awaited. */
  partyIds: z.array(idSchema),
  attendance: z.array(attendanceSchema),
  /** What was agreed for somebody's safety; null where this person may not read screenings. */
  measures: z.array(z.object({ partyId: idSchema, measures: z.array(z.enum(MEASURES)) })).nullable(),
  agenda: z.array(topicSchema),
  proposals: z.array(proposalSchema),
  nextSteps: z.array(nextStepSchema),
  /** Of each party apart, the newest last; null where this person may not read screenings. */
  safetyReviews: z.array(safetyReviewSchema).nullable(),
  /** One for all parties, as earlier sessions had it. */
  safetyReview: z.object({ isChanged: z.boolean(), note: z.string(), at: instantSchema }).nullable(),
  outcome: sessionOutcomeSchema.nullable(),
  isBillable: z.boolean(),
  countsForLegalAid: z.boolean(),
  lockedAt: instantSchema.nullable(),
  /** Why it was called off after it was started; else empty. */
  cancelReason: z.string(),
  /** Every time that was written by hand, the newest last. */
  timeChanges: z.array(timeChangeSchema),
  unmet: z.array(unmetSchema),
  /** What was said to be missing, and was not by the days of the case as they were corrected since. */
  unmetBefore: z.array(unmetSchema),
  amendments: z.array(amendmentSchema),
  version: z.number().int(),
  createdAt: instantSchema,
});
export type Session = z.infer<typeof sessionSchema>;

export const sessionRowSchema = sessionSchema
  .pick({
    id: true,
    meetingId: true,
    number: true,
    status: true,
    startedAt: true,
    minutes: true,
    outcome: true,
    createdAt: true,
  })
  .extend({ isUnfinished: z.boolean() });
export type SessionRow = z.infer<typeof sessionRowSchema>;

export const createSessionSchema = z.strictObject({
  caseId: idSchema,
  meetingId: idSchema.nullable(),
});
export const startSessionSchema = createSessionSchema.extend({
  /** Why it goes without what was agreed for somebody's safety. */
  unmetReason: unmetReasonSchema.default(""),
});

export const updateSessionSchema = z.strictObject({
  id: idSchema,
  format: z.enum(CASE_FORMATS).optional(),
  plannedMinutes: minutesSchema.nullable().optional(),
  minutes: minutesSchema.optional(),
  isBillable: z.boolean().optional(),
  countsForLegalAid: z.boolean().optional(),
  /** Null takes off what was noted by mistake. */
  outcome: sessionOutcomeSchema.nullable().optional(),
  /** The outcome on the screen that this one replaces; none where there was none. */
  outcomeBefore: sessionOutcomeSchema.nullable().default(null),
});
export const moveSessionSchema = z.strictObject({
  id: idSchema,
  to: z.enum(SESSION_STATUSES),
  /** Where a session begins or is locked for which something is missing: why it is held all the same. */
  unmetReason: unmetReasonSchema.default(""),
  /** Why one that was started is called off. */
  cancelReason: unmetReasonSchema.default(""),
  /** What is locked with it; as it stands where this is left out. */
  billing: z
    .strictObject({ minutes: minutesSchema, isBillable: z.boolean(), countsForLegalAid: z.boolean() })
    .optional(),
  /** Who held it, as it is locked; as recorded where this is left out. */
  mediatorIds: holderIdsSchema.optional(),
});
export const pauseSessionSchema = z.strictObject({ id: idSchema, isPaused: z.boolean() });
export const setAttendanceSchema = z.strictObject({
  id: idSchema,
  partyId: idSchema,
  /** Null takes the mark of somebody away who was not asked to it. */
  state: z.enum(SESSION_ATTENDANCES).nullable(),
});
/** With the topic on the screen that it replaces; none where it is new. */
export const saveTopicSchema = z.strictObject({
  id: idSchema,
  topic: topicSchema,
  before: topicSchema.nullable().default(null),
});
export const removeTopicSchema = z.strictObject({ id: idSchema, topicId: idSchema });
export const addProposalSchema = z.strictObject({
  id: idSchema,
  proposalId: idSchema,
  issue: lineSchema(ISSUE_MAX_LENGTH).min(1, "Name the issue"),
  text: z
    .string()
    .trim()
    .min(1, "Write the proposal")
    .max(PROPOSAL_MAX_LENGTH, `Use at most ${PROPOSAL_MAX_LENGTH} characters`),
  byPartyId: byPartySchema,
  visibility: visibilitySchema.refine((visibility) => visibility.aboutPartyIds.length === 0 || isCaucus(visibility), {
    path: ["scope"],
    message:
      "No party reads a proposal in confidence. Choose the team or the mediators as its readers, or release it with the party’s consent",
  }),
  countersId: idSchema.nullable(),
  /** The day on which it was said, where it answers an offer after the session was locked. */
  on: daySchema.nullable().default(null),
  /** Where it comes out of a note in confidence: which one, and the party's consent. */
  release: z.strictObject({ noteId: idSchema, consent: consentSchema }).nullable(),
});
export type AddProposal = z.infer<typeof addProposalSchema>;
export const setProposalStatusSchema = z
  .strictObject({
    id: idSchema,
    proposalId: idSchema,
    to: z.enum(PROPOSAL_STATUSES),
    /** Needed where the session is locked by then. */
    answer: answerSchema.nullable().default(null),
    /** Why nobody accepted it, where that was noted in error: it is offered as before. */
    mistake: unmetReasonSchema.default(""),
  })
  .refine(({ answer, mistake }) => answer === null || mistake === "", {
    path: ["mistake"],
    message: "An answer is no mistake. Take the mistake back first, and note the answer then",
  });
export const releaseProposalSchema = z.strictObject({
  id: idSchema,
  proposalId: idSchema,
  newProposalId: idSchema,
  consent: consentSchema,
});
/** With the step on the screen that it replaces; none where it is new. */
export const saveNextStepSchema = z.strictObject({
  id: idSchema,
  step: z.strictObject(nextStepFields),
  before: z.strictObject(nextStepFields).nullable().default(null),
});
export const removeNextStepSchema = z.strictObject({ id: idSchema, stepId: idSchema });
export const addSessionNoteSchema = z.strictObject({ sessionId: idSchema, note: sessionNoteSchema });

export const summarySchema = z.strictObject({ id: idSchema, partyId: idSchema });

/** Whose safety review is still to be written: everybody's who came to a session in which parties meet. */
export function unreviewedIn(
  {
    partyIds,
    attendance,
  }: { partyIds: readonly string[]; attendance: readonly { partyId: string; state: SessionAttendance }[] },
  reviewedIds: readonly string[],
): string[] {
  const came = attendance.filter(wasThere).map(({ partyId }) => partyId);
  if (new Set([...partyIds, ...came]).size < 2) return [];
  return came.filter((partyId) => !reviewedIds.includes(partyId));
}

/** Whether it was let out, and that was not taken back. */
export const isReleased = (proposals: readonly Pick<Proposal, "releasedFromId" | "status">[], id: string): boolean =>
  proposals.some(({ releasedFromId, status }) => releasedFromId === id && status !== "withdrawn");

/** What is offered together is in nobody's confidence and not for one side alone; the practice may keep it to itself. */
export const mayOfferTogether = ({ scope, partyIds, aboutPartyIds }: Visibility, parties: readonly Sided[]): boolean =>
  aboutPartyIds.length === 0 &&
  (scope !== "party" || countSides(parties.filter(({ partyId }) => partyIds.includes(partyId))) > 1);

/** What one party may be told of a session, and nothing else. */
export const partySummarySchema = z.object({
  number: z.number().int(),
  startedAt: instantSchema.nullable(),
  minutes: minutesSchema,
  attendance: z.enum(SESSION_ATTENDANCES).nullable(),
  notes: z.array(z.object({ at: instantSchema, text: z.string() })),
  /** What there is more of than stands here, in words. */
  cut: z.array(z.string()),
  proposals: z.array(
    proposalSchema.pick({ issue: true, text: true, status: true, at: true }).extend({ by: z.string() }),
  ),
  nextSteps: z.array(z.object({ text: z.string(), dueOn: daySchema.nullable() })),
});
export type PartySummary = z.infer<typeof partySummarySchema>;

/** The only facts that a court may be told: that it took place, who came, and whether it ended in agreement. */
export const courtReportSchema = z.object({
  number: z.number().int(),
  tookPlaceAt: instantSchema.nullable(),
  minutes: minutesSchema,
  attendance: z.array(z.object({ name: z.string(), state: z.enum(SESSION_ATTENDANCES) })),
  outcome: z.enum(SESSION_OUTCOMES).nullable(),
  /** When this record was amended last after it was locked; null where it stands as it was. */
  amendedAt: instantSchema.nullable(),
});
