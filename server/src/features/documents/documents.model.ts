import mongoose from "mongoose";
import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import type { DocumentValues } from "@app/shared/document-fields";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type {
  Addressee,
  DOCUMENT_STATUSES,
  DocumentApproval,
  DocumentRow,
  WrittenDocument,
} from "@app/shared/documents";
import type { Privilege } from "@app/shared/privileges";
import type { Visibility } from "@app/shared/visibility";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface DocumentDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  name: string;
  kind: DocumentKind;
  addressee: Addressee;
  privilege: Privilege;
  visibility: Visibility;
  content: DocumentContent;
  /** The pictures that it shows. */
  pictureIds: string[];
  templateId: string | null;
  templateName: string;
  /** What was put in when it was made, by field. */
  said: DocumentValues;
  status: (typeof DOCUMENT_STATUSES)[number];
  fileId: string | null;
  unwritten: string[];
  /** That the others read what each disclosed, as it was recorded when it was finished; missing where none was needed. */
  consents?: { partyId: string; on: string; how: string }[];
  approvals: (Omit<DocumentApproval, "at"> & { at: Date })[];
  /** The finished one of which this is a new draft, and the one that took the place of this. */
  supersedesId: string | null;
  supersededById: string | null;
  version: number;
  deletedAt: Date | null;
  createdAt: Date;
  createdBy: string;
  createdByName: string;
  savedAt: Date;
  savedBy: string;
  savedByName: string;
}

const required = { type: String, required: true };
const link = { type: String, default: null };

const documentMongooseSchema = new mongoose.Schema<DocumentDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    name: required,
    kind: required,
    addressee: { kind: required, partyId: link },
    privilege: required,
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    content: { type: mongoose.Schema.Types.Mixed, required: true },
    pictureIds: [String],
    templateId: link,
    templateName: { type: String, default: "" },
    said: { type: mongoose.Schema.Types.Mixed, default: {} },
    status: { type: String, default: "draft" },
    fileId: link,
    unwritten: [String],
    consents: { type: [{ _id: false, partyId: required, on: required, how: required }], default: undefined },
    approvals: {
      type: [
        new mongoose.Schema<DocumentDoc["approvals"][number]>(
          {
            partyId: required,
            decision: required,
            on: required,
            how: required,
            comment: { type: String, default: "" },
            recordedByName: required,
            at: { type: Date, required: true },
          },
          { _id: false },
        ),
      ],
      default: [],
    },
    supersedesId: link,
    supersededById: link,
    version: { type: Number, default: 0 },
    deletedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    createdBy: required,
    createdByName: required,
    savedAt: { type: Date, required: true },
    savedBy: required,
    savedByName: required,
  },
  { collection: "documents", versionKey: false, minimize: false },
);
documentMongooseSchema.plugin(owned);
documentMongooseSchema.index({ ownerId: 1, caseId: 1, deletedAt: 1, savedAt: -1, _id: -1 });

export const DocumentModel = mongoose.model("Document", documentMongooseSchema);

export const toDocumentRow = (doc: Omit<DocumentDoc, "content" | "said">): DocumentRow => ({
  id: doc._id,
  caseId: doc.caseId,
  name: doc.name,
  kind: doc.kind,
  addressee: { kind: doc.addressee.kind, partyId: doc.addressee.partyId },
  privilege: doc.privilege,
  visibility: doc.visibility,
  status: doc.status,
  templateName: doc.templateName,
  fileId: doc.fileId,
  unwritten: doc.unwritten,
  // Those of before approvals were recorded have none.
  approvals: (doc.approvals ?? []).map(({ at, ...approval }) => ({ ...approval, at: at.toISOString() })),
  isSuperseded: Boolean(doc.supersededById),
  version: doc.version,
  isRemoved: doc.deletedAt !== null,
  updatedAt: doc.savedAt.toISOString(),
  updatedByName: doc.savedByName,
});

/** The content is checked again here: what does not fit the allow-list never reaches a page. */
export const toDocument = (doc: DocumentDoc): WrittenDocument => ({
  ...toDocumentRow(doc),
  content: documentContentSchema.parse(doc.content),
});
