import mongoose from "mongoose";
import { z } from "zod";
import type { CreatePair } from "@app/shared/booking-pairs";
import { now } from "../../core/clock.ts";
import { decrypt, encrypt, hashToken } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

export interface PairSide {
  partyId: string;
  publicHash: string;
  /** In their own confidence: no other party ever learns of them. */
  picks: Date[];
  confirmedAt: Date | null;
  /** In which they chose; null while they have not. */
  timeZone: string | null;
  /** A colleague was asked about it that none of these times is free any more; until they choose again. */
  isToldLost?: boolean;
}

/** A link each for two parties who are to find a time, without either learning anything of the other. */
export interface BookingPairDoc extends Omit<CreatePair, "partyIds"> {
  _id: string;
  ownerId: string;
  sides: PairSide[];
  /** The secret of each, by party; encrypted. */
  linksEnc: string;
  /** The meeting that keeps the first time that suits both. */
  meetingId: string | null;
  /** How often a kept time did not suit one of them after all; not there in pairs from before this was counted. */
  declines?: number;
  /** A choice is stored, or a time was given back, and nobody has looked since whether something suits both. */
  isUnmatched?: boolean;
  /** When that was. */
  picksChangedAt?: Date;
  /** When it was looked at last whether what they chose is still free; not there before anybody chose. */
  picksLookedAt?: Date;
  isEnded: boolean;
  /** Who of the staff saw the links; not there in pairs from before this was noted. */
  shownTo?: string[];
  createdBy: string;
  createdAt: Date;
}

const required = { type: String, required: true };
const pairMongooseSchema = new mongoose.Schema<BookingPairDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    type: required,
    title: required,
    minutes: { type: Number, required: true },
    location: { kind: required, place: { type: String, default: "" } },
    mediatorIds: [String],
    expiresOn: { type: String, default: "" },
    sides: [
      {
        _id: false,
        partyId: required,
        publicHash: required,
        picks: [Date],
        confirmedAt: { type: Date, default: null },
        timeZone: { type: String, default: null },
        isToldLost: Boolean,
      },
    ],
    linksEnc: required,
    meetingId: { type: String, default: null },
    declines: Number,
    isUnmatched: Boolean,
    picksChangedAt: Date,
    picksLookedAt: Date,
    isEnded: { type: Boolean, default: false },
    shownTo: { type: [String], default: [] },
    createdBy: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "booking_pairs", versionKey: false },
);
pairMongooseSchema.plugin(owned);
pairMongooseSchema.index({ "sides.publicHash": 1 }, { unique: true });
definePublicToken({ collection: "booking_pairs", path: "sides.publicHash" });
pairMongooseSchema.index({ isUnmatched: 1 }, { partialFilterExpression: { isUnmatched: true } });
pairMongooseSchema.index(
  { isEnded: 1, picksLookedAt: 1 },
  { partialFilterExpression: { picksLookedAt: { $type: "date" } } },
);
pairMongooseSchema.index({ ownerId: 1, createdAt: -1, _id: -1 });
export const BookingPairModel = mongoose.model("BookingPair", pairMongooseSchema);

/** Both have confirmed the time that is kept: whatever became of it since, neither chooses another by their link. */
export const isBookedOnce = (doc: BookingPairDoc): doc is BookingPairDoc & { meetingId: string } =>
  doc.meetingId !== null && doc.sides.every(({ confirmedAt }) => confirmedAt !== null);

/** Something was chosen, or given back: at the next fixed hour it is looked for a time that suits both. */
export const toBeMatched = () => ({ isUnmatched: true, picksChangedAt: now() });

const placeOf = (ownerId: string, id: string) => `booking_pairs:${ownerId}:${id}:links`;
defineSealedField({ collection: "booking_pairs", path: "linksEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

const linksSchema = z.record(z.string(), z.string());

export const sealLinks = (ownerId: string, id: string, links: Record<string, string>) => ({
  linksEnc: encrypt(JSON.stringify(links), placeOf(ownerId, id)),
  sides: Object.entries(links).map(([partyId, token]) => ({
    partyId,
    publicHash: hashToken(token),
    picks: [],
    confirmedAt: null,
    timeZone: null,
  })),
});

export const linksOf = ({ ownerId, _id, linksEnc }: BookingPairDoc): Record<string, string> =>
  linksSchema.parse(JSON.parse(decrypt(linksEnc, placeOf(ownerId, _id))));
