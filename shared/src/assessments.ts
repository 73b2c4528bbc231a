// The record of one party's assessment meeting (MIAM): that it was attended, and how it was held.
import { z } from "zod";
import type { PartyStatus } from "./case-states.ts";
import { eachOnce } from "./each-once.ts";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

/** Whoever held a shorter one says why. */
export const USUAL_MIAM_MINUTES = 45;
/** In less than this hardly anybody covers what a MIAM has to: whoever records one says that they did. */
export const LEAST_MIAM_MINUTES = 15;
export const MIAM_MAX_MINUTES = 480;
export const WHY_MAX_LENGTH = 1000;
export const SERVICE_MAX_LENGTH = 120;
export const EVIDENCE_MAX_LENGTH = 200;
export const OTHER_PEOPLE_MAX_LENGTH = 200;
/** Of somebody else's mediator. */
export const URN_MAX_LENGTH = 20;

export const MIAM_PLACES = ["in_person", "video", "phone"] as const;
export const MIAM_PLACE_NAMES = {
  in_person: "In person",
  video: "By video",
  phone: "By phone",
} as const satisfies Record<(typeof MIAM_PLACES)[number], string>;

export const MIAM_COMPANIES = ["alone", "with"] as const;
export const MIAM_COMPANY_NAMES = {
  alone: "Without any other participant",
  with: "With other participants",
} as const satisfies Record<(typeof MIAM_COMPANIES)[number], string>;

/** How it is known that another service held one: what somebody only tells is kept, and proves nothing. */
export const EVIDENCE_KINDS = ["certificate", "confirmed", "told"] as const;
export const EVIDENCE_KIND_NAMES = {
  certificate: "Their certificate was seen",
  confirmed: "The mediator who held it confirmed it",
  told: "Somebody only told us so",
} as const satisfies Record<(typeof EVIDENCE_KINDS)[number], string>;

/** Non-court dispute resolution (FPR 2.3 and 3.9): which of it may suit is told at the meeting. */
export const NCDR_FORMS = [
  "mediation",
  "arbitration",
  "neutral_evaluation",
  "collaborative_law",
  "other",
  "none",
] as const;
export const NCDR_FORM_NAMES = {
  mediation: "Mediation",
  arbitration: "Arbitration",
  neutral_evaluation: "Neutral evaluation, such as a private FDR",
  collaborative_law: "Collaborative law",
  other: "Another form",
  none: "None of them",
} as const satisfies Record<(typeof NCDR_FORMS)[number], string>;

export const CHILD_INCLUSIVE = ["explained", "not_explained", "no_children"] as const;
export const CHILD_INCLUSIVE_NAMES = {
  explained: "Explained",
  not_explained: "Not explained",
  no_children: "There are no children",
} as const satisfies Record<(typeof CHILD_INCLUSIVE)[number], string>;

export const RISK_ASSESSMENTS = ["done", "not_done"] as const;
export const RISK_ASSESSMENT_NAMES = {
  done: "Done",
  not_done: "Not done",
} as const satisfies Record<(typeof RISK_ASSESSMENTS)[number], string>;

const longText = z.string().trim().max(WHY_MAX_LENGTH, `Use at most ${WHY_MAX_LENGTH} characters`);

const detailFields = {
  attendedOn: daySchema,
  place: z.enum(MIAM_PLACES, "Choose how it was held"),
  where: lineSchema(200),
  /** Why it was neither face to face nor by video. */
  phoneReason: lineSchema(300).default(""),
  /** Of somebody under 18: who acts for them, or why a MIAM was held without. */
  underAgeReason: lineSchema(300).default(""),
  /** Why whoever held it held something in another case at that time. */
  hoursReason: lineSchema(300).default(""),
  minutes: z
    .number("Enter how many minutes it took")
    .int("Enter whole minutes")
    .min(1, "Enter how many minutes it took")
    .max(MIAM_MAX_MINUTES, `Enter at most ${MIAM_MAX_MINUTES} minutes`),
  /** Why it was shorter than usual. */
  shortReason: lineSchema(300),
  /** That one of a few minutes covered what it had to. */
  isBriefConfirmed: z.boolean(),
  mediatorId: z.string().min(1, "Choose the mediator who conducted it").pipe(idSchema),
  company: z.enum(MIAM_COMPANIES, "Choose who was there"),
  /** The other parties who were there. */
  withPartyIds: z
    .array(idSchema)
    .max(PARTIES_MAX)
    .refine((ids) => eachOnce(ids, (id) => id), "Name each participant once"),
  /** Who was in the room and takes no part in the case, such as an interpreter or a supporter. */
  otherPeople: lineSchema(OTHER_PEOPLE_MAX_LENGTH).default(""),
  forms: z.array(z.enum(NCDR_FORMS)).min(1, "Choose what may suit, or none").max(NCDR_FORMS.length),
  formsReason: longText.refine(hasWord, "Say why"),
  childInclusive: z.enum(CHILD_INCLUSIVE, "Choose one"),
  /** Why it was not explained. */
  childInclusiveReason: longText,
  signposting: longText,
  riskAssessment: z.enum(RISK_ASSESSMENTS, "Choose one"),
  /** Why it was not done. */
  riskReason: longText,
};
const detailsSchema = z.strictObject(detailFields);
export type AssessmentDetails = z.infer<typeof detailsSchema>;

