// What people who fill in a form send and get, and what the practice reads of it.
import { z } from "zod";
import type { AnswerValue } from "./form-answers.ts";
import { formContentSchema } from "./form-content.ts";
import { sentFileNameSchema } from "./files.ts";
import { FORM_KINDS } from "./form-kinds.ts";
import {
  FIELD_TYPES,
  FORM_FIELDS_MAX,
  GROUP_FIELDS_MAX,
  LONG_TEXT_MAX_LENGTH,
  NUMBER_MAX,
  OPTIONS_MAX,
  SENSITIVITIES,
  SIGNATURE_POINTS_MAX,
  SIGNATURE_STROKES_MAX,
  MONEY_MAX_MINOR,
} from "./form-limits.ts";
import { formPartIdSchema } from "./form-logic.ts";
import { ROW_ID } from "./form-rows.ts";
import { byIdSchema, idSchema, tokenSchema } from "./ids.ts";
import { attributionSchema } from "./leads.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { PAGE_SIZE } from "./product.ts";
import { searchSchema } from "./search-text.ts";
import { ANSWERED_AGO_MAX_MS, MAILS_TO } from "./submission-limits.ts";
import { ANSWERS_MOVED_TO, SENT_STATUSES, SUBMISSION_STATUSES } from "./submission-states.ts";
import { daySchema, instantSchema } from "./time.ts";

/** The two parts of the address: which form, and the practice or the person. */
const placeSchema = z.strictObject({ formId: tokenSchema, userId: tokenSchema });
export type FormPlace = z.infer<typeof placeSchema>;
export const openFormSchema = placeSchema;

const textSchema = z.string().max(LONG_TEXT_MAX_LENGTH);
/** Longer than any question takes, so that what is too long is kept until it is shortened. */
const GIVEN_TEXT_MAX_LENGTH = 4 * LONG_TEXT_MAX_LENGTH;
const givenTextSchema = z.string().max(GIVEN_TEXT_MAX_LENGTH, "This text is too long to be kept. Shorten it.");
const amountSchema = z.number().min(-Math.max(NUMBER_MAX, MONEY_MAX_MINOR)).max(Math.max(NUMBER_MAX, MONEY_MAX_MINOR));
const partsSchema = z.record(formPartIdSchema, textSchema).refine((parts) => Object.keys(parts).length <= OPTIONS_MAX);
const signatureSchema = z.strictObject({
  name: textSchema,
  strokes: z.array(z.array(z.number()).max(SIGNATURE_POINTS_MAX)).max(SIGNATURE_STROKES_MAX),
});
const choicesSchema = z.array(textSchema).max(OPTIONS_MAX);
const rowSchema = z
  .record(
    z.union([formPartIdSchema, z.literal(ROW_ID)]),
    z.union([givenTextSchema, amountSchema, choicesSchema, partsSchema]),
  )
  .refine((row) => Object.keys(row).length <= GROUP_FIELDS_MAX + 1)
  .refine((row) => row[ROW_ID] === undefined || idSchema.safeParse(row[ROW_ID]).success);
const fileSchema = z.strictObject({ id: idSchema, name: z.string().max(200), bytes: z.number().int() });

/** An answer as somebody is just giving it: bounded, and not yet looked at by the rules of its question. */
const givenAnswerSchema: z.ZodType<AnswerValue, AnswerValue> = z.union([
  givenTextSchema,
  amountSchema,
  choicesSchema,
  z.array(fileSchema).max(OPTIONS_MAX),
  z.array(rowSchema).max(OPTIONS_MAX),
  signatureSchema,
  partsSchema,
]);
const answersSchema = z.record(formPartIdSchema, givenAnswerSchema);

/** How long ago, by the clock of whoever answered: an older answer never takes the place of a newer one. */
const agoMsSchema = z.number().int().min(0).max(ANSWERED_AGO_MAX_MS);

/** What was answered since the last save; null where an answer was taken out. */
const changeSchema = z.strictObject({
  fieldId: formPartIdSchema,
  answer: givenAnswerSchema.nullable(),
  agoMs: agoMsSchema,
  /** Of a repeat group whose rows have ids: what was done to which, so that nothing else of it is touched. */
  rows: z
    .array(z.strictObject({ rowId: idSchema, part: formPartIdSchema.nullable(), agoMs: agoMsSchema }))
    .max(OPTIONS_MAX * (GROUP_FIELDS_MAX + 1))
    .optional(),
});
export type AnswerChange = z.infer<typeof changeSchema>;

