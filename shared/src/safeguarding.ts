import { z } from "zod";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { consultedSchema } from "./screenings.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

/** Room for all that one screening may tell of. */
export const CONCERN_MAX_LENGTH = 8000;
export const TOLD_MAX_LENGTH = 2000;
export const AGENCIES_MAX = 10;
/** Of a case, that one person may read. */
export const ENTRIES_MAX = 200;
export const ENTRY_VERSIONS_MAX = 100;

/** A suspicion about the proceeds of crime is for its author and the nominated officer alone: to tell of it can be a crime. */
export const SAFEGUARDING_KINDS = ["concern", "suspicious_activity"] as const;
export const SAFEGUARDING_KIND_NAMES = {
  concern: "Somebody is at risk",
  suspicious_activity: "Suspicious activity (proceeds of crime)",
} as const satisfies Record<(typeof SAFEGUARDING_KINDS)[number], string>;

export const IMMEDIACIES = ["now", "soon", "later", "past"] as const;
export const IMMEDIACY_NAMES = {
  now: "In danger now",
  soon: "Within days",
  later: "Not at once",
  past: "Over, nobody at risk now",
} as const satisfies Record<(typeof IMMEDIACIES)[number], string>;

export const CLIENT_TOLD = ["told", "deliberately_not", "not_yet"] as const;
export const CLIENT_TOLD_NAMES = {
  told: "Told",
  deliberately_not: "Deliberately not told",
  not_yet: "Not told yet",
} as const satisfies Record<(typeof CLIENT_TOLD)[number], string>;

const agencySchema = z.strictObject({
  agency: lineSchema(100).min(1, "Name the agency"),
  on: daySchema,
  reference: lineSchema(60),
});

const long = (max: number, message: string) =>
  z.string().trim().min(1, message).max(max, `Use at most ${max} characters`);

const entryFields = {
  personAtRisk: lineSchema(200).min(1, "Say who is at risk, or whom it is about"),
  concern: long(CONCERN_MAX_LENGTH, "Write what the concern is"),
  immediacy: z.enum(IMMEDIACIES, "Choose how soon"),
  consulted: consultedSchema,
  told: z.array(agencySchema).max(AGENCIES_MAX),
  /** Where no agency was told. */
  whyNobodyTold: z.string().trim().max(TOLD_MAX_LENGTH, `Use at most ${TOLD_MAX_LENGTH} characters`),
  clientTold: z.enum(CLIENT_TOLD, "Choose what the client was told"),
  clientWords: long(TOLD_MAX_LENGTH, "Write what the client was told, or why not"),
};

interface Written {
  concern: string;
  told: unknown[];
  whyNobodyTold: string;
}

function checkWords({ concern, told, whyNobodyTold }: Written, context: z.RefinementCtx) {
  if (concern !== "" && !hasWord(concern))
    context.addIssue({ code: "custom", path: ["concern"], message: "Write what the concern is" });
  if (told.length === 0 && !hasWord(whyNobodyTold))
    context.addIssue({ code: "custom", path: ["whyNobodyTold"], message: "Say why no agency was told" });
}

/** To tell somebody that they are suspected can be a crime (tipping off); that it happened is a fact of the suspicion itself. */
export const NOBODY_TELLS_OF_SUSPICION =
  "Nobody tells the client of a suspicion. If it happened, write so under what you suspect, and speak with your nominated officer at once.";

export const isToldOfSuspicion = ({ kind, clientTold }: { kind: string; clientTold: string }): boolean =>
  kind === "suspicious_activity" && clientTold === "told";

/**
 * What a finding about somebody's safety opened waits for whoever judges it, and so does what somebody reported who may not
 * read the record; what others write by themselves is kept.
 */
export const ENTRY_STATES = ["to_complete", "kept", "not_needed"] as const;

export const addEntrySchema = z
  .strictObject({ caseId: idSchema, kind: z.enum(SAFEGUARDING_KINDS, "Choose what it is"), ...entryFields })
  .superRefine(checkWords)
  .superRefine((entry, context) => {
    if (isToldOfSuspicion(entry))
      context.addIssue({ code: "custom", path: ["clientTold"], message: NOBODY_TELLS_OF_SUSPICION });
  });
