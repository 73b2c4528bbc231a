import mongoose from "mongoose";
import { hashToken } from "../../core/crypto.ts";
import { owned } from "../../core/owned.ts";

/** A file that somebody added to a question. */
export interface FormFileDoc {
  /** What it is filled in as, and what its sender called it. */
  _id: string;
  ownerId: string;
  submissionId: string;
  fieldId: string;
  name: string;
  mime: string;
  sizeBytes: number;
  blobId: string;
  createdAt: Date;
}

const required = { type: String, required: true };

const formFileMongooseSchema = new mongoose.Schema<FormFileDoc>(
  {
    _id: required,
    submissionId: required,
    fieldId: required,
    name: required,
    mime: required,
    sizeBytes: { type: Number, required: true },
    blobId: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "form_files", versionKey: false },
);
formFileMongooseSchema.plugin(owned);
formFileMongooseSchema.index({ ownerId: 1, submissionId: 1, createdAt: 1 });
formFileMongooseSchema.index({ ownerId: 1, blobId: 1 });

export const FormFileModel = mongoose.model("FormFile", formFileMongooseSchema);

/** The same for the same sending, and for no other form. */
export const formFileId = (submissionId: string, sentAs: string): string => hashToken(`${submissionId} ${sentAs}`);