const savedFields = {
  ...placeSchema.shape,
  /** The version of the form that is on the screen. */
  number: z.number().int().min(1),
  /** The state that the answers on the screen are based on; 0 before the first save. */
  revision: z.number().int().min(0),
  changes: z.array(changeSchema).max(FORM_FIELDS_MAX),
  /** The page on which they stand; null for the one where all is checked. */
  pageId: formPartIdSchema.nullable(),
};

export const saveAnswersSchema = z.strictObject(savedFields);
export type SaveAnswers = z.infer<typeof saveAnswersSchema>;

export const submitAnswersSchema = z.strictObject({
  ...savedFields,
  /** What this sending is called, so that it arrives once. */
  id: idSchema,
  formToken: z.string().max(128),
  /** The files that stood on the screen. */
  fileIds: z.array(idSchema).max(FORM_FIELDS_MAX).optional(),
  /** A field that nobody sees, so that only a program fills it in. */
  website: z.string().max(200),
  /** Where they came from, of a form for enquiries. */
  attribution: attributionSchema.optional(),
});
export type SubmitAnswers = z.infer<typeof submitAnswersSchema>;

export const openedFormSchema = z.object({
  practiceName: z.string(),
  content: formContentSchema,
  number: z.number().int(),
  formToken: z.string(),
  answers: answersSchema,
  revision: z.number().int(),
  pageId: z.string().nullable(),
  /** Whether it was sent in already: then nothing of what was said is in here. */
  isSent: z.boolean(),
  /** The practice takes nothing at the moment. */
  isClosed: z.boolean(),
  /** By this address nobody could be found who answers, so it takes nothing. */
  needsOwnLink: z.boolean(),
  /** Whom to call in danger where the practice is; empty where that is not known. */
  emergencyNumber: z.string(),
  /** Whether this address leads back to what was typed, on any browser. */
  leadsBack: z.boolean(),
  /** Where they go once it was sent; empty for the thanks of the form. */
  redirectUrl: z.string(),
  /** It asks somebody who is not known yet; where they came from is sent along. */
  isEnquiry: z.boolean(),
  /** By which address they can ask for a mail: their own, which the practice knows, one that they type, or none. */
  mailsTo: z.enum(MAILS_TO),
  /** When a link of one's own ends; null for whoever has none, whose answers are kept for DRAFT_KEPT_DAYS. */
  expiresAt: instantSchema.nullable(),
});
export type OpenedForm = z.infer<typeof openedFormSchema>;

export const savedAnswersSchema = z.object({
  revision: z.number().int(),
  /** What was answered elsewhere since, and stands now; null where it was taken out there. Files as they are. */
  newer: z.record(z.string(), givenAnswerSchema.nullable()),
  /** Leads back to what was typed; null where the address itself does. */
  resumeId: z.string().nullable(),
});
export type SavedAnswers = z.infer<typeof savedAnswersSchema>;

export const submittedSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("sent"),
    at: instantSchema,
    /** Opens the receipt for a short while; null where this form gives none. */
    receipt: z.string().nullable(),
  }),
  z.object({
    state: z.literal("problems"),
    problems: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
  }),
]);
export type Submitted = z.infer<typeof submittedSchema>;

/** What is said of a file that comes as the body. */
export const formFileUploadSchema = z.strictObject({
  ...placeSchema.shape,
  id: idSchema,
  fieldId: formPartIdSchema,
  name: sentFileNameSchema,
});
export const removeFormFileSchema = z.strictObject({ ...placeSchema.shape, id: idSchema });

/** One question and what was answered, in words. */
export const answerLineSchema = z.object({
  fieldId: z.string(),
  label: z.string(),
  type: z.enum(FIELD_TYPES),
  text: z.string(),
  sensitivity: z.enum(SENSITIVITIES),
  files: z.array(z.object({ id: idSchema, name: z.string(), bytes: z.number().int() })),
  strokes: z.array(z.array(z.number())),
});
export type AnswerLine = z.infer<typeof answerLineSchema>;

export const submissionRowSchema = z.object({
  id: idSchema,
  formId: idSchema,
  formName: z.string(),
  kind: z.enum(FORM_KINDS),
  status: z.enum(SUBMISSION_STATUSES),
  clientId: idSchema.nullable(),
  clientName: z.string(),
  caseId: idSchema.nullable(),
  partyId: idSchema.nullable(),
  isSuspect: z.boolean(),
  /** What the mediator is told, as far as this person may read it. */
  flags: z.array(z.string()),
  startedAt: instantSchema,
  submittedAt: instantSchema.nullable(),
  version: z.number().int(),
});
export type SubmissionRow = z.infer<typeof submissionRowSchema>;

