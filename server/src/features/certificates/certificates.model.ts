import mongoose from "mongoose";
import type { DocumentContent } from "@app/shared/document-content";
import type { Mediating, Statement } from "@app/shared/miam-rules";
import type { OldCertificateReason } from "@app/shared/miam-rules-2014-04-22";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

export interface CertificateDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  partyId: string;
  clientId: string;
  number: string;
  /** Expired is what an issued one is after its day. */
  status: "issued" | "used" | "void";
  /** Of those issued under the old rules only. */
  reason?: OldCertificateReason;
  /** The record that it stands on; those of the old rules have none. */
  assessmentId?: string;
  /** The version of the rules that it was issued by. */
  rules: string;
  statements: Statement[];
  /** What it says, word for word. */
  sentences: string[];
  attendedOn: string;
  /** Of what confirms mediation only. */
  mediatedFrom?: string;
  mediatedUntil?: string;
  /** Not there in those of before it was told apart: they say that another participant was there. */
  mediating?: Mediating;
  /** Not there in those of before it was asked for. */
  fewerReason?: string;
  issuedOn: string;
  countedFrom: string;
  expiresOn: string;
  usedOn: string;
  voidReason: string;
  issuedBy: string;
  mediatorName: string;
  accreditationNumber: string;
  conductedByName: string;
  serviceName: string;
  personName: string;
  /** Its whole text as it was issued; not there in those of before there was a template. */
  content?: DocumentContent;
  /** Which of the two reminders went out: before it expires, and when it has. */
  reminded: "none" | "soon" | "expired";
  createdAt: Date;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };

const certificateMongooseSchema = new mongoose.Schema<CertificateDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    clientId: required,
    number: required,
    status: required,
    reason: String,
    assessmentId: String,
    rules: required,
    statements: [String],
    sentences: [String],
    attendedOn: text,
    mediatedFrom: String,
    mediatedUntil: String,
    mediating: String,
    fewerReason: text,
    issuedOn: required,
    countedFrom: required,
    expiresOn: required,
    usedOn: text,
    voidReason: text,
    issuedBy: required,
    mediatorName: required,
    accreditationNumber: text,
    conductedByName: text,
    serviceName: text,
    personName: text,
    content: mongoose.Schema.Types.Mixed,
    reminded: { type: String, default: "none" },
    createdAt: { type: Date, required: true },
  },
  { collection: "certificates", versionKey: false, minimize: false },
);
certificateMongooseSchema.plugin(owned);
certificateMongooseSchema.index({ ownerId: 1, number: 1 }, { unique: true });
certificateMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: -1 });
certificateMongooseSchema.index(
  { ownerId: 1, partyId: 1, assessmentId: 1 },
  {
    name: "one_stands",
    unique: true,
    partialFilterExpression: { status: "issued", assessmentId: { $type: "string" } },
  },
);
certificateMongooseSchema.index(
  { ownerId: 1, caseId: 1, partyId: 1, mediatedUntil: 1 },
  {
    name: "one_of_mediation_stands",
    unique: true,
    partialFilterExpression: { status: "issued", mediatedUntil: { $type: "string" } },
  },
);
certificateMongooseSchema.index({ ownerId: 1, status: 1, expiresOn: 1 });
certificateMongooseSchema.index({ status: 1, reminded: 1, expiresOn: 1 });

export const CertificateModel = mongoose.model("Certificate", certificateMongooseSchema);

const certificateNumberMongooseSchema = new mongoose.Schema<{ _id: string; last: number }>(
  { _id: { type: String, required: true }, last: { type: Number, default: 0 } },
  { collection: "certificate_numbers", versionKey: false },
);

/** The last number that was given, by owner. */
export const CertificateNumberModel = mongoose.model("CertificateNumber", certificateNumberMongooseSchema);
