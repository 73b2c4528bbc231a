import { z } from "zod";
import { CASE_DOMAINS } from "./case-transitions.ts";
import { REFERRAL_SOURCES } from "./cases.ts";
import { BULK_MAX } from "./clients.ts";
import { conflictHitSchema } from "./conflicts.ts";
import { FORM_FIELDS_MAX, LABEL_MAX_LENGTH } from "./form-limits.ts";
import { idSchema } from "./ids.ts";
import { intakeSchema } from "./intake.ts";
import { LEAD_REACHES } from "./lead-reaches.ts";
import { LEAD_STATUSES, LOST_REASONS, MOVED_TO } from "./lead-states.ts";
import { CASE_MAIL_STATES } from "./mail.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { searchSchema } from "./search-text.ts";
import {
  lineSchema,
  optionalEmailSchema,
  ORGANISATION_MAX_LENGTH,
  personNameSchema,
  phoneNumberSchema,
} from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";

export const LEAD_SUMMARY_MAX_LENGTH = 2000;
export const LEAD_NOTE_MAX_LENGTH = 500;
export const LEAD_LETTER_MAX_LENGTH = 5000;
export const LEAD_LETTERS_MAX = 100;
export const NEXT_STEP_MAX_LENGTH = 80;
const TRACE_MAX_LENGTH = 120;
const LANDING_MAX_LENGTH = 300;
const CONSENT_MAX_LENGTH = 1000;

/** By which way it came here; how they heard of the practice is its source. */
export const LEAD_CHANNELS = ["form", "booking", "phone", "email", "in_person", "other"] as const;
export type LeadChannel = (typeof LEAD_CHANNELS)[number];
export const LEAD_CHANNEL_NAMES = {
  form: "Website form",
  booking: "Booking page",
  phone: "Phone",
  email: "Email",
  in_person: "In person",
  other: "Other",
} as const satisfies Record<LeadChannel, string>;
/** Those of them that a person enters by hand. */
export const HAND_CHANNELS = ["phone", "email", "in_person", "other"] as const satisfies readonly LeadChannel[];

const optional = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal(""), schema]);

const personFields = {
  firstName: optional(personNameSchema),
  lastName: optional(personNameSchema),
  email: optionalEmailSchema,
  phone: optional(phoneNumberSchema),
  dateOfBirth: optional(daySchema),
};
/** With whom they are in dispute, as far as they said it. */
export const otherPersonSchema = z.strictObject(personFields);
export type OtherPerson = z.infer<typeof otherPersonSchema>;

/** Where somebody came from before they wrote, as the page that they wrote on noted it: text, and nothing else. */
export const attributionSchema = z.strictObject({
  utmSource: lineSchema(TRACE_MAX_LENGTH),
  utmMedium: lineSchema(TRACE_MAX_LENGTH),
  utmCampaign: lineSchema(TRACE_MAX_LENGTH),
  utmTerm: lineSchema(TRACE_MAX_LENGTH),
  utmContent: lineSchema(TRACE_MAX_LENGTH),
  referrerHost: lineSchema(253),
  landingPath: lineSchema(LANDING_MAX_LENGTH),
});
export type Attribution = z.infer<typeof attributionSchema>;
export const NO_ATTRIBUTION: Attribution = {
  utmSource: "",
  utmMedium: "",
  utmCampaign: "",
  utmTerm: "",
  utmContent: "",
  referrerHost: "",
  landingPath: "",
};

const enquiryFieldsSchema = z.strictObject({
  ...personFields,
  organisation: lineSchema(ORGANISATION_MAX_LENGTH),
  other: otherPersonSchema.nullable(),
  domain: z.enum(CASE_DOMAINS),
  source: z.enum(REFERRAL_SOURCES),
  campaign: lineSchema(80),
  summary: z.string().trim().max(LEAD_SUMMARY_MAX_LENGTH, `Use at most ${LEAD_SUMMARY_MAX_LENGTH} characters`),
  reachBy: z.enum(["", ...LEAD_REACHES]),
  reachNote: lineSchema(LEAD_NOTE_MAX_LENGTH),
  nextStep: lineSchema(NEXT_STEP_MAX_LENGTH),
  nextOn: optional(daySchema),
});
type EnquiryFields = z.infer<typeof enquiryFieldsSchema>;

