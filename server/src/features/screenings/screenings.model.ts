import mongoose from "mongoose";
import { questionsOf, toolOfVersion } from "@app/shared/screening-tools";
import {
  type CompleteScreening,
  type Judgement,
  type Measure,
  type Screening,
  screeningSchema,
} from "@app/shared/screenings";
import { z } from "zod";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

type Content = Pick<
  CompleteScreening,
  | "channel"
  | "company"
  | "supporter"
  | "answers"
  | "reasons"
  | "signposted"
  | "referral"
  | "consulted"
  | "score"
  | "whyNeither"
  | "spokenWith"
>;

export interface ScreeningDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  partyId: string;
  toolVersion: string;
  /** Only screenings of the first tool have one. */
  risk: Screening["risk"];
  measures: Measure[];
  suitable: Screening["suitable"];
  status: Screening["status"];
  /** Null in screenings from before it was asked for. */
  heldOn: string | null;
  /** Of which screenings of other cases, that found them not safe, whoever held this one said that they had looked at it. */
  lookedAt?: string[];
  /** How it was held, answers, reasons, who was consulted and told: nobody who reads the database alone learns what was said. */
  contentEnc: string;
  completedAt: Date;
  completedByName: string;
  /** Missing in those from before it was told apart: they count as if a mediator had found it. */
  judgement?: Judgement;
  confirmedByName?: string;
  confirmedAt?: Date;
}

const required = { type: String, required: true };

const screeningMongooseSchema = new mongoose.Schema<ScreeningDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    toolVersion: required,
    risk: { type: String, default: null },
    measures: [String],
    suitable: required,
    status: required,
    heldOn: { type: String, default: null },
    lookedAt: { type: [String], default: [] },
    contentEnc: required,
    completedAt: { type: Date, required: true },
    completedByName: required,
    judgement: String,
    confirmedByName: String,
    confirmedAt: Date,
  },
  { collection: "screenings", versionKey: false },
);
screeningMongooseSchema.plugin(owned);
screeningMongooseSchema.index({ ownerId: 1, caseId: 1, completedAt: -1 });

export const ScreeningModel = mongoose.model("Screening", screeningMongooseSchema);

/** They told of a risk, and nobody who mediates has said yet that it is safe all the same. */
export const isUnjudged = ({ judgement }: Pick<ScreeningDoc, "judgement">): boolean => judgement === "needed";

/** In a filter: those that were not struck. */
export const STANDING = { status: mongoose.trusted({ $ne: "struck" as const }) };

export const placeOf = (ownerId: string, id: string) => `screenings:${ownerId}:${id}`;
defineSealedField({ collection: "screenings", path: "contentEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const seal = (ownerId: string, id: string, content: object): string =>
  encrypt(JSON.stringify(content), placeOf(ownerId, id));
export const sealContent = (ownerId: string, id: string, content: Content): string => seal(ownerId, id, content);

const { channel, company, supporter, reasons, signposted, referral, consulted, score, whyNeither, spokenWith, struck } =
  screeningSchema.shape;
/** As it was sealed: what was not asked for yet is missing, and the first tool kept words alone. */
const contentSchema = z.object({
  channel: channel.default(null),
  company: company.default(null),
  supporter: supporter.default(null),
  answers: z.record(
    z.string(),
    z.union([z.string(), screeningSchema.shape.answers.element.pick({ answer: true, words: true, safeBecause: true })]),
  ),
  reasons,
  signposted,
  referral,
  consulted: consulted.default(null),
  score: score.default(null),
  whyNeither,
  spokenWith,
  struck: struck.default(null),
});

const openContent = ({ ownerId, _id, contentEnc }: Pick<ScreeningDoc, "ownerId" | "_id" | "contentEnc">) =>
  contentSchema.parse(JSON.parse(decrypt(contentEnc, placeOf(ownerId, _id))));

/** The same with who struck it and why, as it is stored. */
export const sealStruck = (doc: ScreeningDoc, struck: Screening["struck"]): string =>
  seal(doc.ownerId, doc._id, { ...openContent(doc), struck });

export function toScreening(doc: ScreeningDoc): Screening {
  const { answers, ...content } = openContent(doc);
  const { _id: id, ownerId: _ownerId, contentEnc: _sealed, completedAt, confirmedByName, confirmedAt, ...plain } = doc;
  return {
    ...plain,
    ...content,
    id,
    heldOn: doc.heldOn ?? null,
    lookedAt: doc.lookedAt ?? [],
    answers: inOrder(doc.toolVersion, answers),
    completedAt: completedAt.toISOString(),
    judgement: doc.judgement ?? "given",
    confirmed: confirmedAt ? { at: confirmedAt.toISOString(), byName: confirmedByName ?? "" } : null,
  };
}

/** In the words and the order of the version that was asked; what that does not know, or nobody answered, stays as it is. */
function inOrder(
  version: string,
  answers: Record<string, string | Omit<Screening["answers"][number], "id" | "question">>,
): Screening["answers"] {
  const tool = toolOfVersion(version);
  const asked = new Map((tool ? questionsOf(tool) : []).map(({ id, text }) => [id, text]));
  const ids = new Set([...asked.keys(), ...Object.keys(answers)]);
  return [...ids].flatMap((id) => {
    const given = answers[id];
    if (given === undefined) return [];
    const said = typeof given === "string" ? { answer: null, words: given } : given;
    return { id, question: asked.get(id) ?? id, ...said };
  });
}
