import { z } from "zod";
import { outcomeSchema } from "./case-outcomes.ts";
import { roundSchema } from "./case-rounds.ts";
import { ASSESSED_STATUSES, CASE_STATUSES, ENDINGS, PARTY_STATUSES, type PartyStatus } from "./case-states.ts";
import { agreementSchema, newAgreementSchema } from "./agreements.ts";
import { CASE_DOMAINS } from "./case-transitions.ts";
import { contactAgreementSchema } from "./contact-agreements.ts";
import { CONFIDENCES } from "./confidences.ts";
import { disclosureSchema } from "./disclosures.ts";
import { CHILDREN_MAX, inclusionSchema } from "./child-inclusive.ts";
import { eachOnce } from "./each-once.ts";
import { hasWord } from "./has-word.ts";
import { idSchema } from "./ids.ts";
import { lineSchema, personNameSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX } from "./visibility.ts";

export const MEDIATORS_MAX = 4;
export const STAFF_MAX = 20;
export const REASON_MAX_LENGTH = 300;
export const WHOLE_SHARE_BP = 10_000;

export const ISSUE_SCOPES = ["all_issues", "property_finance", "child_only", "other"] as const;
export const CASE_FORMATS = ["in_person", "online", "phone", "hybrid", "shuttle"] as const;
export const PARTY_ROLES = ["initiator", "respondent", "participant"] as const;
export const FUNDING_TYPES = ["private", "legal_aid", "voucher", "employer", "grant", "pro_bono"] as const;
export const REFERRAL_SOURCES = [
  "self",
  "solicitor",
  "court",
  "gp",
  "charity",
  "employer",
  "website",
  "other",
] as const;
/** What a case waits for when it waits for no party. */
export const WAITING_FOR_PRACTICE = "practice";
export const WAITING_FOR_NOBODY = "nobody";

const optionalDaySchema = z.union([z.literal(""), daySchema]);
const optionalIdSchema = z.union([z.literal(""), idSchema]);
/** Empty where nobody asks why; a dot or a dash is no reason. */
export const reasonSchema = lineSchema(REASON_MAX_LENGTH).refine(
  (text) => text === "" || hasWord(text),
  "Say why, in words",
);
const versionSchema = z.number().int().min(0);
/** Whether a party left because they decided to; null where nobody said. */
const ownDecisionSchema = z.boolean().nullable();

export const fundingSchema = z.strictObject({
  type: z.enum(FUNDING_TYPES),
  /** Share of the joint costs in basis points; the shares of all parties make 10,000. */
  shareBp: z.number().int().min(0).max(WHOLE_SHARE_BP),
  payerContactId: optionalIdSchema,
});
export type Funding = z.infer<typeof fundingSchema>;

export const mediatorSchema = z.strictObject({ userId: idSchema, isLead: z.boolean() });

export const childSchema = z.strictObject({
  /** Named by whoever adds the child. */
  childId: idSchema,
  firstName: personNameSchema,
  dateOfBirth: optionalDaySchema,
  livesWith: lineSchema(100),
  cim: inclusionSchema,
});
export type Child = z.infer<typeof childSchema>;

/** The last step, while it can be taken back: where it led from and to, and when. */
const lastStepOf = <Status extends z.ZodType>(status: Status) =>
  z.object({ from: status, to: status, at: instantSchema });

