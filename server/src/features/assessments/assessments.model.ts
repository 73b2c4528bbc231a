import { can, type Person } from "@app/shared/access";
import mongoose from "mongoose";
import { z } from "zod";
import { type Assessment, assessmentSchema } from "@app/shared/assessments";
import { instantSchema } from "@app/shared/time";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

/** What was said or thought at the meeting, and what stood in the record before each correction. */
const contentSchema = z.object({
  ...assessmentSchema.pick({
    shortReason: true,
    forms: true,
    formsReason: true,
    childInclusive: true,
    signposting: true,
    riskAssessment: true,
  }).shape,
  // Of records from before it was asked nobody confirmed it.
  isBriefConfirmed: z.boolean().default(false),
  phoneReason: z.string().default(""),
  underAgeReason: z.string().default(""),
  hoursReason: z.string().default(""),
  otherPeople: z.string().default(""),
  childInclusiveReason: z.string().default(""),
  riskReason: z.string().default(""),
  corrections: z.array(
    z.object({ at: instantSchema, byName: z.string(), reason: z.string(), before: z.record(z.string(), z.unknown()) }),
  ),
});
export type AssessmentContent = z.infer<typeof contentSchema>;

export const NOTHING_SAID: AssessmentContent = {
  phoneReason: "",
  underAgeReason: "",
  hoursReason: "",
  otherPeople: "",
  shortReason: "",
  isBriefConfirmed: false,
  forms: [],
  formsReason: "",
  childInclusive: "",
  childInclusiveReason: "",
  signposting: "",
  riskAssessment: "",
  riskReason: "",
  corrections: [],
};

export interface AssessmentDoc extends Pick<
  Assessment,
  | "caseId"
  | "partyId"
  | "status"
  | "origin"
  | "attendedOn"
  | "place"
  | "where"
  | "minutes"
  | "plannedMinutes"
  | "mediatorId"
  | "mediatorName"
  | "service"
  | "accreditationNumber"
  | "evidence"
  | "evidenceKind"
  | "company"
  | "withPartyIds"
  | "meetingId"
  | "isComplete"
> {
  _id: string;
  ownerId: string;
  clientId: string;
  /** Encrypted: nobody who reads the database alone learns what was said. */
  contentEnc: string;
  /** Those that stand on it; a void one does not. */
  certificateIds: string[];
  version: number;
  createdAt: Date;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const count = { type: Number, default: null };

const assessmentMongooseSchema = new mongoose.Schema<AssessmentDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    clientId: required,
    status: required,
    origin: required,
    attendedOn: required,
    place: String,
    where: text,
    minutes: count,
    plannedMinutes: count,
    mediatorId: text,
    mediatorName: text,
    service: text,
    accreditationNumber: text,
    evidence: text,
    evidenceKind: String,
    company: String,
    withPartyIds: [String],
    meetingId: { type: String, default: null },
    isComplete: { type: Boolean, required: true },
    contentEnc: required,
    certificateIds: [String],
    version: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: "assessments", versionKey: false },
);
assessmentMongooseSchema.plugin(owned);
assessmentMongooseSchema.index({ ownerId: 1, caseId: 1, attendedOn: -1 });
// Nobody attends two on one day: what is typed twice, or typed and told by the calendar, is one.
assessmentMongooseSchema.index(
  { ownerId: 1, caseId: 1, partyId: 1, attendedOn: 1 },
  { name: "one_of_a_day", unique: true, partialFilterExpression: { status: "held" } },
);

export const AssessmentModel = mongoose.model("Assessment", assessmentMongooseSchema);

const placeOf = (ownerId: string, id: string) => `assessments:${ownerId}:${id}`;
defineSealedField({ collection: "assessments", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealContent = (ownerId: string, id: string, content: AssessmentContent): string =>
  encrypt(JSON.stringify(content), placeOf(ownerId, id));

export const contentOf = ({ ownerId, _id, contentEnc }: AssessmentDoc): AssessmentContent =>
  contentSchema.parse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));

/** What was said there is read as a screening is: it may tell as much of somebody's safety. */
export function toAssessment(
  reader: Person,
  doc: AssessmentDoc,
  restsOnStruck: (doc: AssessmentDoc) => boolean = () => false,
): Assessment {
  const { contentEnc: _sealed, certificateIds, createdAt, ...rest } = doc;
  const isWithheld = !can(reader, "screening.read");
  const whole = contentOf(doc);
  const { corrections, ...content } = isWithheld ? NOTHING_SAID : whole;
  return {
    ...rest,
    ...content,
    id: doc._id,
    isWithheld,
    lacksRiskAssessment: whole.riskAssessment === "not_done" || (whole.riskAssessment === "done" && restsOnStruck(doc)),
    isCertified: certificateIds.length > 0,
    corrections: corrections.map(({ at, byName, reason }) => ({ at, byName, reason })),
    createdAt: createdAt.toISOString(),
  };
}
