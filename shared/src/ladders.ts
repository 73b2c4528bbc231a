// How a practice tries to reach the other participant: the rungs of its ladder for each kind of case, and the attempts
// that were made.
import { z } from "zod";
import { CASE_DOMAINS } from "./case-transitions.ts";
import { partyGapsSchema } from "./contact-agreements.ts";
import { idSchema } from "./ids.ts";
import { CASE_MAIL_STATES } from "./mail.ts";
import { richTextSchema } from "./rich-text.ts";
import { lineSchema } from "./text.ts";
import { daySchema } from "./time.ts";

export const INVITE_CHANNELS = ["email", "post", "phone", "text"] as const;
export type InviteChannel = (typeof INVITE_CHANNELS)[number];
export const BY_CHANNEL = {
  email: "by email",
  post: "by letter",
  phone: "by phone",
  text: "by text message",
} as const satisfies Record<InviteChannel, string>;
export const RUNGS_MAX = 8;
export const RUNG_DAYS_MAX = 90;
/** Of one party. */
export const ATTEMPTS_MAX = 100;
export const WORDING_MAX_LENGTH = 20_000;
export const ATTEMPT_REASON_MAX_LENGTH = 300;

const daysSchema = (least: number) =>
  z
    .number({ error: "Enter a number of days" })
    .int("Enter whole days")
    .min(least, `Enter at least ${least}`)
    .max(RUNG_DAYS_MAX, `Enter at most ${RUNG_DAYS_MAX}`);

export const rungSchema = z.strictObject({
  channel: z.enum(INVITE_CHANNELS),
  /** How many days after the one before; the first has none before it. */
  afterDays: daysSchema(0),
  /** How many days there are to answer. */
  replyDays: daysSchema(1),
  /** A mail template: its id, or the key of one that every practice begins with. Empty for none. */
  template: z.string().regex(/^[\w-]{0,64}$/),
});
export type Rung = z.infer<typeof rungSchema>;
/** One whose way may put somebody at risk: it is tried by another that is safe for them. */
export type LadderRung = Rung & { isForbidden?: boolean };

const rungsSchema = z
  .array(rungSchema)
  .min(1, "Keep at least one step")
  .max(RUNGS_MAX, `There can be at most ${RUNGS_MAX} steps`);

export const updateLadderSchema = z.strictObject({
  domain: z.enum(CASE_DOMAINS),
  rungs: rungsSchema,
  version: z.number().int().min(0),
});
export const ladderSchema = z.object(updateLadderSchema.shape);
export type Ladder = z.infer<typeof ladderSchema>;
export const ladderListSchema = z.object({ items: z.array(ladderSchema) });

/** What became of a call. */
export const CALLS = ["spoken", "message", "nobody"] as const;
export const CALL_NAMES = {
  spoken: "They were spoken to",
  message: "A message was left",
  nobody: "Nobody was reached",
} as const satisfies Record<(typeof CALLS)[number], string>;
const callSchema = z.enum(["", ...CALLS]);

const ofCase = { id: idSchema, version: z.number().int().min(0) };
const reasonSchema = lineSchema(ATTEMPT_REASON_MAX_LENGTH);

const attemptedSchema = z.strictObject({
  ...ofCase,
  partyId: idSchema,
  channel: z.enum(INVITE_CHANNELS),
  /** The day on which it was made. */
  on: daySchema,
  /** What was written or said. */
  wording: z
    .string()
    .trim()
    .min(1, "Write what was said or sent")
    .max(WORDING_MAX_LENGTH, `Write at most ${WORDING_MAX_LENGTH} characters`),
  /** Of a call. */
  call: callSchema.default(""),
  insteadBecause: reasonSchema.default(""),
  /** Why it was made by a way that is not marked as safe for them; left out for one that is. */
  againstBecause: reasonSchema.optional(),
  /** Of one of a day that is over: why they were invited all the same, where something was missing then. */
  unmetReason: reasonSchema.optional(),
});
export const inviteSchema = attemptedSchema.refine(({ channel, call }) => (channel === "phone") === (call !== ""), {
  path: ["call"],
  error: "Choose whether they were reached, for a call only",
});

