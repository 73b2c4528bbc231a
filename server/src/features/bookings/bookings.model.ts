import mongoose from "mongoose";
import type { BookingLink, CreateLink } from "@app/shared/bookings";
import { decrypt, encrypt, hashToken } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

export interface BookingLinkDoc extends Omit<CreateLink, "deposit"> {
  _id: string;
  /** Not there in links from before something could be asked for. */
  deposit?: CreateLink["deposit"];
  ownerId: string;
  publicHash: string;
  /** Encrypted, because staff copy it again and again. */
  publicEnc: string;
  uses: number;
  isArchived: boolean;
  /** Who of the staff saw the address; not there in links from before this was noted. */
  shownTo?: string[];
  createdAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const count = { type: Number, required: true };

const bookingLinkMongooseSchema = new mongoose.Schema<BookingLinkDoc>(
  {
    _id: { type: String, default: newId },
    name: required,
    type: required,
    title: required,
    minutes: count,
    location: { kind: required, place: text },
    mediatorIds: [String],
    mediatorChoice: required,
    questions: [{ _id: false, label: String, kind: String, isRequired: Boolean }],
    needsConfirmation: { type: Boolean, required: true },
    noticeHours: count,
    expiresOn: text,
    useLimit: { type: Number, default: null },
    deposit: { type: mongoose.Schema.Types.Mixed, default: null },
    clientId: { type: String, default: null },
    caseId: { type: String, default: null },
    publicHash: required,
    publicEnc: required,
    uses: { type: Number, default: 0 },
    isArchived: { type: Boolean, default: false },
    shownTo: { type: [String], default: [] },
    createdAt: { type: Date, required: true },
    version: { type: Number, default: 0 },
  },
  { collection: "booking_links", versionKey: false },
);
bookingLinkMongooseSchema.plugin(owned);
bookingLinkMongooseSchema.index({ publicHash: 1 }, { unique: true });
definePublicToken({ collection: "booking_links", path: "publicHash" });
bookingLinkMongooseSchema.index({ ownerId: 1, isArchived: 1, createdAt: -1, _id: -1 });
export const BookingLinkModel = mongoose.model("BookingLink", bookingLinkMongooseSchema);

const placeOf = (ownerId: string, id: string) => `booking_links:${ownerId}:${id}:publicId`;
defineSealedField({
  collection: "booking_links",
  path: "publicEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

export const sealPublicId = (ownerId: string, id: string, publicId: string) => ({
  publicHash: hashToken(publicId),
  publicEnc: encrypt(publicId, placeOf(ownerId, id)),
});

interface Names {
  asksNow: BookingLink["asksNow"];
  clientName: string;
  mediatorNames: string[];
}

export const toLink = (doc: BookingLinkDoc, names: Names): BookingLink => ({
  id: doc._id,
  publicId: decrypt(doc.publicEnc, placeOf(doc.ownerId, doc._id)),
  name: doc.name,
  type: doc.type,
  title: doc.title,
  minutes: doc.minutes,
  location: doc.location,
  mediatorIds: doc.mediatorIds,
  mediatorChoice: doc.mediatorChoice,
  questions: doc.questions,
  needsConfirmation: doc.needsConfirmation,
  noticeHours: doc.noticeHours,
  expiresOn: doc.expiresOn,
  useLimit: doc.useLimit,
  deposit: doc.deposit ?? null,
  clientId: doc.clientId,
  caseId: doc.caseId,
  uses: doc.uses,
  isArchived: doc.isArchived,
  version: doc.version,
  createdAt: doc.createdAt.toISOString(),
  ...names,
});
