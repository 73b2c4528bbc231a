import mongoose from "mongoose";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

interface CaseCountDoc {
  _id: string;
  statuses: Record<string, number>;
  waiting: { first: number; second: number; practice: number };
}

const caseCountMongooseSchema = new mongoose.Schema<CaseCountDoc>(
  {
    _id: { type: String, required: true },
    statuses: { type: Object, default: {} },
    waiting: {
      first: { type: Number, default: 0 },
      second: { type: Number, default: 0 },
      practice: { type: Number, default: 0 },
    },
  },
  { collection: "case_counts", versionKey: false, minimize: false },
);

/** How many cases of a practice are in each state, and for whom they wait: changed with the cases, so that the board never counts them. */
export const CaseCountModel = mongoose.model("CaseCount", caseCountMongooseSchema);

const caseNumberMongooseSchema = new mongoose.Schema<{ _id: string; ownerId: string; year: string; last: number }>(
  { _id: { type: String, default: newId }, year: { type: String, required: true }, last: { type: Number, default: 0 } },
  { collection: "case_numbers", versionKey: false },
);
caseNumberMongooseSchema.plugin(owned);
caseNumberMongooseSchema.index({ ownerId: 1, year: 1 }, { unique: true });

/** The last number that was given, by year. */
export const CaseNumberModel = mongoose.model("CaseNumber", caseNumberMongooseSchema);
