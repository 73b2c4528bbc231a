import mongoose from "mongoose";
import type { Attempt } from "@app/shared/ladders";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** One attempt to reach one party of a case. */
export interface AttemptDoc extends Pick<Attempt, "partyId" | "channel" | "rung" | "on" | "replyBy"> {
  _id: string;
  ownerId: string;
  caseId: string;
  clientId: string;
  /** Encrypted: what was written or said. */
  wordingEnc: string;
  /** The mail that carried it; null where none of ours did. */
  mailId: string | null;
  /** Empty for those of whom nobody noted it. */
  madeBy: string;
  at: Date;
  /** Its mail was taken back before it left. */
  takenBackAt: Date | null;
}

const required = { type: String, required: true };

const attemptMongooseSchema = new mongoose.Schema<AttemptDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    clientId: required,
    channel: required,
    rung: { type: Number, required: true },
    on: required,
    replyBy: { type: String, default: "" },
    wordingEnc: required,
    mailId: { type: String, default: null },
    madeBy: { type: String, default: "" },
    at: { type: Date, required: true },
    takenBackAt: { type: Date, default: null },
  },
  { collection: "invitation_attempts", versionKey: false },
);
attemptMongooseSchema.plugin(owned);
attemptMongooseSchema.index({ ownerId: 1, caseId: 1, at: 1, _id: 1 });
attemptMongooseSchema.index({ ownerId: 1, mailId: 1 });

export const AttemptModel = mongoose.model("Attempt", attemptMongooseSchema);

const placeOf = (ownerId: string, id: string) => `invitation_attempts:${ownerId}:${id}`;
defineSealedField({
  collection: "invitation_attempts",
  path: "wordingEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

export const sealWording = (ownerId: string, id: string, wording: string): string =>
  encrypt(wording, placeOf(ownerId, id));

export const wordingOf = ({ ownerId, _id, wordingEnc }: AttemptDoc): string =>
  decrypt(wordingEnc, placeOf(ownerId, _id));
