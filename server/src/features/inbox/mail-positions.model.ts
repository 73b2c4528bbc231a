import mongoose from "mongoose";

interface MailPositionDoc {
  /** The person whose mailbox it is. */
  _id: string;
  mailbox: string;
  uidValidity: string;
  /** Everything up to here was looked at. */
  lastUid: number;
  /** The mail at which the connection ended last, and how often it did so there. */
  brokeAt?: number;
  breaks?: number;
}

const mailPositionSchema = new mongoose.Schema<MailPositionDoc>(
  {
    _id: { type: String, required: true },
    mailbox: { type: String, required: true },
    uidValidity: { type: String, required: true },
    lastUid: { type: Number, required: true },
    brokeAt: Number,
    breaks: Number,
  },
  { collection: "mail_positions", versionKey: false },
);
export const MailPositionModel = mongoose.model("MailPosition", mailPositionSchema);
