import { z } from "zod";
import { hasAttendedMiam, type PartyStatus } from "./case-states.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

/** A certificate is good for an application made within four months (Family Procedure Rules, Practice Direction 3A). */
export const CERTIFICATE_MONTHS = 4;
export const CERTIFICATE_REMINDER_DAYS = 21;

export const CERTIFICATE_REASONS = [
  "respondent_unwilling",
  "unsuitable",
  "exempt",
  "applicant_stops",
  "respondent_stops",
  "broken_down",
] as const;
export type CertificateReason = (typeof CERTIFICATE_REASONS)[number];

/** The certified sentence; it names nobody but the applicant. */
export const CERTIFICATE_REASON_NAMES = {
  respondent_unwilling: "The other party was unwilling to attend, or did not attend without good reason",
  unsuitable: "The mediator considers that mediation is not suitable",
  exempt: "The mediator is satisfied that a MIAM exemption applies",
  applicant_stops: "The applicant attended and does not wish to start or continue mediation",
  respondent_stops: "Both attended, and the other party does not wish to start or continue mediation",
  broken_down: "Mediation started, and has broken down or ended with issues unresolved",
} as const satisfies Record<CertificateReason, string>;

export const CERTIFICATE_STATUSES = ["issued", "used", "expired", "void"] as const;

interface PartyStanding {
  partyId: string;
  status: PartyStatus;
}

interface CaseStanding {
  status: string;
  parties: readonly PartyStanding[];
}

const isUnwilling = ({ status }: PartyStanding) => status === "no_response" || status === "refused";
const wasMediated = ({ status }: CaseStanding) =>
  ["in_mediation", "paused", "concluded", "closed", "terminated"].includes(status);

/** The reasons that may be certified for this party as the case stands; none where no certificate is allowed. */
export function allowedReasons(theCase: CaseStanding, partyId: string): CertificateReason[] {
  const applicant = theCase.parties.find((party) => party.partyId === partyId);
  if (!applicant) return [];
  const others = theCase.parties.filter((party) => party.partyId !== partyId);
  const hasAttended = hasAttendedMiam(applicant);
  const isUnsuitable = [applicant, ...others].some(({ status }) => status === "not_suitable");
  const rules: Record<CertificateReason, boolean> = {
    respondent_unwilling: hasAttended && others.some(isUnwilling),
    unsuitable: hasAttended && isUnsuitable,
    // An exemption is what a certificate says instead of a meeting.
    exempt: true,
    applicant_stops: hasAttended,
    respondent_stops: hasAttended && others.some(({ status }) => status === "withdrawn"),
    broken_down: hasAttended && wasMediated(theCase),
  };
  return CERTIFICATE_REASONS.filter((reason) => rules[reason]);
}

export const issueCertificateSchema = z.strictObject({
  caseId: idSchema,
  partyId: idSchema,
  reason: z.enum(CERTIFICATE_REASONS),
  issuedOn: daySchema,
});
export const useCertificateSchema = z.strictObject({ id: idSchema, usedOn: daySchema });
export const voidCertificateSchema = z.strictObject({ id: idSchema, reason: lineSchema(200).min(1, "Say why") });
export const listCertificatesSchema = z.strictObject({ caseId: idSchema });

export const certificateSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  partyId: idSchema,
  number: z.string(),
  status: z.enum(CERTIFICATE_STATUSES),
  reason: z.enum(CERTIFICATE_REASONS),
  issuedOn: daySchema,
  expiresOn: daySchema,
  /** Empty until it was used. */
  usedOn: z.string(),
  voidReason: z.string(),
  daysLeft: z.number().int(),
  mediatorName: z.string(),
  accreditationNumber: z.string(),
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
  issuedOn: daySchema,
  expiresOn: daySchema,
  daysLeft: z.number().int(),
});
export type ExpiringCertificate = z.infer<typeof expiringCertificateSchema>;
