import mongoose from "mongoose";
import type { DocumentContent } from "@app/shared/document-content";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** The text of a template or a document as it once stood. */
export interface TextVersionDoc {
  _id: string;
  ownerId: string;
  textId: string;
  version: number;
  content: DocumentContent;
  /** The pictures that it shows. */
  pictureIds: string[];
  savedAt: Date;
  savedByName: string;
}

const required = { type: String, required: true };

const textVersionMongooseSchema = new mongoose.Schema<TextVersionDoc>(
  {
    _id: { type: String, default: newId },
    textId: required,
    version: { type: Number, required: true },
    content: { type: mongoose.Schema.Types.Mixed, required: true },
    pictureIds: [String],
    savedAt: { type: Date, required: true },
    savedByName: { type: String, default: "" },
  },
  { collection: "document_versions", versionKey: false, minimize: false },
);
textVersionMongooseSchema.plugin(owned);
textVersionMongooseSchema.index({ ownerId: 1, textId: 1, version: -1 }, { unique: true });

export const TextVersionModel = mongoose.model("DocumentVersion", textVersionMongooseSchema);
