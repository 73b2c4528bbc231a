import mongoose from "mongoose";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** A certificate by which a practice seals instead of its own made one, by owner id. */
export interface SealCertificateDoc {
  _id: string;
  ownerId: string;
  /** PKCS #8. */
  keyEnc: string;
  /** X.509, in DER: its own first, then those that issued each other. */
  certificates: { buffer: Buffer }[];
  subject: string;
  issuer: string;
  startsAt: Date;
  endsAt: Date;
  /** Whether the owner has a task that it ends soon. */
  isEndTold: boolean;
  addedAt: Date;
  addedByName: string;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };
const sealCertificateMongooseSchema = new mongoose.Schema<SealCertificateDoc>(
  {
    _id: required,
    ownerId: required,
    keyEnc: required,
    certificates: [{ _id: false, buffer: { type: Buffer, required: true } }],
    subject: required,
    issuer: required,
    startsAt: time,
    endsAt: time,
    isEndTold: { type: Boolean, default: false },
    addedAt: time,
    addedByName: required,
  },
  { collection: "seal_certificates", versionKey: false },
);
sealCertificateMongooseSchema.index({ isEndTold: 1, endsAt: 1 });
export const SealCertificateModel = mongoose.model("SealCertificate", sealCertificateMongooseSchema);

const placeOf = (ownerId: string) => `seal_certificates:${ownerId}:key`;
defineSealedField({ collection: "seal_certificates", path: "keyEnc", placeOf: ({ ownerId }) => placeOf(ownerId) });

export const sealCertificateKey = (ownerId: string, pkcs8: Uint8Array): string =>
  encrypt(Buffer.from(pkcs8).toString("base64"), placeOf(ownerId));
export const openCertificateKey = (ownerId: string, keyEnc: string): Buffer =>
  Buffer.from(decrypt(keyEnc, placeOf(ownerId)), "base64");
