import mongoose from "mongoose";
import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { Template, TemplateRow } from "@app/shared/document-templates";
import { foldText } from "@app/shared/text";
import { PRODUCT_NAME } from "@app/shared/product";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { nameTerms } from "../../core/word-search.ts";

export interface TemplateDoc {
  _id: string;
  ownerId: string;
  /** Of one that came with the product; null for what the practice made. */
  starterKey: string | null;
  name: string;
  sortName: string;
  searchTerms: string[];
  kind: DocumentKind;
  content: DocumentContent;
  /** The pictures that it shows. */
  pictureIds: string[];
  version: number;
  isArchived: boolean;
  savedAt: Date;
  savedBy: string;
  savedByName: string;
}

const required = { type: String, required: true };

const templateMongooseSchema = new mongoose.Schema<TemplateDoc>(
  {
    _id: { type: String, default: newId },
    starterKey: { type: String, default: null },
    name: required,
    sortName: required,
    searchTerms: [String],
    kind: required,
    content: { type: mongoose.Schema.Types.Mixed, required: true },
    pictureIds: [String],
    version: { type: Number, default: 0 },
    isArchived: { type: Boolean, default: false },
    savedAt: { type: Date, required: true },
    savedBy: { type: String, default: "" },
    savedByName: { type: String, default: "" },
  },
  { collection: "document_templates", versionKey: false, minimize: false },
);
templateMongooseSchema.plugin(owned);
templateMongooseSchema.index({ ownerId: 1, isArchived: 1, sortName: 1, _id: 1 });
// Two people may open the list of a new practice at once: each starter is made once.
templateMongooseSchema.index(
  { ownerId: 1, starterKey: 1 },
  { unique: true, partialFilterExpression: { starterKey: { $type: "string" } } },
);

export const TemplateModel = mongoose.model("DocumentTemplate", templateMongooseSchema);

export const namedFields = (name: string) => ({ name, sortName: foldText(name), searchTerms: nameTerms(name) });

export const toTemplateRow = (doc: Omit<TemplateDoc, "content">): TemplateRow => ({
  id: doc._id,
  name: doc.name,
  kind: doc.kind,
  version: doc.version,
  isArchived: doc.isArchived,
  updatedAt: doc.savedAt.toISOString(),
  updatedByName: doc.savedByName || PRODUCT_NAME,
});

/** The content is checked again here: what does not fit the allow-list never reaches a page. */
export const toTemplate = (doc: TemplateDoc): Template => ({
  ...toTemplateRow(doc),
  content: documentContentSchema.parse(doc.content),
});
