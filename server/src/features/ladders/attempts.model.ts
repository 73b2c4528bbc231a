import mongoose from "mongoose";
import type { Attempt } from "@app/shared/ladders";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** One attempt to reach one party of a case. */
export interface AttemptDoc extends Pick<Attempt, "partyId" | "channel" | "on" | "replyBy" | "call"> {
  _id: string;
  ownerId: string;
  caseId: string;
  clientId: string;
  /** Encrypted: what was written or said. */
  wordingEnc: string;
  /** Encrypted: why it was made by another channel than its step has; null for one that was not. */
  insteadBecauseEnc: string | null;
  /** Encrypted: why it was made by a way that is not marked as safe; missing or null for one that is. */
  againstBecauseEnc?: string | null;
  /** What was missing on its day, of one that was recorded later; left out where nothing was. */
  unmet?: { text: string; isSafety: boolean }[];
  /** Encrypted: why they were invited all the same. */
  unmetBecauseEnc?: string | null;
  /** The mail that carried it; null where none of ours did. */
  mailId: string | null;
  /** That mail has not left. */
  isWaiting: boolean;
  /** Empty for those of whom nobody noted it. */
  madeBy: string;
  at: Date;
  /** Its mail was taken back before it left, or it was recorded in error. */
  takenBackAt: Date | null;
  /** When it was known that it reached nobody; missing where nobody noted that. */
  cameBackOn?: string;
  /** Encrypted: what was wrong with one that was recorded in error; null for every other. */
  struckBecauseEnc: string | null;
}

const required = { type: String, required: true };

const attemptMongooseSchema = new mongoose.Schema<AttemptDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    clientId: required,
    channel: required,
    on: required,
    replyBy: { type: String, default: "" },
    call: { type: String, default: "" },
    wordingEnc: required,
    insteadBecauseEnc: { type: String, default: null },
    againstBecauseEnc: { type: String, default: null },
    unmet: { type: [{ _id: false, text: String, isSafety: Boolean }], default: undefined },
    unmetBecauseEnc: { type: String, default: null },
    mailId: { type: String, default: null },
    isWaiting: { type: Boolean, default: false },
    madeBy: { type: String, default: "" },
    at: { type: Date, required: true },
    takenBackAt: { type: Date, default: null },
    cameBackOn: String,
    struckBecauseEnc: { type: String, default: null },
  },
  { collection: "invitation_attempts", versionKey: false },
);
attemptMongooseSchema.plugin(owned);
attemptMongooseSchema.index({ ownerId: 1, caseId: 1, at: 1, _id: 1 });
attemptMongooseSchema.index({ ownerId: 1, mailId: 1 });

export const AttemptModel = mongoose.model("Attempt", attemptMongooseSchema);

const SEALED = ["wordingEnc", "insteadBecauseEnc", "againstBecauseEnc", "unmetBecauseEnc", "struckBecauseEnc"] as const;
type Sealed = (typeof SEALED)[number];

/** What was said keeps the place that it had before there was anything beside it. */
const placeOf = (ownerId: string, id: string, path: Sealed) =>
  `invitation_attempts:${ownerId}:${id}${path === "wordingEnc" ? "" : `:${path}`}`;

for (const path of SEALED)
  defineSealedField({
    collection: "invitation_attempts",
    path,
    placeOf: (doc) => placeOf(doc.ownerId, doc._id, path),
  });

export const sealOf = ({ ownerId, _id }: Pick<AttemptDoc, "ownerId" | "_id">, path: Sealed, text: string): string =>
  encrypt(text, placeOf(ownerId, _id, path));

/** Empty where there is none. */
export function textOf(doc: AttemptDoc, path: Sealed): string {
  const sealed = doc[path] ?? null;
  return sealed === null ? "" : decrypt(sealed, placeOf(doc.ownerId, doc._id, path));
}
