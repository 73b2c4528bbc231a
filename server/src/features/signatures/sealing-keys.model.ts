import mongoose from "mongoose";
import { encrypt, decrypt } from "../../core/crypto.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** By which a practice seals what was signed: made on first use, by owner id. */
interface SealingKeyDoc {
  _id: string;
  ownerId: string;
  /** PKCS #8. */
  keyEnc: string;
  /** X.509, in DER. */
  certificate: Buffer;
  createdAt: Date;
}

const required = { type: String, required: true };
const sealingKeyMongooseSchema = new mongoose.Schema<SealingKeyDoc>(
  {
    _id: required,
    ownerId: required,
    keyEnc: required,
    certificate: { type: Buffer, required: true },
    createdAt: Date,
  },
  { collection: "sealing_keys", versionKey: false },
);
export const SealingKeyModel = mongoose.model("SealingKey", sealingKeyMongooseSchema);

const placeOf = (ownerId: string) => `sealing_keys:${ownerId}:key`;
defineSealedField({ collection: "sealing_keys", path: "keyEnc", placeOf: ({ ownerId }) => placeOf(ownerId) });

export const sealKey = (ownerId: string, pkcs8: Buffer): string => encrypt(pkcs8.toString("base64"), placeOf(ownerId));
export const openKey = (ownerId: string, keyEnc: string): Buffer =>
  Buffer.from(decrypt(keyEnc, placeOf(ownerId)), "base64");
