import mongoose from "mongoose";
import { z } from "zod";
import { entryVersionSchema, type EntryVersion, type SafeguardingEntry } from "@app/shared/safeguarding";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

export interface SafeguardingDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  kind: SafeguardingEntry["kind"];
  authorId: string;
  /** Every wording, the newest first, encrypted as a screening is. */
  versionsEnc: string;
  version: number;
}

const required = { type: String, required: true };

const safeguardingMongooseSchema = new mongoose.Schema<SafeguardingDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    kind: required,
    authorId: required,
    versionsEnc: required,
    version: { type: Number, default: 0 },
  },
  { collection: "safeguarding_entries", versionKey: false },
);
safeguardingMongooseSchema.plugin(owned);
safeguardingMongooseSchema.index({ ownerId: 1, caseId: 1, _id: 1 });

export const SafeguardingModel = mongoose.model("SafeguardingEntry", safeguardingMongooseSchema);

const placeOf = (ownerId: string, id: string) => `safeguarding_entries:${ownerId}:${id}`;
defineSealedField({
  collection: "safeguarding_entries",
  path: "versionsEnc",
  placeOf: (doc) => placeOf(doc.ownerId, doc._id),
});

export const sealVersions = (ownerId: string, id: string, versions: EntryVersion[]): string =>
  encrypt(JSON.stringify(versions), placeOf(ownerId, id));

export function toEntry({ _id, ownerId, caseId, kind, version, versionsEnc }: SafeguardingDoc): SafeguardingEntry {
  const versions = z.array(entryVersionSchema).parse(JSON.parse(decrypt(versionsEnc, placeOf(ownerId, _id))));
  return { id: _id, caseId, kind, version, versions };
}

const officerMongooseSchema = new mongoose.Schema<{ _id: string; ownerId: string; userId: string | null }>(
  { _id: { type: String, required: true }, userId: { type: String, default: null } },
  { collection: "safeguarding_officers", versionKey: false },
);
officerMongooseSchema.plugin(owned);

/** One for each practice that named its officer, under the practice's own id. */
export const OfficerModel = mongoose.model("SafeguardingOfficer", officerMongooseSchema);