export const partySchema = z.object({
  partyId: idSchema,
  clientId: idSchema,
  /** P1, P2, ... in the order in which they joined; never reused. */
  label: z.string(),
  name: z.string(),
  side: z.string(),
  role: z.enum(PARTY_ROLES),
  status: z.enum(PARTY_STATUSES),
  statusSince: instantSchema,
  /** Null for those who were there from the start. */
  joinedAt: instantSchema.nullable(),
  /** Null for those who take part. */
  leftAt: instantSchema.nullable(),
  /** When they had left, and came back. */
  absences: z.array(z.object({ from: instantSchema, to: instantSchema })),
  /** The same by the days of these steps, as they were recorded. */
  daysAway: z.array(z.object({ from: optionalDaySchema, to: optionalDaySchema })),
  /** Of these the days until they were back in the case, signed again or not. */
  daysOut: z.array(z.object({ from: optionalDaySchema, to: optionalDaySchema })),
  reason: z.string(),
  lastStep: lastStepOf(z.enum(PARTY_STATUSES))
    .extend({ on: optionalDaySchema, isOwnDecision: ownDecisionSchema })
    .nullable(),
  /** The days on which each step was reached; empty where it was not. */
  respondedOn: optionalDaySchema,
  intakeDoneOn: optionalDaySchema,
  miamOn: optionalDaySchema,
  assessedOn: optionalDaySchema,
  /** What was found on that day, whatever they did since; null where that is not known, or not told. */
  assessedAs: z.enum(ASSESSED_STATUSES).nullable(),
  consentedOn: optionalDaySchema,
  agreementSignedOn: optionalDaySchema,
  /** Null where nobody asked yet. */
  contactAgreement: contactAgreementSchema.nullable(),
  /** They are invited by nothing but what is written and has not left. */
  isInvitationWaiting: z.boolean(),
  funding: fundingSchema,
  representativeContactIds: z.array(idSchema),
});
export type Party = z.infer<typeof partySchema>;

const caseFields = {
  domain: z.enum(CASE_DOMAINS),
  issueScope: z.enum(ISSUE_SCOPES),
  matter: lineSchema(200),
  format: z.enum(CASE_FORMATS),
  mediators: z.array(mediatorSchema).max(MEDIATORS_MAX),
  /** Who works on it beside the mediators. */
  staffIds: z.array(idSchema).max(STAFF_MAX, `A case has at most ${STAFF_MAX} people beside its mediators`),
  children: z.array(childSchema).max(CHILDREN_MAX),
  referral: z.strictObject({
    source: z.enum(REFERRAL_SOURCES),
    contactId: optionalIdSchema,
    campaign: lineSchema(80),
  }),
  flags: z.strictObject({
    safeguarding: z.enum(["not_assessed", "none", "noted", "high"]),
    isUrgent: z.boolean(),
    mustNotMeet: z.boolean(),
  }),
  startedOn: optionalDaySchema,
  nextReviewOn: optionalDaySchema,
};
export type CaseFields = z.infer<z.ZodObject<typeof caseFields>>;

/** As they are entered: of each mediator and each parent once. */
const enteredFields = {
  ...caseFields,
  mediators: caseFields.mediators.refine(
    (mediators) => eachOnce(mediators, ({ userId }) => userId),
    "Name each mediator once",
  ),
  children: caseFields.children.superRefine((children, context) => {
    if (!eachOnce(children, ({ childId }) => childId))
      context.addIssue({ code: "custom", message: "Name each child once" });
    for (const [index, { cim }] of children.entries()) {
      const report = (field: keyof typeof cim, message: string) =>
        context.addIssue({ code: "custom", path: [index, "cim", field], message });
      if (!eachOnce(cim.parents, ({ partyId }) => partyId))
        report("parents", "Record one consent of each parent: that they consent, or that they withdrew");
      if (!eachOnce(cim.responsibility, ({ partyId }) => partyId))
        report("responsibility", "Say once of each party whether they have parental responsibility");
    }
  }),
};

const newPartySchema = z.strictObject({
  clientId: idSchema,
  role: z.enum(PARTY_ROLES),
  side: lineSchema(60),
});

export const createCaseSchema = z.strictObject({
  ...enteredFields,
  staffIds: caseFields.staffIds.default([]),
  /** Made by the practice's numbering where it is left empty. */
  caseRef: z.union([z.literal(""), z.string().regex(/^[A-Za-z0-9/.\- ]{1,30}$/, "Use letters, digits and / . -")]),
  parties: z.array(newPartySchema).min(1, "Choose at least one client").max(PARTIES_MAX),
});
export type CreateCase = z.infer<typeof createCaseSchema>;

const versioned = { id: idSchema, version: versionSchema };

export const updateCaseSchema = z.strictObject({ ...versioned, ...enteredFields });

export const moveCaseSchema = z.strictObject({
  ...versioned,
  to: z.enum(CASE_STATUSES),
  /** Required where the way asks why. */
  reason: reasonSchema,
  /** Required where the case ends without agreement, or does not proceed. */
  ending: z.enum(ENDINGS).nullable().default(null),
  /** On which day mediation, or a case in which it never began, ended; an empty day is today. */
  endedOn: optionalDaySchema.default(""),
  /** How many entries of its safeguarding record, and sessions to write up, wait as it ends, as far as whoever ends it was told. */
  openEntries: z.number().int().min(0).default(0),
  unwritten: z.number().int().min(0).default(0),
  outcome: outcomeSchema
    .refine(({ documents }) => eachOnce(documents, ({ kind }) => kind), {
      path: ["documents"],
      message: "Name each document once",
    })
    .nullable()
    .default(null),
});