export const listSubmissionsSchema = z.strictObject({
  ...pageInputSchema.shape,
  formId: idSchema.optional(),
  clientId: idSchema.optional(),
  /** Only what came by no link of a client's own. */
  isUnlinked: z.boolean().optional(),
  status: z.enum(SENT_STATUSES).optional(),
  /** Those that look like spam apart from all others. */
  isSuspect: z.boolean().default(false),
  from: daySchema.optional(),
  until: daySchema.optional(),
  isOldestFirst: z.boolean().default(false),
});
export type ListSubmissions = z.input<typeof listSubmissionsSchema>;

/** In the list of answers to one form: what was answered to the questions that have a column. */
export const answeredRowSchema = submissionRowSchema.extend({ cells: z.array(z.string()) });
export type AnsweredRow = z.infer<typeof answeredRowSchema>;
export const submissionPageSchema = pageOf(answeredRowSchema).extend({
  columns: z.array(z.object({ fieldId: z.string(), label: z.string() })),
});

export const REVIEW_DECISIONS = ["pending", "accepted", "edited", "rejected"] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

export const proposalSchema = z.object({
  fieldId: z.string(),
  target: z.string(),
  targetName: z.string(),
  before: z.string(),
  after: z.string(),
  /** Not everybody who sees the client may read the answer, as everybody may what is taken over. */
  isForFew: z.boolean(),
  decision: z.enum(REVIEW_DECISIONS),
  byName: z.string(),
  at: instantSchema.nullable(),
});
export type Proposal = z.infer<typeof proposalSchema>;

export const submissionSchema = submissionRowSchema.extend({
  pages: z.array(z.object({ title: z.string(), lines: z.array(answerLineSchema) })),
  proposals: z.array(proposalSchema),
  /** Questions of the form whose answers this person may not read, asked or not. */
  hiddenCount: z.number().int(),
  /** Of the client, as it was when the proposals were put beside it. */
  clientVersion: z.number().int().nullable(),
  formNumber: z.number().int(),
  /** It came by no link of a client's own: whose it is somebody of the practice says, or takes back. */
  isAssignable: z.boolean(),
});
export type Submission = z.infer<typeof submissionSchema>;

/** What a party answered about their safety, for whoever screens them: the latest, and how many there are. */
export const safetyAnswersInputSchema = z.strictObject({ caseId: idSchema, partyId: idSchema });
export const safetyAnswersSchema = z.object({ items: z.array(submissionSchema), total: z.number().int() });
export type SafetyAnswers = z.infer<typeof safetyAnswersSchema>;

export const safetySaidInputSchema = z.strictObject({ caseId: idSchema });
/** Who of a case answered something about their safety, in an enquiry or in a form of its own. */
export const safetySaidSchema = z.object({ partyIds: z.array(idSchema) });
export type SafetySaid = z.infer<typeof safetySaidSchema>;

const versionedSchema = z.strictObject({ id: idSchema, version: z.number().int().min(0) });
export const assignSubmissionSchema = versionedSchema.extend({ clientId: idSchema, caseId: idSchema.nullable() });
export const unassignSubmissionSchema = versionedSchema.extend({
  /** What of them was taken over goes back to what stood there before. */
  putsBack: z.boolean().default(false),
});

export const decideProposalSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  clientVersion: z.number().int().min(0),
  fieldId: formPartIdSchema,
  decision: z.enum(["accepted", "edited", "rejected"]),
  /** What is stored instead; only where it was edited. */
  text: textSchema,
});
export const setSubmissionStatusSchema = versionedSchema.extend({ status: z.enum(ANSWERS_MOVED_TO) });
export const setSuspectSchema = z.strictObject({ ...byIdSchema.shape, isSuspect: z.boolean() });
export const listFormChoicesSchema = z.strictObject({ ...pageInputSchema.shape, search: searchSchema });
export const formChoicesSchema = pageOf(
  z.object({ id: idSchema, name: z.string(), kind: z.enum(FORM_KINDS), title: z.string() }),
);
/** How many answers to each of these forms nobody has looked at yet; forms without any are left out. */
export const countNewAnswersSchema = z.strictObject({ formIds: z.array(idSchema).max(PAGE_SIZE) });
export const newAnswersSchema = z.object({
  items: z.array(z.object({ formId: idSchema, count: z.number().int(), suspect: z.number().int() })),
});
/** How many people are filling in a version that was published, by its number; versions that nobody is at are left out. */
export const inProgressSchema = z.object({
  versions: z.array(z.object({ number: z.number().int(), count: z.number().int() })),
});
export type InProgress = z.infer<typeof inProgressSchema>;
