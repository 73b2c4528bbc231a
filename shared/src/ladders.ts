// How a practice tries to reach the other participant: the rungs of its ladder for each kind of case, and the attempts
// that were made.
import { z } from "zod";
import { CASE_DOMAINS, type CaseDomain } from "./case-transitions.ts";
import type { PartyStatus } from "./case-states.ts";
import { partyGapsSchema } from "./contact-agreements.ts";
import { addDays } from "./days.ts";
import { idSchema } from "./ids.ts";
import { CASE_MAIL_STATES } from "./mail.ts";
import { richTextSchema } from "./rich-text.ts";
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

const rung = (channel: InviteChannel, days: readonly [after: number, reply: number], template: string): Rung => ({
  channel,
  afterDays: days[0],
  replyDays: days[1],
  template: `invite-${template}`,
});

/** The ladder of a practice that has not changed its own. */
export const DEFAULT_RUNGS: Record<CaseDomain, readonly Rung[]> = {
  family: [
    rung("email", [0, 10], "family-first"),
    rung("post", [10, 10], "family-second"),
    rung("phone", [10, 7], "family-call"),
  ],
  workplace: [
    rung("email", [0, 5], "workplace-first"),
    rung("email", [5, 5], "workplace-second"),
    rung("phone", [5, 5], "workplace-call"),
  ],
  civil: [
    rung("email", [0, 14], "civil-first"),
    rung("email", [14, 7], "civil-second"),
    rung("phone", [7, 7], "civil-call"),
  ],
  community: [
    rung("post", [0, 10], "general-first"),
    rung("post", [10, 10], "general-second"),
    rung("phone", [10, 7], "general-call"),
  ],
  other: [
    rung("email", [0, 10], "general-first"),
    rung("email", [10, 7], "general-second"),
    rung("phone", [7, 7], "general-call"),
  ],
};

/** What was said of it on the way; a ladder that got shorter meanwhile ends where it ends now. */
interface Tried {
  rung: number;
  /** The day on which it was made. */
  on: string;
  /** Empty where nobody set one. */
  replyBy: string;
}

/** The rung that the next attempt takes. Whoever goes on after the last one takes that again. */
export const nextRung = (rungs: readonly Rung[], last: Pick<Tried, "rung"> | null): number =>
  last ? Math.min(last.rung + 1, rungs.length - 1) : 0;

export const isLadderOver = (rungs: readonly Rung[], last: Pick<Tried, "rung">): boolean =>
  last.rung >= rungs.length - 1;

export type FollowUp = { kind: "next"; rung: number; dueOn: string } | { kind: "no_response"; dueOn: string };

/** What is to be done if nobody answers this attempt, and on which day. Null where nobody said until when to answer. */
export function followUpOf(rungs: readonly Rung[], last: Tried): FollowUp | null {
  if (last.replyBy === "") return null;
  if (isLadderOver(rungs, last)) return { kind: "no_response", dueOn: addDays(last.replyBy, 1) };
  const index = nextRung(rungs, last);
  const earliest = addDays(last.on, rungs[index]?.afterDays ?? 0);
  return { kind: "next", rung: index, dueOn: earliest > last.replyBy ? earliest : last.replyBy };
}

/** Whether everything was tried and the last day to answer is over: then a person may say that there is no response. */
export const isNoResponseProposed = (
  status: PartyStatus,
  rungs: readonly Rung[],
  { last, today }: { last: Tried | null; today: string },
): boolean =>
  status === "invited" && last !== null && isLadderOver(rungs, last) && last.replyBy !== "" && last.replyBy < today;

export const inviteSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
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
});

export const attemptSchema = z.object({
  id: idSchema,
  partyId: idSchema,
  channel: z.enum(INVITE_CHANNELS),
  rung: z.number().int(),
  on: daySchema,
  replyBy: z.union([z.literal(""), daySchema]),
  /** Null where whoever looks may not read mail. */
  wording: z.string().nullable(),
  madeByName: z.string(),
  /** Its mail was taken back before it left. */
  isTakenBack: z.boolean(),
  /** They have answered since: the ladder begins anew where they go quiet again. */
  isAnswered: z.boolean(),
  /** How its mail stands; null where no mail of ours carried it. */
  delivery: z.enum(CASE_MAIL_STATES).nullable(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** Whether somebody was reached for, as far as anybody knows. */
export const isMade = ({ isTakenBack, delivery }: Pick<Attempt, "isTakenBack" | "delivery">): boolean =>
  !isTakenBack && (delivery === null || !["failed", "cancelled", "bounced"].includes(delivery));

/** Whether it can have reached somebody by now. */
export const hasLeft = ({ isTakenBack, delivery }: Pick<Attempt, "isTakenBack" | "delivery">): boolean =>
  !isTakenBack && (delivery === null || delivery === "sent" || delivery === "uncertain");

/** Which steps, the first of them 1, nobody was tried by with a day to answer. */
export const untriedOf = (
  rungs: readonly Rung[],
  attempts: readonly Pick<Attempt, "rung" | "replyBy">[],
): { step: number; channel: InviteChannel }[] =>
  rungs
    .map(({ channel }, index) => ({ step: index + 1, channel }))
    .filter(({ step }) => !attempts.some(({ rung, replyBy }) => rung === step - 1 && replyBy !== ""));

/** Until which day those that can have reached somebody are to be answered; empty where nobody set one. */
export const awaitedUntil = (attempts: readonly Attempt[]): string =>
  attempts
    .filter(hasLeft)
    .map(({ replyBy }) => replyBy)
    .toSorted()
    .at(-1) ?? "";

/** Who can be invited, for the first time or again. */
export const isInvitable = (status: PartyStatus): boolean =>
  status === "to_invite" || status === "invited" || status === "no_response";

/** The attempts of a case, the oldest first, the ladder that they go by, and what comes before it. */
export const invitationsSchema = z.object({
  rungs: z.array(rungSchema),
  attempts: z.array(attemptSchema),
  /** Of each party who may be invited, what is still missing before. */
  missing: z.array(partyGapsSchema),
});

/** What a rung's template says, to begin with; null where there is none any more. */
export const rungWordsSchema = z.object({ subject: z.string(), body: richTextSchema }).nullable();
export const askRungWordsSchema = z.strictObject({ domain: z.enum(CASE_DOMAINS), template: rungSchema.shape.template });
