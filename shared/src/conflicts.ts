import { z } from "zod";
import { idSchema } from "./ids.ts";
import { NAME_MAX_LENGTH } from "./names.ts";
import { lineSchema, ORGANISATION_MAX_LENGTH } from "./text.ts";
import { instantSchema } from "./time.ts";

export const CONFLICT_REASON_MAX_LENGTH = 500;
export const CONFLICT_HITS_MAX = 20;

/** Whom to look for. What is not known stays empty. */
export const conflictTermSchema = z.strictObject({
  firstName: lineSchema(NAME_MAX_LENGTH),
  lastName: lineSchema(NAME_MAX_LENGTH),
  knownAs: lineSchema(60),
  organisation: lineSchema(ORGANISATION_MAX_LENGTH),
  email: lineSchema(254),
  phones: z.array(lineSchema(20)).max(5),
  dateOfBirth: lineSchema(10),
});
export type ConflictTerm = z.infer<typeof conflictTermSchema>;

export const searchConflictsSchema = z.strictObject({
  term: conflictTermSchema,
  /** Records that are themselves what is looked for. */
  exceptIds: z.array(idSchema).max(10).default([]),
});

export const conflictHitSchema = z.object({
  kind: z.enum(["client", "contact"]),
  id: idSchema,
  name: z.string(),
  /** From 0 to 1. */
  score: z.number(),
  fields: z.array(z.enum(["name", "email", "phone", "birth date"])),
  /** The cases they are in, so that one sees on which side. */
  caseRefs: z.array(z.string()),
});
export type ConflictHit = z.infer<typeof conflictHitSchema>;

/** How many more there are whom the reader does not see: of them nothing else is told. */
const hiddenCountSchema = z.number().int();
/** More records are alike, by their name, than are compared or shown: these are the likeliest. */
const isCutSchema = z.boolean();
export const conflictHitsSchema = z.object({
  items: z.array(conflictHitSchema),
  hiddenCount: hiddenCountSchema,
  isCut: isCutSchema,
});
export type ConflictHits = z.infer<typeof conflictHitsSchema>;

export const CONFLICT_DECISIONS = ["clear", "flagged", "conflicted", "waived"] as const;
export type ConflictDecision = (typeof CONFLICT_DECISIONS)[number];

export const CONFLICT_DECISION_NAMES = {
  clear: "Clear",
  flagged: "Flagged",
  conflicted: "Conflicted",
  waived: "Waived",
} as const satisfies Record<ConflictDecision, string>;

const decisionFields = {
  decision: z.enum(CONFLICT_DECISIONS),
  reason: z.string().trim().max(CONFLICT_REASON_MAX_LENGTH, `Use at most ${CONFLICT_REASON_MAX_LENGTH} characters`),
};
const isReasonGiven = ({ decision, reason }: { decision: ConflictDecision; reason: string }): boolean =>
  decision === "clear" || reason !== "";
const NO_REASON = { path: ["reason"], message: "Say why" };

/** What was decided of the conflict check, apart from the case that it is of. */
export const conflictDecisionSchema = z.strictObject(decisionFields).refine(isReasonGiven, NO_REASON);

export const decideConflictSchema = z
  .strictObject({ caseId: idSchema, ...decisionFields })
  .refine(isReasonGiven, NO_REASON);

export const conflictCheckSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  decision: z.enum(CONFLICT_DECISIONS),
  reason: z.string(),
  hits: z.array(conflictHitSchema),
  hiddenCount: hiddenCountSchema,
  isCut: isCutSchema,
  decidedByName: z.string(),
  decidedAt: instantSchema,
  /** The parties changed since, so it has to be decided again. */
  isOutdated: z.boolean(),
});
export type ConflictCheck = z.infer<typeof conflictCheckSchema>;

export const caseConflictsSchema = z.object({
  /** The last decision, if there is one. */
  latest: conflictCheckSchema.nullable(),
  /** What a check of all parties finds now. */
  hits: z.array(conflictHitSchema),
  hiddenCount: hiddenCountSchema,
  isCut: isCutSchema,
});
