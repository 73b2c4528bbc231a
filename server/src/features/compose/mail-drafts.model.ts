import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** A mail that was begun: one for each writer, client and case, read by its writer alone. */
export interface MailDraftDoc {
  _id: string;
  ownerId: string;
  createdBy: string;
  clientId: string;
  /** Null for none; missing where it was kept when there was one for each client: then the content says which. */
  caseId?: string | null;
  contentEnc: string;
  savedAt: Date;
}

const required = { type: String, required: true };

const draftMongooseSchema = new mongoose.Schema<MailDraftDoc>(
  {
    _id: { type: String, default: newId },
    createdBy: required,
    clientId: required,
    caseId: String,
    contentEnc: required,
    savedAt: { type: Date, required: true },
  },
  { collection: "mail_drafts", versionKey: false },
);
draftMongooseSchema.plugin(owned);
draftMongooseSchema.index({ ownerId: 1, createdBy: 1, clientId: 1, caseId: 1 }, { unique: true });

export const MailDraftModel = mongoose.model("MailDraft", draftMongooseSchema);

const ONE_FOR_EACH_CLIENT = "ownerId_1_createdBy_1_clientId_1";
const INDEX_NOT_FOUND = 27;

/** Takes away the index of the time when there was one draft for each client: it would refuse a second one. */
export async function dropOldDraftIndex(): Promise<void> {
  try {
    await MailDraftModel.collection.dropIndex(ONE_FOR_EACH_CLIENT);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
  }
}
