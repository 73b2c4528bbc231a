import mongoose from "mongoose";
import {
  entryVersionSchema,
  type EntryVersion,
  type RemovedCase,
  removedCaseSchema,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** By which finding. */
export interface Opened {
  partyId: string;
  sessionId: string | null;
  /** Null where a review opened it, or it was opened before this was kept. */
  screeningId: string | null;
}

export interface SafeguardingDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  kind: SafeguardingEntry["kind"];
  authorId: string;
  state: SafeguardingEntry["state"];
  opened: Opened | null;
  /** The newest wording, encrypted as a screening is. */
  latestEnc: string;
  /** When the first wording was written. */
  begunAt: Date;
  /** How many wordings there were before. */
  version: number;
  /** Its case as it stood when it was removed; in entries from before this was kept it is missing. */
  removedCaseEnc?: string | null;
}

const required = { type: String, required: true };

const safeguardingMongooseSchema = new mongoose.Schema<SafeguardingDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    kind: required,
    authorId: required,
    state: { type: String, default: "kept" },
    opened: {
      type: new mongoose.Schema(
        { partyId: required, sessionId: { type: String, default: null }, screeningId: { type: String, default: null } },
        { _id: false },
      ),
      default: null,
    },
    latestEnc: required,
    begunAt: { type: Date, required: true },
    version: { type: Number, default: 0 },
    removedCaseEnc: { type: String, default: null },
  },
  { collection: "safeguarding_entries", versionKey: false },
);
safeguardingMongooseSchema.plugin(owned);
safeguardingMongooseSchema.index({ ownerId: 1, caseId: 1, begunAt: -1, _id: -1 });
safeguardingMongooseSchema.index(
  { ownerId: 1, begunAt: -1, _id: -1 },
  { partialFilterExpression: { removedCaseEnc: { $type: "string" } } },
);

export const SafeguardingModel = mongoose.model("SafeguardingEntry", safeguardingMongooseSchema);

const placeOfLatest = (ownerId: string, id: string) => `safeguarding_entries:${ownerId}:${id}`;
defineSealedField({
  collection: "safeguarding_entries",
  path: "latestEnc",
  placeOf: (doc) => placeOfLatest(doc.ownerId, doc._id),
});

export const sealLatest = (ownerId: string, id: string, wording: EntryVersion): string =>
  encrypt(JSON.stringify(wording), placeOfLatest(ownerId, id));

const openLatest = ({ ownerId, _id, latestEnc }: SafeguardingDoc): EntryVersion =>
  entryVersionSchema.parse(JSON.parse(decrypt(latestEnc, placeOfLatest(ownerId, _id))));

const placeOfRemoved = (ownerId: string, id: string) => `safeguarding_removed_cases:${ownerId}:${id}`;
defineSealedField({
  collection: "safeguarding_entries",
  path: "removedCaseEnc",
  placeOf: (doc) => placeOfRemoved(doc.ownerId, doc._id),
});

export const sealRemoved = (ownerId: string, id: string, theCase: RemovedCase): string =>
  encrypt(JSON.stringify(theCase), placeOfRemoved(ownerId, id));

const openRemoved = (sealed: string, { ownerId, _id }: SafeguardingDoc): RemovedCase =>
  removedCaseSchema.parse(JSON.parse(decrypt(sealed, placeOfRemoved(ownerId, _id))));

export const toEntry = (doc: SafeguardingDoc): SafeguardingEntry => ({
  id: doc._id,
  caseId: doc.caseId,
  kind: doc.kind,
  version: doc.version,
  state: doc.state,
  opened: doc.opened,
  latest: openLatest(doc),
  earlierCount: doc.version,
  removedCase: doc.removedCaseEnc ? openRemoved(doc.removedCaseEnc, doc) : null,
});

export interface WordingDoc {
  _id: string;
  ownerId: string;
  entryId: string;
  /** Of the entry, while this was its newest wording. */
  version: number;
  wordingEnc: string;
}

const wordingMongooseSchema = new mongoose.Schema<WordingDoc>(
  { _id: required, entryId: required, version: { type: Number, required: true }, wordingEnc: required },
  { collection: "safeguarding_wordings", versionKey: false },
);
wordingMongooseSchema.plugin(owned);
wordingMongooseSchema.index({ ownerId: 1, entryId: 1, version: -1 }, { unique: true });

/** The earlier wordings of entries, each by itself. */
export const WordingModel = mongoose.model("SafeguardingWording", wordingMongooseSchema);

const placeOfWording = (ownerId: string, id: string) => `safeguarding_wordings:${ownerId}:${id}`;
defineSealedField({
  collection: "safeguarding_wordings",
  path: "wordingEnc",
  placeOf: (doc) => placeOfWording(doc.ownerId, doc._id),
});

/** An earlier wording as it is stored; the same each time that it is made. */
export function earlierWording(
  { ownerId, _id: entryId }: Pick<SafeguardingDoc, "ownerId" | "_id">,
  version: number,
  wording: EntryVersion,
): WordingDoc {
  const _id = `${entryId}-${version}`;
  return {
    _id,
    ownerId,
    entryId,
    version,
    wordingEnc: encrypt(JSON.stringify(wording), placeOfWording(ownerId, _id)),
  };
}

export const toWording = ({ _id, ownerId, wordingEnc }: WordingDoc): EntryVersion =>
  entryVersionSchema.parse(JSON.parse(decrypt(wordingEnc, placeOfWording(ownerId, _id))));

interface OfficerDoc {
  _id: string;
  ownerId: string;
  userId: string | null;
  /** Everybody who was named, with who named them and when, the newest last; missing where that was before this was kept. */
  named?: { userId: string | null; name: string; byName: string; at: Date }[];
}

const named = { _id: false, userId: { type: String, default: null }, name: String, byName: String, at: Date };
const officerMongooseSchema = new mongoose.Schema<OfficerDoc>(
  { _id: { type: String, required: true }, userId: { type: String, default: null }, named: [named] },
  { collection: "safeguarding_officers", versionKey: false },
);
officerMongooseSchema.plugin(owned);

/** One for each practice that named its officer, under the practice's own id. */
export const OfficerModel = mongoose.model("SafeguardingOfficer", officerMongooseSchema);
