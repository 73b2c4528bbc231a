import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";

/** A mail that was begun, read by its writer alone. Several windows may each begin one for the same client and case. */
export interface MailDraftDoc {
  /** Chosen by the window that began it. */
  _id: string;
  ownerId: string;
  createdBy: string;
  clientId: string;
  caseId: string | null;
  contentEnc: string;
  savedAt: Date;
  version: number;
  /** The window that saved it last. */
  windowId: string;
}

const required = { type: String, required: true };

const draftMongooseSchema = new mongoose.Schema<MailDraftDoc>(
  {
    _id: required,
    createdBy: required,
    clientId: required,
    caseId: { type: String, default: null },
    contentEnc: required,
    savedAt: { type: Date, required: true },
    version: { type: Number, required: true },
    windowId: required,
  },
  { collection: "mail_drafts", versionKey: false },
);
draftMongooseSchema.plugin(owned);
draftMongooseSchema.index({ ownerId: 1, createdBy: 1, clientId: 1, caseId: 1, savedAt: -1 });

export const MailDraftModel = mongoose.model("MailDraft", draftMongooseSchema);