function checkEnquiry({ lastName, organisation }: EnquiryFields, context: z.RefinementCtx<EnquiryFields>) {
  if (lastName || organisation) return;
  context.addIssue({ code: "custom", path: ["lastName"], message: "Enter a last name or an organisation" });
}

/** What is known of somebody who asks; every way in is brought into this shape. */
export const enquirySchema = enquiryFieldsSchema.superRefine(checkEnquiry);
export type Enquiry = z.infer<typeof enquirySchema>;

export const createLeadSchema = z.strictObject({ channel: z.enum(HAND_CHANNELS), lead: enquirySchema });
export type CreateLead = z.infer<typeof createLeadSchema>;

const answersPlaceSchema = z.object({ formId: idSchema, submissionId: idSchema });

/** What comes by a form or a booking: beside the enquiry what was agreed to, and where they came from. */
export const capturedLeadSchema = z.strictObject({
  channel: z.enum(LEAD_CHANNELS),
  lead: enquirySchema,
  attribution: attributionSchema,
  /** The words that were agreed to, empty where nothing was asked. */
  consent: lineSchema(CONSENT_MAX_LENGTH),
  /** What the answers say that somebody must know before anything is done. */
  flags: z.array(lineSchema(LABEL_MAX_LENGTH)).max(FORM_FIELDS_MAX),
  /** The answers that it was made of; null where it came by no form. */
  answers: answersPlaceSchema.nullable(),
  /** They said of how to be reached what not everybody may read: it stands among the answers alone. */
  isReachConfided: z.boolean().optional(),
});
export type CapturedLead = z.infer<typeof capturedLeadSchema>;

const versioned = { id: idSchema, version: z.number().int().min(0) };

export const updateLeadSchema = z.strictObject({ ...versioned, lead: enquirySchema });
export const moveLeadSchema = z.strictObject({ ...versioned, to: z.enum(MOVED_TO) });
export const loseLeadSchema = z.strictObject({
  ...versioned,
  reason: z.enum(LOST_REASONS, "Choose why"),
  note: lineSchema(LEAD_NOTE_MAX_LENGTH),
});
export const writeToLeadSchema = z.strictObject({
  id: idSchema,
  subject: lineSchema(200).min(1, "Enter a subject"),
  text: z.string().trim().min(1, "Write something").max(LEAD_LETTER_MAX_LENGTH),
});
export const leadVersionSchema = z.strictObject(versioned);
export const convertLeadSchema = z.strictObject({ ...versioned, intake: intakeSchema });

export const setSpamSchema = z.strictObject({ ids: z.array(idSchema).min(1).max(BULK_MAX), isSpam: z.boolean() });
export const spamSetSchema = z.object({ changed: z.number().int() });

/** The lead that a client came of; null where they came by none. */
export const leadOfClientSchema = z.object({ lead: z.object({ id: idSchema, createdAt: instantSchema }).nullable() });
export type LeadOfClient = z.infer<typeof leadOfClientSchema>;

export const convertedLeadSchema = z.object({
  id: idSchema,
  clientId: idSchema,
  caseId: idSchema,
  displayName: z.string(),
});

/** What the practice's records held when the names of the enquiry were looked for. */
const leadConflictSchema = z.object({
  hits: z.array(conflictHitSchema),
  isCut: z.boolean(),
  checkedAt: instantSchema,
  /** Null while nobody has looked at it. */
  lookedAt: instantSchema.nullable(),
  lookedByName: z.string(),
});
export type LeadConflict = z.infer<typeof leadConflictSchema>;

/** A mail that was written to them from here, and how it stands. */
const leadLetterSchema = z.object({
  id: idSchema,
  at: instantSchema,
  byName: z.string(),
  state: z.enum(CASE_MAIL_STATES),
});

const leadStepSchema = z.object({ to: z.enum(LEAD_STATUSES), at: instantSchema, byName: z.string() });

const twinSchema = z.object({
  id: idSchema,
  displayName: z.string(),
  status: z.enum(LEAD_STATUSES),
  createdAt: instantSchema,
});