export type AddEntry = z.infer<typeof addEntrySchema>;

/** A concern of somebody who may not read the record; whoever may judges the rest. */
export const reportConcernSchema = z.strictObject({
  caseId: idSchema,
  personAtRisk: entryFields.personAtRisk,
  concern: entryFields.concern,
  immediacy: entryFields.immediacy,
});
export type ReportConcern = z.infer<typeof reportConcernSchema>;

export const amendEntrySchema = z
  .strictObject({
    id: idSchema,
    version: z.number().int().min(0),
    ...entryFields,
    why: lineSchema(200).min(1, "Say why it is amended"),
  })
  .superRefine(checkWords);

/** All that a new entry asks for, of one that was opened and waits. */
export const completeEntrySchema = z
  .strictObject({ id: idSchema, version: z.number().int().min(0), ...entryFields })
  .superRefine(checkWords);

export const dismissEntrySchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  why: lineSchema(200).refine(hasWord, "Say why no entry is needed"),
});

/** One wording of an entry; none of them ever goes. What nobody has judged yet is null. */
export const entryVersionSchema = z.object({
  ...entryFields,
  immediacy: entryFields.immediacy.nullable(),
  consulted: consultedSchema.nullable(),
  clientTold: entryFields.clientTold.nullable(),
  clientWords: z.string(),
  why: z.string(),
  at: instantSchema,
  byName: z.string(),
});
export type EntryVersion = z.infer<typeof entryVersionSchema>;

/** What an entry is read by once its case is gone, as it stood then. */
export const removedCaseSchema = z.object({
  caseRef: z.string(),
  parties: z.array(z.object({ partyId: idSchema, label: z.string(), name: z.string() })),
});
export type RemovedCase = z.infer<typeof removedCaseSchema>;

export const safeguardingEntrySchema = z.object({
  id: idSchema,
  caseId: idSchema,
  kind: z.enum(SAFEGUARDING_KINDS),
  version: z.number().int(),
  state: z.enum(ENTRY_STATES),
  /** Of whom the finding was that opened it, and before which session; null where somebody wrote it by themselves. */
  opened: z.object({ partyId: idSchema, sessionId: idSchema.nullable() }).nullable(),
  latest: entryVersionSchema,
  /** How many wordings there were before. */
  earlierCount: z.number().int(),
  /** Null as long as the case is there. */
  removedCase: removedCaseSchema.nullable(),
});
export type SafeguardingEntry = z.infer<typeof safeguardingEntrySchema>;

export const addedEntrySchema = safeguardingEntrySchema.extend({
  /** It is a suspicion, and there is no nominated officer who may read it. */
  isForAuthorAlone: z.boolean(),
});
export type AddedEntry = z.infer<typeof addedEntrySchema>;

export const listEntriesSchema = z.strictObject({ ...pageInputSchema.shape, caseId: idSchema });
export const listOfRemovedSchema = z.strictObject(pageInputSchema.shape);
export const entryPageSchema = pageOf(safeguardingEntrySchema);

export const listWordingsSchema = z.strictObject({ ...pageInputSchema.shape, id: idSchema });
export const wordingPageSchema = pageOf(entryVersionSchema);

/** As many times may somebody be named: none of them is forgotten for a later one. */
export const OFFICERS_MAX = 200;
/** The officer as of a case, or of none. */
export const officerOfSchema = z.strictObject({ caseId: idSchema.nullable() }).default({ caseId: null });
/** Who reads every suspicion of the practice; one person, or nobody yet. */
export const officerSchema = z.object({
  userId: idSchema.nullable(),
  name: z.string(),
  /** Whether they work here and may read the record, of this case too where one is named. */
  mayRead: z.boolean(),
  /** Who could read every suspicion, from when and by whom, the newest first; without a name where nobody could. */
  named: z.array(z.object({ name: z.string(), byName: z.string(), at: instantSchema })),
});
export const setOfficerSchema = z.strictObject({ userId: idSchema.nullable() });
