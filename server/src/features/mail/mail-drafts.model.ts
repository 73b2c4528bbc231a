import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** A mail that was begun: one for each writer and client, read by its writer alone. */
export interface MailDraftDoc {
  _id: string;
  ownerId: string;
  createdBy: string;
  clientId: string;
  contentEnc: string;
  savedAt: Date;
}

const required = { type: String, required: true };

const draftMongooseSchema = new mongoose.Schema<MailDraftDoc>(
  {
    _id: { type: String, default: newId },
    createdBy: required,
    clientId: required,
    contentEnc: required,
    savedAt: { type: Date, required: true },
  },
  { collection: "mail_drafts", versionKey: false },
);
draftMongooseSchema.plugin(owned);
draftMongooseSchema.index({ ownerId: 1, createdBy: 1, clientId: 1 }, { unique: true });

export const MailDraftModel = mongoose.model("MailDraft", draftMongooseSchema);
