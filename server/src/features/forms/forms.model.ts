import mongoose from "mongoose";
import type { FormContent } from "@app/shared/form-content";
import type { FormKind } from "@app/shared/form-kinds";
import type { FormSharing } from "@app/shared/form-sharing";
import { foldText } from "@app/shared/text";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { nameTerms } from "../../core/word-search.ts";

export interface FormDoc {
  _id: string;
  ownerId: string;
  name: string;
  sortName: string;
  searchTerms: string[];
  kind: FormKind;
  /** The draft. */
  content: FormContent;
  version: number;
  isArchived: boolean;
  /** In the address of its links. */
  publicId: string;
  /** The number of the version that people fill in, and the draft that it was made of; null before the first. */
  published: { number: number; version: number; at: Date } | null;
  /** Of a form for enquiries. */
  sharing: FormSharing;
  updatedBy: string;
  updatedByName: string;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true };

const formMongooseSchema = new mongoose.Schema<FormDoc>(
  {
    _id: { type: String, default: newId },
    name: required,
    sortName: required,
    searchTerms: [String],
    kind: required,
    content: { type: mongoose.Schema.Types.Mixed, required: true },
    version: { type: Number, default: 0 },
    isArchived: { type: Boolean, default: false },
    publicId: { type: String, default: newId },
    published: {
      type: new mongoose.Schema({ number: Number, version: Number, at: Date }, { _id: false }),
      default: null,
    },
    sharing: { embedOrigins: [String], redirectUrl: { type: String, default: "" } },
    updatedBy: required,
    updatedByName: required,
  },
  { timestamps: true, collection: "forms", versionKey: false, minimize: false },
);
formMongooseSchema.plugin(owned);
formMongooseSchema.index({ ownerId: 1, isArchived: 1, sortName: 1, _id: 1 });
formMongooseSchema.index({ publicId: 1 }, { unique: true });

export const FormModel = mongoose.model("Form", formMongooseSchema);

export const namedFields = (name: string) => ({ name, sortName: foldText(name), searchTerms: nameTerms(name) });

/** What people fill in: stored once, and never changed. */
export interface FormVersionDoc {
  _id: string;
  ownerId: string;
  formId: string;
  number: number;
  content: FormContent;
  publishedAt: Date;
  publishedByName: string;
}

const formVersionMongooseSchema = new mongoose.Schema<FormVersionDoc>(
  {
    _id: { type: String, default: newId },
    formId: required,
    number: { type: Number, required: true, immutable: true },
    content: { type: mongoose.Schema.Types.Mixed, required: true, immutable: true },
    publishedAt: { type: Date, required: true },
    publishedByName: required,
  },
  { collection: "form_versions", versionKey: false, minimize: false },
);
formVersionMongooseSchema.plugin(owned);
formVersionMongooseSchema.index({ ownerId: 1, formId: 1, number: 1 }, { unique: true });

export const FormVersionModel = mongoose.model("FormVersion", formVersionMongooseSchema);
