import mongoose from "mongoose";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

interface LinkMail {
  mailId: string;
  kind: "sent" | "reminded";
  at: Date;
}

export interface FormLinkDoc {
  _id: string;
  ownerId: string;
  formId: string;
  clientId: string;
  caseId: string | null;
  partyId: string | null;
  tokenHash: string;
  /** The same for whoever hands it on once more. */
  tokenEnc: string;
  expiresAt: Date;
  revokedAt: Date | null;
  openedAt: Date | null;
  /** The version that was asked when its address was first shown to somebody besides the owner; missing where it never was. */
  shownNumber?: number;
  /** Who had the address besides the owner; missing where nobody did. */
  shownTo?: string[];
  /** When it last got another address, because somebody who had it may not have it any more. */
  renewedAt?: Date;
  mails: LinkMail[];
  /** What a colleague was asked to do instead of a mail. */
  task: string;
  /** What is filled in by it, from the first save. */
  submissionId: string;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
}

const required = { type: String, required: true };
const link = { type: String, default: null };

const formLinkMongooseSchema = new mongoose.Schema<FormLinkDoc>(
  {
    _id: { type: String, default: newId },
    formId: required,
    clientId: required,
    caseId: link,
    partyId: link,
    tokenHash: required,
    tokenEnc: required,
    expiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    openedAt: { type: Date, default: null },
    shownNumber: Number,
    shownTo: { type: [String], default: undefined },
    renewedAt: Date,
    mails: [{ _id: false, mailId: required, kind: required, at: { type: Date, required: true } }],
    task: { type: String, default: "" },
    submissionId: required,
    createdBy: required,
    createdByName: required,
    createdAt: { type: Date, required: true },
  },
  { collection: "form_links", versionKey: false },
);
formLinkMongooseSchema.plugin(owned);
formLinkMongooseSchema.index({ tokenHash: 1 }, { unique: true });
definePublicToken({ collection: "form_links", path: "tokenHash" });
formLinkMongooseSchema.index({ ownerId: 1, clientId: 1, createdAt: -1, _id: -1 });

export const FormLinkModel = mongoose.model("FormLink", formLinkMongooseSchema);

const placeOf = (ownerId: string, id: string) => `form_links:${ownerId}:${id}`;
defineSealedField({ collection: "form_links", path: "tokenEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealToken = (ownerId: string, id: string, token: string): string => encrypt(token, placeOf(ownerId, id));
export const tokenOf = ({ ownerId, _id, tokenEnc }: Pick<FormLinkDoc, "ownerId" | "_id" | "tokenEnc">): string =>
  decrypt(tokenEnc, placeOf(ownerId, _id));

/** What stands in the general address of a practice's forms, by owner id. */
const addressMongooseSchema = new mongoose.Schema<{ _id: string; publicId: string }>(
  { _id: { type: String, required: true }, publicId: required },
  { collection: "form_addresses", versionKey: false },
);
addressMongooseSchema.index({ publicId: 1 }, { unique: true });
export const FormAddressModel = mongoose.model("FormAddress", addressMongooseSchema);