function checkDetails(
  {
    place,
    where,
    phoneReason,
    minutes,
    shortReason,
    isBriefConfirmed,
    company,
    withPartyIds,
    forms,
    ...said
  }: Omit<AssessmentDetails, "attendedOn">,
  context: z.RefinementCtx,
) {
  const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (place === "in_person" && !where) report("where", "Say where it was held");
  if (place === "phone" && !hasWord(phoneReason)) report("phoneReason", "Say why it was held by phone");
  if (minutes >= 1 && minutes < USUAL_MIAM_MINUTES && !hasWord(shortReason))
    report("shortReason", `Say why it was shorter than ${USUAL_MIAM_MINUTES} minutes`);
  if (minutes >= 1 && minutes < LEAST_MIAM_MINUTES && !isBriefConfirmed)
    report(
      "isBriefConfirmed",
      `A meeting of under ${LEAST_MIAM_MINUTES} minutes can hardly cover what it has to. Confirm that it did, or do not record it`,
    );
  if (company === "with" && withPartyIds.length === 0) report("withPartyIds", "Choose who was there");
  if (company === "alone" && withPartyIds.length > 0)
    report("withPartyIds", "Whoever attended alone was with none of these");
  if (forms.includes("none") && forms.length > 1) report("forms", "Choose what may suit, or none of them");
  if (said.childInclusive === "not_explained" && !hasWord(said.childInclusiveReason))
    report("childInclusiveReason", "Say why it was not explained");
  if (said.riskAssessment === "not_done" && !hasWord(said.riskReason)) report("riskReason", "Say why it was not done");
}

export const assessmentDetailsSchema = detailsSchema.superRefine(checkDetails);

export const recordAssessmentSchema = z
  .strictObject({ ...detailFields, caseId: idSchema, partyId: idSchema })
  .superRefine(checkDetails);
export type RecordAssessment = z.infer<typeof recordAssessmentSchema>;

const elsewhereFields = {
  attendedOn: daySchema,
  service: lineSchema(SERVICE_MAX_LENGTH).min(1, "Enter the service's name"),
  mediatorName: lineSchema(SERVICE_MAX_LENGTH).min(1, "Enter the mediator's name"),
  /** On every certificate, and what a mediator says who confirms one. */
  accreditationNumber: lineSchema(URN_MAX_LENGTH),
  evidenceKind: z.enum(EVIDENCE_KINDS, "Choose how you know of it"),
  evidence: lineSchema(EVIDENCE_MAX_LENGTH).refine(hasWord, "Say what you have seen, or who told you and when"),
};

const NUMBER_IS_ON_IT = {
  path: ["accreditationNumber"],
  message: "Enter the mediator's FMC number (URN): it stands on the certificate. Without it, choose that you were told",
};
const hasItsNumber = ({ accreditationNumber, evidenceKind }: { accreditationNumber: string; evidenceKind: string }) =>
  evidenceKind === "told" || hasWord(accreditationNumber);

/** One that another service held: we know of it what was seen, and certify nothing of it. */
export const elsewhereDetailsSchema = z.strictObject(elsewhereFields).refine(hasItsNumber, NUMBER_IS_ON_IT);
export type ElsewhereDetails = z.infer<typeof elsewhereDetailsSchema>;
export const recordElsewhereSchema = z
  .strictObject({ ...elsewhereFields, caseId: idSchema, partyId: idSchema })
  .refine(hasItsNumber, NUMBER_IS_ON_IT);

