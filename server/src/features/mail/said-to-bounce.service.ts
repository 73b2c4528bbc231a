import mongoose from "mongoose";

/** What a report says of a mail, which nothing proves, until somebody decides whether it is true. */
export interface SaidToBounce {
  address: string;
  reason: string;
  isLasting: boolean;
  at: Date;
}

export const BOUNCE_REASON_MAX_LENGTH = 300;

const required = { type: String, required: true };

export const saidToBounceSchema = new mongoose.Schema<SaidToBounce>(
  {
    address: required,
    reason: required,
    isLasting: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
);
