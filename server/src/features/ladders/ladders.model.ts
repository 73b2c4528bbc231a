import mongoose from "mongoose";
import type { Ladder } from "@app/shared/ladders";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** A ladder that a practice changed; those that it did not are the ones that everybody has. */
export interface LadderDoc extends Ladder {
  _id: string;
  ownerId: string;
}

const required = { type: String, required: true };
const days = { type: Number, required: true };

const ladderMongooseSchema = new mongoose.Schema<LadderDoc>(
  {
    _id: { type: String, default: newId },
    domain: required,
    rungs: [
      { _id: false, channel: required, afterDays: days, replyDays: days, template: { type: String, default: "" } },
    ],
    version: { type: Number, required: true },
  },
  { collection: "ladders", versionKey: false },
);
ladderMongooseSchema.plugin(owned);
ladderMongooseSchema.index({ ownerId: 1, domain: 1 }, { unique: true });

export const LadderModel = mongoose.model("Ladder", ladderMongooseSchema);
