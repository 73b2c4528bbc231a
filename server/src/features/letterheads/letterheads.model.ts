import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";
import { defineContentUse } from "../files/content-uses.service.ts";

/** The logo of a practice: a practice without one has no row. */
export interface LetterheadDoc {
  /** The practice. */
  _id: string;
  ownerId: string;
  logoId: string;
  mime: string;
  sizeBytes: number;
  blobId: string;
  createdAt: Date;
}

const required = { type: String, required: true };

const letterheadMongooseSchema = new mongoose.Schema<LetterheadDoc>(
  {
    _id: required,
    logoId: required,
    mime: required,
    sizeBytes: { type: Number, required: true },
    blobId: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "letterheads", versionKey: false },
);
letterheadMongooseSchema.plugin(owned);
letterheadMongooseSchema.index({ ownerId: 1, blobId: 1 });

export const LetterheadModel = mongoose.model("Letterhead", letterheadMongooseSchema);

defineContentUse({
  isUsed: async (ownerId, blobId) => (await LetterheadModel.exists({ ownerId, blobId })) !== null,
  // Everybody whom the practice writes to sees it.
  placesOf: async () => [],
});
