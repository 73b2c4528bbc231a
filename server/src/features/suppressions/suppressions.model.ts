import mongoose, { Schema } from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** One wish that an address gets no mailings; it gets them again once none stands. */
export interface SuppressionDoc {
  _id: string;
  ownerId: string;
  address: string;
  /** What of the address is compared: another spelling of it is the same wish. */
  mailbox: string;
  reason: "unsubscribed" | "bounced" | "manual";
  /** Who put it on the list by hand; empty where the person said so or their mail came back. */
  addedBy: string;
  /** What the mail server said of a mail that came back; empty otherwise, and absent in those of before. */
  detail?: string;
  createdAt: Date;
}

const required = { type: String, required: true };
const text = { type: String, default: "" };

const suppressionMongooseSchema = new Schema<SuppressionDoc>(
  {
    _id: { type: String, default: newId },
    address: required,
    mailbox: required,
    reason: required,
    addedBy: text,
    detail: text,
    createdAt: { type: Date, required: true },
  },
  { collection: "mail_suppressions", versionKey: false },
);
suppressionMongooseSchema.plugin(owned);
suppressionMongooseSchema.index({ ownerId: 1, address: 1, addedBy: 1 }, { unique: true });
suppressionMongooseSchema.index({ ownerId: 1, mailbox: 1 });
suppressionMongooseSchema.index({ ownerId: 1, createdAt: -1 });
export const SuppressionModel = mongoose.model("Suppression", suppressionMongooseSchema);
