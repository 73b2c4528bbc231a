import mongoose from "mongoose";
import { z } from "zod";
import type { SafetyReview } from "@app/shared/safety-reviews";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

export interface SafetyReviewDoc extends Pick<SafetyReview, "partyId" | "hasChanged" | "isSafe" | "doMeasuresFit"> {
  _id: string;
  ownerId: string;
  caseId: string;
  sessionId: string;
  /** Not there in those of before it was asked. */
  heldOn?: string;
  /** Said of one that is written when its session has begun; null or not there where nobody said. */
  wasAskedBefore?: boolean | null;
  /** What was said, encrypted as a screening is. */
  noteEnc: string;
  at: Date;
  byName: string;
}

const required = { type: String, required: true };
const said = { type: Boolean, required: true };
const safetyReviewSchema = new mongoose.Schema<SafetyReviewDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    sessionId: required,
    partyId: required,
    hasChanged: said,
    isSafe: said,
    doMeasuresFit: said,
    heldOn: String,
    wasAskedBefore: Boolean,
    noteEnc: required,
    at: { type: Date, required: true },
    byName: required,
  },
  { collection: "safety_reviews", versionKey: false },
);
safetyReviewSchema.plugin(owned);
safetyReviewSchema.index({ ownerId: 1, sessionId: 1, at: 1 });
safetyReviewSchema.index({ ownerId: 1, caseId: 1, at: 1 });

export const SafetyReviewModel = mongoose.model("SafetyReview", safetyReviewSchema);

const placeOf = (ownerId: string, id: string) => `safety_reviews:${ownerId}:${id}`;
defineSealedField({ collection: "safety_reviews", path: "noteEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealNote = (ownerId: string, id: string, words: Pick<SafetyReview, "note">): string =>
  encrypt(JSON.stringify(words), placeOf(ownerId, id));

/** What it says of before a session that was held on this day: the day of that may have been corrected since. */
export const wasAskedBefore = (
  { wasAskedBefore: said, heldOn = "" }: Pick<SafetyReviewDoc, "wasAskedBefore" | "heldOn">,
  day: string,
): boolean | null => (said === true && heldOn > day ? null : (said ?? null));

const wordsSchema = z.object({ note: z.string(), lateReason: z.string().default("") });

export const toSafetyReview = (
  { _id, ownerId, noteEnc, at, ...doc }: SafetyReviewDoc,
  begun: { at: Date; day: string } | null,
): SafetyReview => ({
  partyId: doc.partyId,
  hasChanged: doc.hasChanged,
  isSafe: doc.isSafe,
  doMeasuresFit: doc.doMeasuresFit,
  heldOn: doc.heldOn ?? "",
  wasAskedBefore: begun && wasAskedBefore(doc, begun.day),
  ...wordsSchema.parse(JSON.parse(decrypt(noteEnc, placeOf(ownerId, _id)))),
  at: at.toISOString(),
  byName: doc.byName,
  isLate: begun !== null && at > begun.at,
});
