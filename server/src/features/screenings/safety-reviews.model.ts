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
  /** What was said, and why it is written late, encrypted as a screening is. */
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

export const sealNote = (ownerId: string, id: string, words: Pick<SafetyReview, "note" | "lateReason">): string =>
  encrypt(JSON.stringify(words), placeOf(ownerId, id));

const wordsSchema = z.object({ note: z.string(), lateReason: z.string().default("") });

export const toSafetyReview = (
  { _id, ownerId, noteEnc, at, ...doc }: SafetyReviewDoc,
  begunAt: Date | null,
): SafetyReview => ({
  partyId: doc.partyId,
  hasChanged: doc.hasChanged,
  isSafe: doc.isSafe,
  doMeasuresFit: doc.doMeasuresFit,
  heldOn: doc.heldOn ?? "",
  ...wordsSchema.parse(JSON.parse(decrypt(noteEnc, placeOf(ownerId, _id)))),
  at: at.toISOString(),
  byName: doc.byName,
  isLate: begunAt !== null && at > begunAt,
});
