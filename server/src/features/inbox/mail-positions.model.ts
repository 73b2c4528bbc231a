import mongoose from "mongoose";

interface MailPositionDoc {
  /** The person whose mailbox it is. */
  _id: string;
  mailbox: string;
  uidValidity: string;
  /** Everything up to here was looked at. */
  lastUid: number;
}

const mailPositionSchema = new mongoose.Schema<MailPositionDoc>(
  {
    _id: { type: String, required: true },
    mailbox: { type: String, required: true },
    uidValidity: { type: String, required: true },
    lastUid: { type: Number, required: true },
  },
  { collection: "mail_positions", versionKey: false },
);
export const MailPositionModel = mongoose.model("MailPosition", mailPositionSchema);
