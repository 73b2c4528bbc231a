import mongoose from "mongoose";
import { hashToken } from "../../core/crypto.ts";
import { owned } from "../../core/owned.ts";
import { defineContentUse } from "../files/content-uses.service.ts";

/** A picture of an answer. Whoever has its id may see it: it is made for people who fill in a form. */
export interface FormPictureDoc {
  _id: string;
  ownerId: string;
  mime: string;
  sizeBytes: number;
  blobId: string;
  createdAt: Date;
}

const required = { type: String, required: true };

const formPictureMongooseSchema = new mongoose.Schema<FormPictureDoc>(
  {
    _id: required,
    mime: required,
    sizeBytes: { type: Number, required: true },
    blobId: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "form_pictures", versionKey: false },
);
formPictureMongooseSchema.plugin(owned);
formPictureMongooseSchema.index({ ownerId: 1, blobId: 1 });
formPictureMongooseSchema.index({ createdAt: 1 });

export const FormPictureModel = mongoose.model("FormPicture", formPictureMongooseSchema);

defineContentUse({
  isUsed: async (ownerId, blobId) => (await FormPictureModel.exists({ ownerId, blobId })) !== null,
  // Whoever opens the form sees them.
  placesOf: async () => [],
});

/** The same for the same sending of a practice, and nobody's guess. */
export const formPictureId = (ownerId: string, sentAs: string): string => hashToken(`${ownerId} ${sentAs}`);
