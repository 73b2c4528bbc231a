// Whether the key fits the data: a start with another one would look well, and lose what is sealed bit by bit.
import { randomBytes } from "node:crypto";
import mongoose, { Schema } from "mongoose";
import { decrypt, encrypt, setHashKey } from "./crypto.ts";
import { isDuplicateKey } from "./database.ts";
import { defineSealedField } from "./sealed-fields.ts";
import { SettingsError } from "./settings.ts";

const ID = "keys";
const PLACE = "installation:keys:hash_key";
const HASH_KEY_BYTES = 32;

const installationSchema = new Schema(
  { _id: { type: String, required: true }, hash_key_enc: { type: String, required: true } },
  { collection: "installation", versionKey: false },
);
const InstallationModel = mongoose.model("Installation", installationSchema);
defineSealedField({ collection: "installation", path: "hash_key_enc", placeOf: () => PLACE });

/** Throws SettingsError where the data was written with a key that is not loaded. Call it before anything is read. */
export async function checkKey(): Promise<void> {
  const stored = (await InstallationModel.findById(ID).lean()) ?? (await storeFirst());
  try {
    setHashKey(Buffer.from(decrypt(stored?.hash_key_enc ?? "", PLACE), "base64url"));
  } catch (error) {
    throw new SettingsError(
      "this data was written with another key. Set SECRET_KEY to that key, or put its secret.key back into the data directory",
      { cause: error },
    );
  }
}

async function storeFirst() {
  const hash_key_enc = encrypt(randomBytes(HASH_KEY_BYTES).toString("base64url"), PLACE);
  try {
    await InstallationModel.create([{ _id: ID, hash_key_enc }]);
  } catch (error) {
    // Another process was first.
    if (!isDuplicateKey(error)) throw error;
  }
  return InstallationModel.findById(ID).lean();
}
