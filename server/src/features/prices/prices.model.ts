import { isInForceOn, type Price, type PriceFields } from "@app/shared/prices";
import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface PriceDoc extends PriceFields {
  _id: string;
  ownerId: string;
  currency: string;
  isArchived: boolean;
  createdBy: string;
  updatedByName: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const amount = { type: Number, required: true };

const priceMongooseSchema = new mongoose.Schema<PriceDoc>(
  {
    _id: { type: String, default: newId },
    code: required,
    name: required,
    kind: required,
    amountMinor: amount,
    vatRateBp: amount,
    per: required,
    validFrom: text,
    validTo: text,
    currency: required,
    isArchived: { type: Boolean, default: false },
    createdBy: required,
    updatedByName: required,
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "prices", versionKey: false },
);
priceMongooseSchema.plugin(owned);
priceMongooseSchema.index({ ownerId: 1, isArchived: 1, code: 1, _id: 1 });
priceMongooseSchema.index(
  { ownerId: 1, code: 1 },
  { name: "one_in_use", unique: true, partialFilterExpression: { isArchived: false } },
);

export const PriceModel = mongoose.model("Price", priceMongooseSchema);

export const toPrice = (doc: PriceDoc, today: string): Price => ({
  ...doc,
  id: doc._id,
  isInForce: isInForceOn(doc, today),
  updatedAt: doc.updatedAt.toISOString(),
});
