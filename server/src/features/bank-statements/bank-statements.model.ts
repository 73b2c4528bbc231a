import { STATEMENT_KEPT_DAYS, type StatementFormat } from "@app/shared/bank-columns";
import mongoose from "mongoose";
import { DAY_MS } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineRemoval, removeFrom } from "../../core/removals.ts";

export interface StatementDoc {
  _id: string;
  ownerId: string;
  fileName: string;
  format: StatementFormat;
  notes: string[];
  importedAt: Date;
  importedBy: string;
  importedByName: string;
}

export interface BankLineDoc {
  _id: string;
  ownerId: string;
  statementId: string;
  /** What is the same in another file that has this line too. */
  fingerprint: string;
  /** Its place among those that came in. */
  place: number;
  on: string;
  amountMinor: number;
  currency: string;
  payerName: string;
  text: string;
  isSetAside: boolean;
  /** Empty until it was recorded. */
  paymentId: string;
  importedAt: Date;
}

/** That a line became a payment, kept as long as the payment: no statement makes a second one of it. */
export interface RecordedLineDoc {
  /** The practice and the fingerprint. */
  _id: string;
  ownerId: string;
  paymentId: string;
  at: Date;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const amount = { type: Number, required: true };
const time = { type: Date, required: true };

const statementMongooseSchema = new mongoose.Schema<StatementDoc>(
  {
    _id: { type: String, default: newId },
    fileName: required,
    format: required,
    notes: [String],
    importedAt: time,
    importedBy: required,
    importedByName: required,
  },
  { collection: "bank_statements", versionKey: false },
);
statementMongooseSchema.plugin(owned);
statementMongooseSchema.index({ ownerId: 1, importedAt: -1, _id: -1 });
statementMongooseSchema.index({ importedAt: 1 });
export const StatementModel = mongoose.model("BankStatement", statementMongooseSchema);

const lineMongooseSchema = new mongoose.Schema<BankLineDoc>(
  {
    _id: { type: String, default: newId },
    statementId: required,
    fingerprint: required,
    place: amount,
    on: required,
    amountMinor: amount,
    currency: required,
    payerName: text,
    text,
    isSetAside: { type: Boolean, default: false },
    paymentId: text,
    importedAt: time,
  },
  { collection: "bank_lines", versionKey: false },
);
lineMongooseSchema.plugin(owned);
lineMongooseSchema.index({ ownerId: 1, statementId: 1, place: 1 });
lineMongooseSchema.index({ ownerId: 1, fingerprint: 1 });
lineMongooseSchema.index({ importedAt: 1 });
export const BankLineModel = mongoose.model("BankLine", lineMongooseSchema);

const recordedMongooseSchema = new mongoose.Schema<RecordedLineDoc>(
  { _id: required, paymentId: required, at: time },
  { collection: "recorded_bank_lines", versionKey: false },
);
recordedMongooseSchema.plugin(owned);
recordedMongooseSchema.index({ ownerId: 1, paymentId: 1 });
export const RecordedLineModel = mongoose.model("RecordedBankLine", recordedMongooseSchema);

const keptMs = STATEMENT_KEPT_DAYS * DAY_MS;
defineRemoval({ of: "lines of bank statements", keptMs, remove: removeFrom("bank_lines", "importedAt") });
defineRemoval({ of: "bank statements", keptMs, remove: removeFrom("bank_statements", "importedAt") });
