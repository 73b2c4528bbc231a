import mongoose from "mongoose";
import { type FileMark, NO_MARK, type StoredFile } from "@app/shared/files";
import { visibleName } from "@app/shared/text";
import { mustConsent, type Visibility } from "@app/shared/visibility";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { type KeptConsent, keptConsentSchema, toConsent } from "../visibility/kept-consents.service.ts";

export interface FileDoc {
  _id: string;
  ownerId: string;
  clientId: string | null;
  caseId: string | null;
  name: string;
  searchTerms: string[];
  mime: string;
  sizeBytes: number;
  /** The content: many files of a practice may share one. */
  blobId: string;
  tags: string[];
  visibility: Visibility;
  /** All parties of its case could read it once, whoever can by now. */
  wasShared: boolean;
  /** The practice's own, as whoever answers for the case said of it; not there in files from before that was asked. */
  isOurOwn?: boolean;
  /** The case of other people that it was kept in first. */
  cameFromId: string | null;
  mark: FileMark;
  sentAt: Date | null;
  /** What it is marked as follows from what it is, such as a finished document: nobody changes it. */
  isMarkFixed?: boolean;
  /** The file in somebody's confidence, or the practice's own, that this is the shared one of. */
  releasedFromId: string | null;
  consent: KeptConsent | null;
  deletedAt: Date | null;
  createdAt: Date;
  /** When its name last changed, which is what a party is shown of it. */
  changedAt: Date;
  createdBy: string;
  createdByName: string;
  version: number;
}

const required = { type: String, required: true };
const link = { type: String, default: null };

const fileMongooseSchema = new mongoose.Schema<FileDoc>(
  {
    _id: { type: String, default: newId },
    clientId: link,
    caseId: link,
    name: required,
    searchTerms: [String],
    mime: required,
    sizeBytes: { type: Number, required: true },
    blobId: required,
    tags: [String],
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    wasShared: { type: Boolean, default: false },
    isOurOwn: Boolean,
    cameFromId: link,
    mark: {
      privilege: { type: String, default: NO_MARK.privilege },
      isFinancial: { type: Boolean, default: NO_MARK.isFinancial },
    },
    sentAt: { type: Date, default: null },
    isMarkFixed: { type: Boolean, default: false },
    releasedFromId: link,
    consent: { type: keptConsentSchema, default: null },
    deletedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
    createdBy: required,
    createdByName: required,
    version: { type: Number, default: 0 },
  },
  { collection: "files", versionKey: false },
);
fileMongooseSchema.plugin(owned);
fileMongooseSchema.index({ ownerId: 1, clientId: 1, createdAt: -1, _id: -1 });
fileMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: -1, _id: -1 });
fileMongooseSchema.index({ ownerId: 1, searchTerms: 1 });
fileMongooseSchema.index({ ownerId: 1, blobId: 1 });
fileMongooseSchema.index({ ownerId: 1, releasedFromId: 1 });
fileMongooseSchema.index({ deletedAt: 1 });

export const FileModel = mongoose.model("File", fileMongooseSchema);

const usageMongooseSchema = new mongoose.Schema<{ _id: string; bytes: number }>(
  { _id: { type: String, required: true }, bytes: { type: Number, default: 0 } },
  { collection: "file_usage", versionKey: false },
);
/** How much a practice keeps, by owner id: each content counts once. */
export const FileUsageModel = mongoose.model("FileUsage", usageMongooseSchema);

/** Shared once, or let out by whoever it was of: it is of all parties of its case, and of nobody outside it. */
export const isOfAllParties = ({ visibility, wasShared, releasedFromId }: FileDoc): boolean =>
  wasShared || visibility.scope === "shared" || (releasedFromId !== null && mustConsent(visibility).length === 0);

export const toFile = (doc: FileDoc): StoredFile => ({
  id: doc._id,
  clientId: doc.clientId,
  caseId: doc.caseId,
  // One that was stored before such signs were taken out still loses them here.
  name: visibleName(doc.name),
  mime: doc.mime,
  sizeBytes: doc.sizeBytes,
  tags: doc.tags,
  visibility: doc.visibility,
  mark: doc.mark,
  isOfAllParties: isOfAllParties(doc),
  isOurOwn: doc.isOurOwn === true,
  sentAt: doc.sentAt?.toISOString() ?? null,
  releasedFromId: doc.releasedFromId ?? null,
  consent: doc.consent && toConsent(doc.consent),
  isDeleted: doc.deletedAt !== null,
  createdAt: doc.createdAt.toISOString(),
  changedAt: doc.changedAt.toISOString(),
  createdByName: doc.createdByName,
  version: doc.version,
});
