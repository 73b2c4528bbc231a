import { z } from "zod";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { STATEMENTS } from "./miam-rules.ts";
import { CERTIFICATES_COUNT_FROM } from "./practices.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const CERTIFICATE_REMINDER_DAYS = 21;
export const VOID_REASON_MAX_LENGTH = 200;

export const CERTIFICATE_STATUSES = ["issued", "used", "expired", "void"] as const;

const voidReasonSchema = lineSchema(VOID_REASON_MAX_LENGTH);

export const issueCertificateSchema = z.strictObject({
  /** The meeting that it is about. */
  assessmentId: idSchema,
  /** What it says beyond that the person attended. */
  statements: z.array(z.enum(STATEMENTS)).max(STATEMENTS.length),
  /** The signer says that what a statement warns of puts nobody in danger. */
  isHarmless: z.boolean().optional(),
  issuedOn: daySchema,
  /** Why the one that stands is void, where there is one. */
  replaceReason: voidReasonSchema,
});
export const useCertificateSchema = z.strictObject({ id: idSchema, usedOn: daySchema });
export const voidCertificateSchema = z.strictObject({
  id: idSchema,
  reason: voidReasonSchema.refine(hasWord, "Say why"),
});
export const listCertificatesSchema = z.strictObject({ caseId: idSchema });
export const certificateOptionsSchema = z.strictObject({ assessmentId: idSchema });

/** What can be certified of a meeting as the records stand, and of the rest which fact is missing. */
export const certificateChoicesSchema = z.object({
  attendedOn: daySchema,
  /** The base statement. */
  attended: z.string(),
  mediatorName: z.string(),
  minutes: z.number().int().nullable(),
  countsFrom: z.enum(CERTIFICATES_COUNT_FROM),
  /** Where it is issued today. */
  expiresOn: daySchema,
  /** Why none can be issued, by whoever asks; empty where one can. */
  blockers: z.array(z.string()),
  statements: z.array(
    z.object({
      statement: z.enum(STATEMENTS),
      sentence: z.string(),
      isAllowed: z.boolean(),
      because: z.string(),
      warning: z.string(),
    }),
  ),
  /** Those that a new one makes void, and when they were used; empty where they were not. */
  replaces: z.array(z.object({ number: z.string(), usedOn: z.string() })),
});
export type CertificateChoices = z.infer<typeof certificateChoicesSchema>;

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
  /** Empty where it was not recorded. */
  attendedOn: z.string(),
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
