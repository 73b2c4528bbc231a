import mongoose from "mongoose";
import type { Stood } from "@app/shared/answer-proposals";
import type { Answers } from "@app/shared/form-answers";
import type { Attribution } from "@app/shared/leads";
import type { SubmissionStatus } from "@app/shared/submission-states";
import type { ReviewDecision } from "@app/shared/submissions";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** What somebody proposes to change of the client, once it was decided on. */
export interface Decided {
  fieldId: string;
  before: string;
  /** The same in parts; only of what was taken over. */
  stood?: Stood | undefined;
  after: string;
  decision: Exclude<ReviewDecision, "pending">;
  by: string;
  byName: string;
  at: string;
}

export interface SubmissionContent {
  answers: Answers;
  /** By question: the state in which it was last answered, and when. */
  edits: Record<string, { revision: number; at: number }>;
  /** The same of the rows of repeat groups, and of the questions in them. */
  rowEdits?: Record<string, { revision: number; at: number }>;
  decided: Decided[];
  /** Where somebody who asks came from; only by a form for enquiries. */
  attribution?: Attribution | undefined;
}

export interface SubmissionDoc {
  _id: string;
  ownerId: string;
  formId: string;
  /** The version that it was begun with, and whose words its answers keep. */
  formNumber: number;
  clientId: string | null;
  caseId: string | null;
  partyId: string | null;
  /** The link that it is filled in by; null for whoever came by the general one. */
  linkId: string | null;
  /** What leads somebody without a link of their own back to it. */
  resumeHash: string | null;
  /** By a form for enquiries: the owner's alone, as the lead that came of it, until that becomes a client. */
  isEnquiry: boolean;
  leadId: string | null;
  status: SubmissionStatus;
  /** Rises with every save of whoever fills it in. */
  revision: number;
  pageId: string | null;
  /** Answers, and what was decided on them: nobody who reads the database alone learns what was said. */
  contentEnc: string;
  /** Looks like spam, so it is kept apart. */
  isSuspect: boolean;
  /** What the sending was called that brought it in. */
  sendingId: string | null;
  /** Of the page that it was sent by, whose token is used up with it. */
  formTokenHash: string | null;
  startedAt: Date;
  savedAt: Date;
  submittedAt: Date | null;
  /** Rises with every change of the practice. */
  version: number;
}

/** It came by the general address of a form that asks no strangers: whose it is somebody says, or takes back. */
export const isAssignable = ({ linkId, isEnquiry }: Pick<SubmissionDoc, "linkId" | "isEnquiry">): boolean =>
  linkId === null && !isEnquiry;

const required = { type: String, required: true };
const link = { type: String, default: null };

const submissionMongooseSchema = new mongoose.Schema<SubmissionDoc>(
  {
    _id: { type: String, default: newId },
    formId: required,
    formNumber: { type: Number, required: true, immutable: true },
    clientId: link,
    caseId: link,
    partyId: link,
    linkId: link,
    resumeHash: link,
    isEnquiry: { type: Boolean, default: false },
    leadId: link,
    status: required,
    revision: { type: Number, required: true },
    pageId: link,
    contentEnc: required,
    isSuspect: { type: Boolean, default: false },
    sendingId: link,
    formTokenHash: link,
    startedAt: { type: Date, required: true },
    savedAt: { type: Date, required: true },
    submittedAt: { type: Date, default: null },
    version: { type: Number, default: 0 },
  },
  { collection: "form_submissions", versionKey: false },
);
submissionMongooseSchema.plugin(owned);
submissionMongooseSchema.index({ ownerId: 1, formId: 1, isSuspect: 1, submittedAt: -1, _id: -1 });
submissionMongooseSchema.index({ ownerId: 1, isSuspect: 1, submittedAt: -1, _id: -1 });
submissionMongooseSchema.index({ ownerId: 1, clientId: 1, submittedAt: -1, _id: -1 });
submissionMongooseSchema.index({ ownerId: 1, leadId: 1 });
submissionMongooseSchema.index(
  { resumeHash: 1 },
  { unique: true, partialFilterExpression: { resumeHash: { $type: "string" } } },
);
definePublicToken({ collection: "form_submissions", path: "resumeHash" });
submissionMongooseSchema.index({ status: 1, savedAt: 1 });
// One sending is one submission, also where it comes twice at once, with a token of its own each time.
submissionMongooseSchema.index(
  { ownerId: 1, formId: 1, sendingId: 1 },
  { unique: true, partialFilterExpression: { sendingId: { $type: "string" } } },
);

// A page that was loaded once sends one.
submissionMongooseSchema.index(
  { formTokenHash: 1 },
  { unique: true, partialFilterExpression: { formTokenHash: { $type: "string" } } },
);

export const SubmissionModel = mongoose.model("FormSubmission", submissionMongooseSchema);

const placeOf = (ownerId: string, id: string) => `form_submissions:${ownerId}:${id}`;
defineSealedField({
  collection: "form_submissions",
  path: "contentEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

export const sealContent = (
  { ownerId, _id }: Pick<SubmissionDoc, "ownerId" | "_id">,
  content: SubmissionContent,
): string => encrypt(JSON.stringify(content), placeOf(ownerId, _id));

export function contentOf({
  ownerId,
  _id,
  contentEnc,
}: Pick<SubmissionDoc, "ownerId" | "_id" | "contentEnc">): SubmissionContent {
  const content: SubmissionContent = JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id)));
  return content;
}

export const NOTHING_SAID: SubmissionContent = { answers: {}, edits: {}, decided: [] };
