import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";

export interface BlobDoc {
  /** `owner:sha256`: a practice cannot find out what another keeps. */
  _id: string;
  ownerId: string;
  /** Its content in GridFS. */
  gridId: mongoose.Types.ObjectId;
  sizeBytes: number;
}

const blobMongooseSchema = new mongoose.Schema<BlobDoc>(
  {
    _id: { type: String, required: true },
    gridId: { type: mongoose.Schema.Types.ObjectId, required: true },
    sizeBytes: { type: Number, required: true },
  },
  { collection: "file_contents", versionKey: false },
);
blobMongooseSchema.plugin(owned);
blobMongooseSchema.index({ gridId: 1 });

/** Which contents there are: each once for a practice, however many files have it. */
export const BlobModel = mongoose.model("Blob", blobMongooseSchema);
