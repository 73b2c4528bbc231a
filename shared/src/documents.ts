// What is written in a case, of a template, for somebody: a draft until it is finished, and then a file that never changes.
import { z } from "zod";
import { CONFIDENCES } from "./confidences.ts";
import { APPROVAL_DECISIONS, APPROVAL_WAYS } from "./document-approvals.ts";
import { documentContentSchema } from "./document-content.ts";
import { DOCUMENT_KINDS } from "./document-kind-list.ts";
import { ADDRESSEE_KINDS, type AddresseeKind } from "./document-kinds.ts";
import { idSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { PRIVILEGES } from "./privileges.ts";
import { lineSchema } from "./text.ts";
import { daySchema, instantSchema } from "./time.ts";
import { PARTIES_MAX, visibilitySchema } from "./visibility.ts";

export const DOCUMENT_NAME_MAX_LENGTH = 120;
export const CASE_DOCUMENTS_MAX = 500;

/** It is the name of the file too. */
const nameSchema = lineSchema(DOCUMENT_NAME_MAX_LENGTH)
  .min(1, "Give the document a name")
  .refine((name) => /^[^/\\:*?"<>|]+$/u.test(name), 'Leave out / \\ : * ? " < > and |');
const versionSchema = z.number().int().min(0);

export const ADDRESSEE_NAMES = {
  joint: "All participants together",
  practice: "The practice only",
} as const satisfies Record<Exclude<AddresseeKind, "party">, string>;

/** Whom it is for; a participant is named, and whose confidence it is where it stays in the practice. */
const addresseeSchema = z
  .strictObject({
    kind: z.enum(ADDRESSEE_KINDS),
    partyId: idSchema.nullable(),
  })
  .refine(({ kind, partyId }) => kind !== "party" || partyId !== null, {
    path: ["partyId"],
    message: "Choose for whom it is",
  })
  .refine(({ kind, partyId }) => kind !== "joint" || partyId === null, {
    path: ["partyId"],
    message: "What is in one person’s confidence is not for all of them",
  });
export type Addressee = z.infer<typeof addresseeSchema>;

export const createDocumentSchema = z.strictObject({
  caseId: idSchema,
  templateId: idSchema,
  name: nameSchema,
  addressee: addresseeSchema,
  privilege: z.enum(PRIVILEGES),
  /** Of an invitation: for somebody who came to their first meeting already, and is invited again all the same. */
  isAskedAgain: z.boolean().optional(),
  /** What an agreement to mediate is to say; where left out, what holds in the case. */
  confidences: z.enum(CONFIDENCES).nullable().default(null),
});
export type CreateDocument = z.output<typeof createDocumentSchema>;

export const saveDocumentSchema = z.strictObject({
  id: idSchema,
  /** The text that was on the screen; where there is a newer one, nothing is saved. */
  version: versionSchema,
  name: nameSchema,
  content: documentContentSchema,
  /** The text as it stands is kept as a version, however new it is: an earlier one takes its place. */
  isRestored: z.boolean().default(false),
});
export type SaveDocument = z.output<typeof saveDocumentSchema>;

export const markDocumentSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  privilege: z.enum(PRIVILEGES),
});
const CONSENT_HOW_MAX_LENGTH = 200;
const consentSchema = z.strictObject({
  partyId: idSchema,
  on: daySchema,
  how: lineSchema(CONSENT_HOW_MAX_LENGTH).min(1, "Say how they consented, such as: in the session"),
});
export const finishDocumentSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  /** That the others read what each disclosed, where that was not exchanged on the page of finances. */
  consents: z.array(consentSchema).max(PARTIES_MAX).default([]),
});
export type FinishDocument = z.output<typeof finishDocumentSchema>;
/** What the finished one would be, for whoever is about to finish it. */
export const documentLookSchema = z.object({
  /** Signs that could not be written, each marked where it stands. */
  unwritten: z.array(z.string()),
  /** What somebody should look at again, in words; it may be right. */
  doubts: z.array(z.string()),
  /** Whose consent is still to be recorded. */
  consentsDue: z.array(z.object({ partyId: idSchema, label: z.string(), name: z.string() })),
});
export const setDocumentRemovedSchema = z.strictObject({ id: idSchema, isRemoved: z.boolean() });
/** The document that a new draft begins with. */
export const copyDocumentSchema = z.strictObject({ documentId: idSchema });

const COMMENT_MAX_LENGTH = 500;
const approvalFields = {
  partyId: idSchema,
  decision: z.enum(APPROVAL_DECISIONS),
  on: daySchema,
  how: z.enum(APPROVAL_WAYS),
  comment: z.string().trim().max(COMMENT_MAX_LENGTH, "Shorten this"),
};
export const recordApprovalSchema = z
  .strictObject({ id: idSchema, ...approvalFields })
  .refine(({ decision, comment }) => decision !== "change" || comment !== "", {
    path: ["comment"],
    message: "Say which change they ask for",
  });
const approvalSchema = z.object({ ...approvalFields, recordedByName: z.string(), at: instantSchema });
export type DocumentApproval = z.infer<typeof approvalSchema>;

export const DOCUMENT_STATUSES = ["draft", "finished"] as const;

const rowFields = {
  id: idSchema,
  caseId: idSchema,
  name: nameSchema,
  kind: z.enum(DOCUMENT_KINDS),
  addressee: addresseeSchema,
  privilege: z.enum(PRIVILEGES),
  visibility: visibilitySchema,
  status: z.enum(DOCUMENT_STATUSES),
  /** What it was made of. */
  templateName: z.string(),
  /** Of a finished one: the PDF on file. */
  fileId: idSchema.nullable(),
  /** Of a finished one: signs that could not be written, each marked where it stands. */
  unwritten: z.array(z.string()),
  /** What each participant said of it last. */
  approvals: z.array(approvalSchema),
  /** A newer one that is finished took its place. */
  isSuperseded: z.boolean(),
  version: versionSchema,
  isRemoved: z.boolean(),
  updatedAt: instantSchema,
  updatedByName: z.string(),
};
export const documentRowSchema = z.object(rowFields);
export type DocumentRow = z.infer<typeof documentRowSchema>;

export const documentSchema = z.object({ ...rowFields, content: documentContentSchema });
export type WrittenDocument = z.infer<typeof documentSchema>;

export const listDocumentsSchema = z.strictObject({ ...pageInputSchema.shape, caseId: idSchema });
export const documentListSchema = pageOf(documentRowSchema);
