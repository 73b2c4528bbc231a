import mongoose from "mongoose";
import type { ConflictDecision, ConflictHit } from "@app/shared/conflicts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface ConflictCheckDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  /** Who was looked for: a check that misses a party of today is outdated. */
  clientIds: string[];
  termsHash: string;
  algorithmVersion: number;
  hits: ConflictHit[];
  /** That more were alike than are compared and kept; absent from before that was kept. */
  isCut?: boolean;
  decision: ConflictDecision;
  reason: string;
  decidedBy: string;
  decidedByName: string;
  decidedAt: Date;
}

const required = { type: String, required: true };

const conflictCheckMongooseSchema = new mongoose.Schema<ConflictCheckDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    clientIds: [String],
    termsHash: required,
    algorithmVersion: { type: Number, required: true },
    hits: [{ _id: false, kind: String, id: String, name: String, score: Number, fields: [String], caseRefs: [String] }],
    isCut: Boolean,
    decision: required,
    reason: { type: String, default: "" },
    decidedBy: required,
    decidedByName: required,
    decidedAt: { type: Date, required: true },
  },
  { collection: "conflict_checks", versionKey: false, id: false },
);
conflictCheckMongooseSchema.plugin(owned);
conflictCheckMongooseSchema.index({ ownerId: 1, caseId: 1, decidedAt: -1 });

export const ConflictCheckModel = mongoose.model("ConflictCheck", conflictCheckMongooseSchema);