/** One that was recorded in error. */
export const strikeAttemptSchema = z.strictObject({
  ...ofCase,
  attemptId: idSchema,
  reason: reasonSchema.min(1, "Say what was wrong"),
});

/** On which day it was known that it reached nobody; empty where that was noted by mistake. */
export const returnAttemptSchema = z.strictObject({
  ...ofCase,
  attemptId: idSchema,
  on: z.union([z.literal(""), daySchema]),
});

export const attemptSchema = z.object({
  id: idSchema,
  partyId: idSchema,
  channel: z.enum(INVITE_CHANNELS),
  on: daySchema,
  /** Empty where it was no call, or nobody noted it. */
  call: callSchema,
  insteadBecause: z.string(),
  againstBecause: z.string(),
  /** What was missing on its day, of one that was recorded later, and why they were invited all the same. */
  unmet: z.array(z.string()),
  /** Null for whoever may not read it. */
  unmetBecause: z.string().nullable(),
  replyBy: z.union([z.literal(""), daySchema]),
  /** Null where whoever looks may not read mail. */
  wording: z.string().nullable(),
  madeByName: z.string(),
  /** Its mail was taken back before it left, or it was recorded in error. */
  isTakenBack: z.boolean(),
  /** What was wrong with one that was recorded in error; empty for every other. */
  struckBecause: z.string(),
  /** They have answered since: the ladder begins anew where they go quiet again. */
  isAnswered: z.boolean(),
  /** The day on which it was known that it came back, or was not delivered; empty where nothing of the kind is noted. */
  cameBackOn: z.union([z.literal(""), daySchema]),
  /** How its mail stands; null where no mail of ours carried it. */
  delivery: z.enum(CASE_MAIL_STATES).nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

type Reaching = Pick<Attempt, "isTakenBack" | "delivery" | "call" | "cameBackOn">;

/** Whether it invites anybody: a call that reached nobody does not. */
export const isInvitation = ({ isTakenBack, call }: Pick<Attempt, "isTakenBack" | "call">): boolean =>
  !isTakenBack && call !== "nobody";

/** Whether it may be noted of it that it came back: a call tells at once whether it reached somebody. */
export const mayComeBack = ({ isTakenBack, call }: Pick<Attempt, "isTakenBack" | "call">): boolean =>
  !isTakenBack && (call === "" || call === "message");

/** Whether somebody was invited, as far as anybody knows. */
export const isMade = (attempt: Reaching): boolean =>
  isInvitation(attempt) &&
  attempt.cameBackOn === "" &&
  (attempt.delivery === null || !["failed", "cancelled", "bounced"].includes(attempt.delivery));

/** Whether it can have reached somebody by now. */
export const hasLeft = (attempt: Reaching): boolean =>
  isInvitation(attempt) &&
  attempt.cameBackOn === "" &&
  (attempt.delivery === null || attempt.delivery === "sent" || attempt.delivery === "uncertain");

/** Until which day those that can have reached somebody are to be answered; empty where nobody set one. */
export const awaitedUntil = (attempts: readonly Attempt[]): string =>
  attempts
    .filter(hasLeft)
    .map(({ replyBy }) => replyBy)
    .toSorted()
    .at(-1) ?? "";

/** The attempts of a case, the oldest first, the ladder that they go by, and what comes before it. */
export const invitationsSchema = z.object({
  rungs: z.array(rungSchema),
  attempts: z.array(attemptSchema),
  /** Of each party who may be invited, what is still missing before. */
  missing: z.array(partyGapsSchema),
  /** By what ways each of them may be reached: those that are not safe, and all in a sentence; empty where all are. */
  ways: z.array(
    z.object({
      partyId: idSchema,
      forbidden: z.array(z.enum(INVITE_CHANNELS)),
      mayLeaveVoicemail: z.boolean(),
      words: z.string(),
    }),
  ),
});

/** What a rung's template says, to begin with; null where there is none any more. */
export const rungWordsSchema = z.object({ subject: z.string(), body: richTextSchema }).nullable();
export const askRungWordsSchema = z.strictObject({ domain: z.enum(CASE_DOMAINS), template: rungSchema.shape.template });
