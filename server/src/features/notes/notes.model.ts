import mongoose from "mongoose";
import type { Note, NoteKind } from "@app/shared/notes";
import { plainText, type RichText, richTextSchema } from "@app/shared/rich-text";
import { foldText } from "@app/shared/text";
import type { Visibility } from "@app/shared/visibility";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { type KeptConsent, keptConsentSchema, toConsent } from "../visibility/kept-consents.service.ts";

export interface NoteDoc {
  _id: string;
  ownerId: string;
  caseId: string | null;
  clientId: string | null;
  sessionId: string | null;
  assessmentId: string | null;
  partyId: string | null;
  kind: NoteKind;
  visibility: Visibility;
  body: RichText;
  /** The words alone, folded: what the search reads. */
  searchText: string;
  /** How long that is. */
  searchBytes: number;
  isPinned: boolean;
  lockedAt: Date | null;
  /** When the session was struck that it was written in, or released from: the practice's alone from then on. */
  struckAt?: Date | null;
  releasedFromId: string | null;
  consent: KeptConsent | null;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  savedBy: string;
  savedByName: string;
  savedAt: Date;
  /** The save that made the present version, as its sender called it. */
  saveId: string;
  deletedAt: Date | null;
  version: number;
}

const required = { type: String, required: true };
const link = { type: String, default: null };
const moment = { type: Date, default: null };

const noteMongooseSchema = new mongoose.Schema<NoteDoc>(
  {
    _id: { type: String, default: newId },
    caseId: link,
    clientId: link,
    sessionId: link,
    assessmentId: link,
    partyId: link,
    kind: required,
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    body: { type: mongoose.Schema.Types.Mixed, required: true },
    searchText: { type: String, default: "" },
    searchBytes: { type: Number, default: 0 },
    isPinned: { type: Boolean, default: false },
    lockedAt: moment,
    struckAt: moment,
    releasedFromId: link,
    consent: { type: keptConsentSchema, default: null },
    createdBy: required,
    createdByName: required,
    createdAt: { type: Date, required: true },
    savedBy: required,
    savedByName: required,
    savedAt: { type: Date, required: true },
    saveId: { type: String, default: "" },
    deletedAt: moment,
    version: { type: Number, default: 0 },
  },
  { collection: "notes", versionKey: false, minimize: false },
);
noteMongooseSchema.plugin(owned);
noteMongooseSchema.index({ ownerId: 1, caseId: 1, isPinned: -1, createdAt: -1, _id: -1 });
noteMongooseSchema.index({ ownerId: 1, clientId: 1, isPinned: -1, createdAt: -1, _id: -1 });
noteMongooseSchema.index({ ownerId: 1, sessionId: 1, isPinned: -1, createdAt: -1, _id: -1 });

export const NoteModel = mongoose.model("Note", noteMongooseSchema);

/** How notes are listed. */
export const IN_ORDER = { isPinned: -1, createdAt: -1, _id: -1 } as const;

/** A text and what the search reads of it. */
export function storedBody(body: RichText): Pick<NoteDoc, "body" | "searchText" | "searchBytes"> {
  const searchText = foldText(plainText(body));
  return { body, searchText, searchBytes: Buffer.byteLength(searchText) };
}

/** The body is checked again here: what does not fit the allow-list never reaches a page. */
export function toNote(doc: NoteDoc): Note {
  return {
    ...doc,
    id: doc._id,
    // Of notes from before it was asked nobody said it.
    assessmentId: doc.assessmentId ?? null,
    body: richTextSchema.parse(doc.body),
    isLocked: doc.lockedAt !== null,
    consent: doc.consent && toConsent(doc.consent),
    createdAt: doc.createdAt.toISOString(),
    updatedAt: doc.savedAt.toISOString(),
    updatedByName: doc.savedByName,
  };
}