export const addPartySchema = z.strictObject({ ...versioned, party: newPartySchema });

/** Takes out a party who was added by mistake. */
export const takeOutPartySchema = z.strictObject({
  ...versioned,
  partyId: idSchema,
  reason: reasonSchema.min(1, "Say why they are no party of this case"),
});

export const updatePartySchema = z.strictObject({
  ...versioned,
  partyId: idSchema,
  side: lineSchema(60),
  role: z.enum(PARTY_ROLES),
  consentedOn: optionalDaySchema,
  representativeContactIds: z.array(idSchema).max(5),
});

export const setFundingSchema = z
  .strictObject({
    ...versioned,
    parties: z
      .array(z.strictObject({ partyId: idSchema, funding: fundingSchema }))
      .max(PARTIES_MAX)
      .refine((funded) => eachOnce(funded, ({ partyId }) => partyId), "Set the funding of each party once"),
  })
  .refine(
    ({ parties }) =>
      parties.every(({ funding }) => funding.type !== "private") ||
      parties.reduce((sum, { funding }) => sum + funding.shareBp, 0) === WHOLE_SHARE_BP,
    { path: ["parties"], message: "The shares must add up to 100 %" },
  );

export const movePartySchema = z.strictObject({
  ...versioned,
  partyId: idSchema,
  to: z.enum(PARTY_STATUSES),
  /** The day on which it happened. */
  on: daySchema,
  reason: reasonSchema,
  /** What the agreement says that they sign; asked where nobody has said it yet. */
  confidences: z.enum(CONFIDENCES).nullable().default(null),
  /** Asked of whoever withdraws: a certificate repeats it as what they wish. */
  isOwnDecision: ownDecisionSchema.default(null),
  /** Whether they agreed to the time of their first meeting; asked where one is booked, and null where nobody said. */
  hasAgreed: z.boolean().nullable().default(null),
});

/** The days of a party's way that are put right where they stand: the step was taken, on another day. */
export const CORRECTED_DAYS = ["responded", "intake_done", "agreement_signed", "left"] as const;
export const CORRECTED_DAY_NAMES = {
  responded: "Answered",
  intake_done: "Intake",
  agreement_signed: "Agreement to mediate signed",
  left: "Takes no part any more",
} as const satisfies Record<(typeof CORRECTED_DAYS)[number], string>;
/** Of these the day is put right as that on which they left. */
export const LEAVING_STEPS: readonly PartyStatus[] = ["withdrawn", "refused", "no_response"];
export const correctDaySchema = z.strictObject({
  ...versioned,
  partyId: idSchema,
  of: z.enum(CORRECTED_DAYS, "Choose which day was wrong"),
  on: daySchema,
  reason: reasonSchema.refine(hasWord, "Say what was wrong"),
});

export const caseSchema = z.object({
  ...caseFields,
  id: idSchema,
  caseRef: z.string(),
  status: z.enum(CASE_STATUSES),
  statusSince: instantSchema,
  reason: z.string(),
  lastStep: lastStepOf(z.enum(CASE_STATUSES)).nullable(),
  /** A party's id, or one of the two words above. */
  waitingFor: z.string(),
  waitingSince: instantSchema,
  parties: z.array(partySchema),
  mediatorNames: z.array(z.string()),
  ending: z.enum(ENDINGS).nullable(),
  outcome: outcomeSchema.nullable(),
  /** How it ended before each time that it came back, the first first. */
  rounds: z.array(roundSchema),
  concludedOn: optionalDaySchema,
  /** What the signed agreement says; null where none is signed yet, or nobody said. */
  confidences: z.enum(CONFIDENCES).nullable(),
  agreements: z.array(agreementSchema),
  newAgreement: newAgreementSchema.nullable(),
  disclosures: z.array(disclosureSchema),
  version: versionSchema,
  createdAt: instantSchema,
});
export type Case = z.infer<typeof caseSchema>;
