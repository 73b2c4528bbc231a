import mongoose from "mongoose";
import { hashToken } from "../../core/crypto.ts";
import { owned } from "../../core/owned.ts";
import { contentPlace, defineContentUse } from "../files/content-uses.service.ts";
import { DocumentModel } from "./documents.model.ts";

/** A picture of one template or document. A text that is made of another has rows of its own of the same contents. */
export interface DocumentPictureDoc {
  _id: string;
  ownerId: string;
  textId: string;
  /** What the text names it by. */
  pictureId: string;
  mime: string;
  sizeBytes: number;
  blobId: string;
  createdAt: Date;
}

const required = { type: String, required: true };

const documentPictureMongooseSchema = new mongoose.Schema<DocumentPictureDoc>(
  {
    _id: required,
    textId: required,
    pictureId: required,
    mime: required,
    sizeBytes: { type: Number, required: true },
    blobId: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "document_pictures", versionKey: false },
);
documentPictureMongooseSchema.plugin(owned);
documentPictureMongooseSchema.index({ ownerId: 1, textId: 1 });
documentPictureMongooseSchema.index({ ownerId: 1, blobId: 1 });
documentPictureMongooseSchema.index({ createdAt: 1, _id: 1 });

export const DocumentPictureModel = mongoose.model("DocumentPicture", documentPictureMongooseSchema);

/** The same for the same sending to a text, and nobody's guess. */
export const documentPictureId = (ownerId: string, textId: string, sentAs: string): string =>
  hashToken(`${ownerId} ${textId} ${sentAs}`);

export const pictureRowId = (textId: string, pictureId: string): string => `${textId}:${pictureId}`;

defineContentUse({
  isUsed: async (ownerId, blobId) => (await DocumentPictureModel.exists({ ownerId, blobId })) !== null,
  // In whose confidence a document is, its pictures are too; those of a template are nobody's.
  async placesOf(ownerId, blobIds) {
    const among = mongoose.trusted({ $in: [...new Set(blobIds)] });
    const pictures = await DocumentPictureModel.find({ ownerId, blobId: among }).lean();
    const ids = mongoose.trusted({ $in: pictures.map(({ textId }) => textId) });
    const documents = await DocumentModel.find({ ownerId, _id: ids }, { caseId: 1, visibility: 1 }).lean();
    return pictures.flatMap((picture) =>
      documents
        .filter(({ _id }) => _id === picture.textId)
        .map(({ caseId, visibility }) =>
          contentPlace({ ...picture, name: "picture", clientId: null, caseId, visibility }),
        ),
    );
  },
});
