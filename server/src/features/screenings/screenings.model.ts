import mongoose from "mongoose";
import { type Measure, type Screening, screeningSchema } from "@app/shared/screenings";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

type Content = Pick<Screening, "answers" | "reasons" | "signposted" | "referral">;

export interface ScreeningDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  partyId: string;
  toolVersion: string;
  risk: Screening["risk"];
  measures: Measure[];
  suitable: Screening["suitable"];
  status: Screening["status"];
  /** Answers, reasons and referral, encrypted: nobody who reads the database alone learns what was said. */
  contentEnc: string;
  completedAt: Date;
  completedByName: string;
}

const required = { type: String, required: true };

const screeningMongooseSchema = new mongoose.Schema<ScreeningDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    toolVersion: required,
    risk: required,
    measures: [String],
    suitable: required,
    status: required,
    contentEnc: required,
    completedAt: { type: Date, required: true },
    completedByName: required,
  },
  { collection: "screenings", versionKey: false },
);
screeningMongooseSchema.plugin(owned);
screeningMongooseSchema.index({ ownerId: 1, caseId: 1, completedAt: -1 });

export const ScreeningModel = mongoose.model("Screening", screeningMongooseSchema);

const placeOf = (ownerId: string, id: string) => `screenings:${ownerId}:${id}`;
defineSealedField({ collection: "screenings", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealContent = (ownerId: string, id: string, content: Content): string =>
  encrypt(JSON.stringify(content), placeOf(ownerId, id));

const contentSchema = screeningSchema.pick({ answers: true, reasons: true, signposted: true, referral: true });

export function toScreening({ contentEnc, completedAt, ownerId, ...doc }: ScreeningDoc): Screening {
  const content = contentSchema.parse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, doc._id))));
  return { ...doc, ...content, id: doc._id, completedAt: completedAt.toISOString() };
}
