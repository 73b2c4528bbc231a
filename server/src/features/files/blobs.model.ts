import mongoose from "mongoose";
import { owned } from "../../core/owned.ts";

/** What the virus scanner said; `unscanned` where it did not answer. */
export type Scan = "clean" | "unscanned" | "infected";

export interface BlobDoc {
  /** `owner:sha256`: a practice cannot find out what another keeps. */
  _id: string;
  ownerId: string;
  /** Its content in GridFS. */
  gridId: mongoose.Types.ObjectId;
  sizeBytes: number;
  /** How often a file was made of it: a change that stands in the way of one who deletes it at the same moment. */
  claims: number;
  /** Not there where it was kept while no scanner was set up. */
  scan?: Scan;
}

const blobMongooseSchema = new mongoose.Schema<BlobDoc>(
  {
    _id: { type: String, required: true },
    gridId: { type: mongoose.Schema.Types.ObjectId, required: true },
    sizeBytes: { type: Number, required: true },
    claims: { type: Number, default: 0 },
    scan: String,
  },
  { collection: "file_contents", versionKey: false },
);
blobMongooseSchema.plugin(owned);
blobMongooseSchema.index({ scan: 1 });

/** Which contents there are: each once for a practice, however many files have it. */
export const BlobModel = mongoose.model("Blob", blobMongooseSchema);

export interface LeftoverDoc {
  /** The content in GridFS. */
  _id: mongoose.Types.ObjectId;
  ownerId: string;
  blobId: string;
  since: Date;
  /** A row names it: a change that stands in the way of a sweep at the same moment. */
  isNamed?: boolean;
  /** The sweep removes it: no row may name it any more. */
  isGoing?: boolean;
}

const leftoverMongooseSchema = new mongoose.Schema<LeftoverDoc>(
  {
    _id: { type: mongoose.Schema.Types.ObjectId, required: true },
    blobId: { type: String, required: true },
    since: { type: Date, required: true },
    isNamed: Boolean,
    isGoing: Boolean,
  },
  { collection: "file_leftovers", versionKey: false },
);
leftoverMongooseSchema.plugin(owned);
leftoverMongooseSchema.index({ since: 1 });

/** Contents that are on their way in or out: where the process dies meanwhile, a sweep finds them here. */
export const LeftoverModel = mongoose.model("Leftover", leftoverMongooseSchema);
