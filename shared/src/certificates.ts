import { z } from "zod";
import { addMonths } from "./days.ts";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { INVITE_CHANNELS } from "./ladders.ts";
import { miamRulesOn, STATEMENTS } from "./miam-rules.ts";
import { CERTIFICATES_COUNT_FROM } from "./practices.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const CERTIFICATE_REMINDER_DAYS = 21;
export const VOID_REASON_MAX_LENGTH = 200;
export const FEWER_REASON_MAX_LENGTH = 300;

export const CERTIFICATE_STATUSES = ["issued", "used", "expired", "void"] as const;

const voidReasonSchema = lineSchema(VOID_REASON_MAX_LENGTH);

const signing = {
  /** The signer has seen that its last day is over. */
  isLateConfirmed: z.boolean().optional(),
  /** The signer has read the practice's own words that stand on it, and says that they are true of this person. */
  hasReadWords: z.boolean().optional(),
  /** Why the one that stands is void, where there is one. */
  replaceReason: voidReasonSchema,
};

/** Issued on the day on which it is asked for, in the practice's time zone. */
export const issueCertificateSchema = z.strictObject({
  /** The meeting that it is about. */
  assessmentId: idSchema,
  /** What it says beyond that the person attended. */
  statements: z.array(z.enum(STATEMENTS)).max(STATEMENTS.length),
  /** The signer says that what a statement warns of puts nobody in danger. */
  isHarmless: z.boolean().optional(),
  /** The signer says that it is about another dispute than the case in which somebody of whom it is said goes on. */
  isOtherDispute: z.boolean().optional(),
  /** Why fewer attempts than the practice usually makes were enough to say that somebody did not answer. */
  fewerReason: lineSchema(FEWER_REASON_MAX_LENGTH).optional(),
  ...signing,
});
/** That somebody took part in mediation; issued on the day on which it is asked for. */
export const issueMediationSchema = z.strictObject({ caseId: idSchema, partyId: idSchema, ...signing });
export const useCertificateSchema = z.strictObject({ id: idSchema, usedOn: daySchema });
export const voidCertificateSchema = z.strictObject({
  id: idSchema,
  reason: voidReasonSchema.refine(hasWord, "Say why"),
});
export const listCertificatesSchema = z.strictObject({ caseId: idSchema });
export const certificateOptionsSchema = z.strictObject({ assessmentId: idSchema });
export const mediationOptionsSchema = z.strictObject({ caseId: idSchema, partyId: idSchema });

/** Those that a new one makes void, and when they were used; empty where they were not. */
const replacesSchema = z.array(z.object({ number: z.string(), usedOn: z.string() }));

/** What can be certified of a meeting as the records stand, and of the rest which fact is missing. */
export const certificateChoicesSchema = z.object({
  attendedOn: daySchema,
  /** The base statement. */
  attended: z.string(),
  mediatorName: z.string(),
  minutes: z.number().int().nullable(),
  countsFrom: z.enum(CERTIFICATES_COUNT_FROM),
  /** Why none can be issued, by whoever asks; empty where one can. */
  blockers: z.array(z.string()),
  statements: z.array(
    z.object({
      statement: z.enum(STATEMENTS),
      sentence: z.string(),
      isAllowed: z.boolean(),
      because: z.string(),
      warning: z.string(),
      /** Where somebody of whom it is said goes on with this person in another case: what to be sure of. */
      otherDispute: z.string(),
      /** Whether it asks why fewer attempts were enough. */
      asksFewer: z.boolean(),
    }),
  ),
  /** How those who did not answer were tried, where that was not as often as the practice usually does. */
  unanswered: z.array(
    z.object({
      label: z.string(),
      attempts: z.array(z.object({ channel: z.enum(INVITE_CHANNELS), on: daySchema, replyBy: z.string() })),
      /** The steps that were not tried. */
      untried: z.array(z.object({ step: z.number().int(), channel: z.enum(INVITE_CHANNELS), isUnsafe: z.boolean() })),
      /** Why it was recorded that they did not answer. */
      reason: z.string(),
    }),
  ),
  replaces: replacesSchema,
  /** What stands on it beside what is certified, in the words of the practice's own template. */
  ownWords: z.array(z.string()),
});
export type CertificateChoices = z.infer<typeof certificateChoicesSchema>;

/** The last day on which an application may rely on the meeting, whatever a practice counts from. */
export const reliedUntil = (attendedOn: string): string => addMonths(attendedOn, miamRulesOn(attendedOn)?.months ?? 0);

/** The last day that it states: nothing that is issued once the meeting cannot be relied on any more makes it last longer. */
export function lastDayOf(
  { attendedOn, countsFrom }: Pick<CertificateChoices, "attendedOn" | "countsFrom">,
  issuedOn: string,
): string {
  const until = reliedUntil(attendedOn);
  const isInTime = issuedOn <= until;
  return countsFrom === "issue" && isInTime ? addMonths(issuedOn, miamRulesOn(attendedOn)?.months ?? 0) : until;
}

/** The same of mediation: what the sessions that were held allow to confirm. */
export const mediationChoicesSchema = z.object({
  sentence: z.string(),
  /** The days of the first and of the last session; empty where none was held. */
  firstOn: z.string(),
  lastOn: z.string(),
  expiresOn: z.string(),
  /** What to have seen where its last day is over. */
  late: z.string(),
  blockers: z.array(z.string()),
  replaces: replacesSchema,
  ownWords: z.array(z.string()),
});
export type MediationChoices = z.infer<typeof mediationChoicesSchema>;

export const certificateSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  partyId: idSchema,
  /** Null for those of before there were records of meetings. */
  assessmentId: idSchema.nullable(),
  number: z.string(),
  status: z.enum(CERTIFICATE_STATUSES),
  /** The version of the rules that it was issued by. */
  rules: z.string(),
  /** What it says, word for word. */
  sentences: z.array(z.string()),
  /** Empty where it was not recorded, and where it is about mediation. */
  attendedOn: z.string(),
  /** The days of the first and the last session of mediation; empty where it is about a meeting. */
  mediatedFrom: z.string(),
  mediatedUntil: z.string(),
  /** Why fewer attempts were enough to say that somebody did not answer; for the practice alone. */
  fewerReason: z.string(),
  issuedOn: daySchema,
  /** From which day its months run. */
  countedFrom: daySchema,
  expiresOn: daySchema,
  /** Empty until it was used. */
  usedOn: z.string(),
  voidReason: z.string(),
  daysLeft: z.number().int(),
  /** Who signed it. */
  mediatorName: z.string(),
  accreditationNumber: z.string(),
  conductedByName: z.string(),
  serviceName: z.string(),
  personName: z.string(),
  /** Whether whoever asks can end it: declare it void, or mark it used. */
  mayVoid: z.boolean(),
  createdAt: instantSchema,
});
export type Certificate = z.infer<typeof certificateSchema>;
export const certificateListSchema = z.object({ items: z.array(certificateSchema) });

/** A certificate that runs out soon, as the dashboard shows it. */
export const expiringCertificateSchema = z.object({
  id: idSchema,
  number: z.string(),
  clientId: idSchema,
  clientName: z.string(),
  countedFrom: daySchema,
  expiresOn: daySchema,
  daysLeft: z.number().int(),
});
export type ExpiringCertificate = z.infer<typeof expiringCertificateSchema>;