const shownSchema = z.object({
  id: idSchema,
  displayName: z.string(),
  status: z.enum(LEAD_STATUSES),
  statusSince: instantSchema,
  channel: z.enum(LEAD_CHANNELS),
  source: z.enum(REFERRAL_SOURCES),
  domain: z.enum(CASE_DOMAINS),
  reachBy: enquiryFieldsSchema.shape.reachBy,
  isFlagged: z.boolean(),
  nextStep: z.string(),
  nextOn: z.string(),
  firstResponseAt: instantSchema.nullable(),
  responseDueAt: instantSchema,
  lostReason: z.enum(LOST_REASONS).nullable(),
  converted: z.object({ clientId: idSchema, caseId: idSchema, caseRef: z.string(), at: instantSchema }).nullable(),
  /** "pending" until the records were looked through; the hits stand in the lead itself. */
  conflictState: z.enum(["pending", "clear", "to_look_at", "looked_at"]),
  hasTwins: z.boolean(),
  isSpam: z.boolean(),
  /** Something with the same address or phone number was spam. */
  isFromSpammer: z.boolean(),
  version: z.number().int(),
  createdAt: instantSchema,
});

export const leadRowSchema = shownSchema.extend({ email: z.string(), phone: z.string() });
export type LeadRow = z.infer<typeof leadRowSchema>;

export const leadSchema = z.object({
  ...enquiryFieldsSchema.shape,
  ...shownSchema.shape,
  attribution: attributionSchema,
  consent: z.string(),
  flags: z.array(z.string()),
  answers: answersPlaceSchema.nullable(),
  isReachConfided: z.boolean(),
  conflict: leadConflictSchema.nullable(),
  /** Others with the same address or phone number. */
  twins: z.array(twinSchema),
  lostNote: z.string(),
  letters: z.array(leadLetterSchema),
  steps: z.array(leadStepSchema),
  updatedAt: instantSchema,
  updatedByName: z.string(),
});
export type Lead = z.infer<typeof leadSchema>;

export const LEAD_SORTS = ["due", "name", "createdAt"] as const;
export const LEAD_AGES = { week: 7, month: 30, quarter: 91 } as const;
export type LeadAge = keyof typeof LEAD_AGES;

export const listLeadsSchema = z.strictObject({
  ...pageInputSchema.shape,
  search: searchSchema,
  /** All that are open where left out; spam stands apart from all. */
  state: z.enum([...LEAD_STATUSES, "all", "spam"]).optional(),
  source: z.enum(REFERRAL_SOURCES).optional(),
  channel: z.enum(LEAD_CHANNELS).optional(),
  /** Came in so recently. */
  age: z.enum(["week", "month", "quarter"]).optional(),
  sort: z.enum(LEAD_SORTS).default("due"),
  isDescending: z.boolean().default(false),
});
export type ListLeads = z.input<typeof listLeadsSchema>;
export const leadPageSchema = pageOf(leadRowSchema);

/** Closed leads stand on the board for so long. */
export const BOARD_DAYS = 30;
export const BOARD_CARDS_MAX = 20;

export const leadBoardInputSchema = listLeadsSchema.pick({ search: true, source: true, channel: true });
export const leadBoardSchema = z.object({
  columns: z.array(z.object({ status: z.enum(LEAD_STATUSES), count: z.number().int(), leads: z.array(leadRowSchema) })),
  /** Of those that came in the last days. */
  recent: z.object({
    came: z.number().int(),
    converted: z.number().int(),
    /** The middle one of the times until somebody was first answered; null where nobody was. */
    medianResponseMinutes: z.number().nullable(),
  }),
});
export type LeadBoard = z.infer<typeof leadBoardSchema>;

export const leadSettingsSchema = z.strictObject({
  /** Whoever sends an enquiry form gets the practice's answer to it at once. */
  isReplyOn: z.boolean(),
});

type LeadName = Pick<EnquiryFields, "firstName" | "lastName" | "organisation">;

/** The person's name; without one, the organisation's. */
export const leadName = ({ firstName, lastName, organisation }: LeadName): string =>
  [firstName, lastName].filter(Boolean).join(" ") || organisation;

export const EMPTY_OTHER: OtherPerson = { firstName: "", lastName: "", email: "", phone: "", dateOfBirth: "" };