const versioned = { id: idSchema, version: z.number().int().min(0) };
export const CORRECTION_REASON_MAX_LENGTH = 200;
const reasonSchema = lineSchema(CORRECTION_REASON_MAX_LENGTH);

/** The reason is asked for where something that was recorded changes, not where what was missing is filled in. */
export const correctAssessmentSchema = z
  .strictObject({ ...versioned, ...detailFields, reason: reasonSchema })
  .superRefine(checkDetails);
export const strikeAssessmentSchema = z.strictObject({ ...versioned, reason: reasonSchema.min(1, "Say why") });
export const listAssessmentsSchema = z.strictObject({ caseId: idSchema });

/** What is not known is empty. */
const unknown = z.literal("");
export const assessmentSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  partyId: idSchema,
  /** Struck: recorded in error; it stays readable and counts for nothing. */
  status: z.enum(["held", "struck"]),
  /** By whom it came: typed, of the calendar, of a step of the party, from before details were asked, or held elsewhere. */
  origin: z.enum(["recorded", "meeting", "step", "before_details", "elsewhere"]),
  attendedOn: daySchema,
  place: z.enum(MIAM_PLACES).or(unknown),
  where: z.string(),
  /** Empty in those from before it was asked. */
  phoneReason: z.string(),
  underAgeReason: z.string(),
  hoursReason: z.string(),
  minutes: z.number().int().nullable(),
  /** As the calendar had it. */
  plannedMinutes: z.number().int().nullable(),
  shortReason: z.string(),
  isBriefConfirmed: z.boolean(),
  mediatorId: z.string(),
  mediatorName: z.string(),
  /** Of one that was held elsewhere only: by which service, the mediator's number, and what was seen of it. */
  service: z.string(),
  accreditationNumber: z.string(),
  evidence: z.string(),
  /** Empty where it was not asked how it is known, and of those that we held. */
  evidenceKind: z.enum(EVIDENCE_KINDS).or(unknown),
  /** Together, with each other participant, is what was asked before their names were. */
  company: z.enum([...MIAM_COMPANIES, "together"]).or(unknown),
  withPartyIds: z.array(idSchema),
  otherPeople: z.string(),
  forms: z.array(z.enum(NCDR_FORMS)),
  formsReason: z.string(),
  childInclusive: z.enum(CHILD_INCLUSIVE).or(unknown),
  childInclusiveReason: z.string(),
  signposting: z.string(),
  riskAssessment: z.enum(RISK_ASSESSMENTS).or(unknown),
  riskReason: z.string(),
  /** It was no MIAM yet, or the screening by which it was one is struck: nothing is certified of it. Said to every reader, because it is asked of every certificate. */
  lacksRiskAssessment: z.boolean(),
  meetingId: idSchema.nullable(),
  /** What was said there is not told to this reader, and is empty here. */
  isWithheld: z.boolean(),
  /** Nothing is missing that is asked of a record. */
  isComplete: z.boolean(),
  /** A certificate stands on it, so that it is not changed. */
  isCertified: z.boolean(),
  corrections: z.array(z.object({ at: instantSchema, byName: z.string(), reason: z.string() })),
  version: z.number().int(),
  createdAt: instantSchema,
});
export type Assessment = z.infer<typeof assessmentSchema>;
export const assessmentListSchema = z.object({ items: z.array(assessmentSchema) });

/** That another service held it was only told, or it was not asked how it is known: it is kept, and proves nothing. */
export const isOnlyTold = ({ origin, evidenceKind }: Pick<Assessment, "origin" | "evidenceKind">): boolean =>
  origin === "elsewhere" && evidenceKind !== "certificate" && evidenceKind !== "confirmed";

/** From these the meeting leads on: whoever attended it answered, whatever was noted before. */
export const BEFORE_MIAM: readonly PartyStatus[] = [
  "to_invite",
  "invited",
  "no_response",
  "responded",
  "intake_done",
  "miam_booked",
  "miam_missed",
];
/** From these a missed one does. */
export const MAY_MISS_MIAM: readonly PartyStatus[] = [
  "to_invite",
  "invited",
  "responded",
  "intake_done",
  "miam_booked",
];
