import mongoose from "mongoose";
import type { FinanceCategory, FigureOwner } from "@app/shared/finance-categories";
import type { Figure, FigureSource, GivenFigure } from "@app/shared/finances";
import type { Readable, Visibility } from "@app/shared/visibility";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";

type Said = Pick<GivenFigure, "label" | "amountMinor">;

/** A figure as it stood before it was changed. */
interface EarlierFigure extends GivenFigure {
  source: FigureSource;
  savedAt: string;
  savedByName: string;
}

interface FigureContent extends Said {
  earlier: EarlierFigure[];
}

export interface FigureDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  partyId: string;
  category: FinanceCategory;
  owner: FigureOwner;
  asOf: string;
  evidenceFileId: string | null;
  source: FigureSource;
  /** Name, amount and what stood there before: nobody who reads the database alone learns what was disclosed. */
  contentEnc: string;
  /** Taken from an answer that only the case's mediators may read: so is the figure, until it is exchanged. */
  isForMediators: boolean;
  visibility: Visibility;
  /** When it was shown to all as it stands; null before. */
  exchangedAt: Date | null;
  /** Whether the others have been shown it in some form: then they are to hear of it too when it changes or goes. */
  wasShown?: boolean;
  version: number;
  deletedAt: Date | null;
  createdAt: Date;
  savedAt: Date;
  savedByName: string;
}

export interface StoredAgreement {
  figureIds: string[];
  amountMinor: number;
  by: { partyId: string; on: string; recordedByName: string; at: string }[];
}

export interface FinanceDoc {
  _id: string;
  ownerId: string;
  caseId: string;
  currency: string;
  version: number;
  parties: {
    partyId: string;
    noneIn: FinanceCategory[];
    completeOn: string;
    /** They do not disclose, as a mediator recorded. Missing where nobody did. */
    isLeftOut?: boolean;
    /** What stood there at the last exchange; missing before. */
    shownNoneIn?: FinanceCategory[];
    /** When it last changed; missing where it never did. */
    noneAt?: Date;
    /** The answers that were taken over whole. */
    takenOver: string[];
    /** What of newer answers was left as it is: the answers and which of them. */
    left: { submissionId: string; key: string }[];
  }[];
  pairs: { figureIds: string[] }[];
  /** As sealed as the figures that they are of. */
  agreementsEnc: string;
  exchanges: {
    at: Date;
    byName: string;
    consents: { partyId: string; on: string; how: string }[];
    /** They had exchanged it on paper on those days, and it was recorded later. */
    areAsHandedOver?: boolean;
  }[];
}

interface Placed {
  ownerId: string;
  _id: string;
}

const required = { type: String, required: true };
const plain = { type: mongoose.Schema.Types.Mixed, required: true };

const figureMongooseSchema = new mongoose.Schema<FigureDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    partyId: required,
    category: required,
    owner: required,
    asOf: { type: String, default: "" },
    evidenceFileId: { type: String, default: null },
    source: plain,
    contentEnc: required,
    isForMediators: { type: Boolean, default: false },
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    exchangedAt: { type: Date, default: null },
    wasShown: { type: Boolean, default: false },
    version: { type: Number, default: 0 },
    deletedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    savedAt: { type: Date, required: true },
    savedByName: required,
  },
  { collection: "figures", versionKey: false, minimize: false },
);
figureMongooseSchema.plugin(owned);
figureMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: 1, _id: 1 });
export const FigureModel = mongoose.model("Figure", figureMongooseSchema);

const financeMongooseSchema = new mongoose.Schema<FinanceDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    currency: required,
    version: { type: Number, default: 0 },
    parties: plain,
    pairs: plain,
    agreementsEnc: required,
    exchanges: plain,
  },
  { collection: "finances", versionKey: false, minimize: false },
);
financeMongooseSchema.plugin(owned);
financeMongooseSchema.index({ ownerId: 1, caseId: 1 }, { unique: true });
export const FinanceModel = mongoose.model("Finance", financeMongooseSchema);

/** What the agreed values are sealed for: a case has one statement. */
const agreedPlace = ({ ownerId, _id }: Placed) => `finances:${ownerId}:${_id}`;
defineSealedField({ collection: "finances", path: "agreementsEnc", placeOf: (doc) => agreedPlace(doc) });

export const sealAgreements = (placed: Placed, agreements: readonly StoredAgreement[]): string =>
  encrypt(JSON.stringify(agreements), agreedPlace(placed));

export function agreementsOf(doc: Placed & Pick<FinanceDoc, "agreementsEnc">): StoredAgreement[] {
  const agreements: StoredAgreement[] = JSON.parse(decrypt(doc.agreementsEnc, agreedPlace(doc)));
  return agreements;
}

const figurePlace = ({ ownerId, _id }: Placed) => `figures:${ownerId}:${_id}`;
defineSealedField({ collection: "figures", path: "contentEnc", placeOf: (doc) => figurePlace(doc) });

export const sealFigure = (placed: Placed, content: FigureContent): string =>
  encrypt(JSON.stringify(content), figurePlace(placed));

export function contentOfFigure(doc: Placed & Pick<FigureDoc, "contentEnc">): FigureContent {
  const content: FigureContent = JSON.parse(decrypt(doc.contentEnc, figurePlace(doc)));
  return content;
}

/** What a person gives of a figure, as it stands. */
export function givenOf(doc: FigureDoc): GivenFigure {
  const { label, amountMinor } = contentOfFigure(doc);
  const { category, owner, asOf, evidenceFileId } = doc;
  return { category, label, amountMinor, owner, asOf, evidenceFileId };
}

export const toFigure = (doc: FigureDoc, evidenceName: string): Figure => ({
  ...givenOf(doc),
  id: doc._id,
  caseId: doc.caseId,
  partyId: doc.partyId,
  source: doc.source,
  evidenceName,
  isExchanged: doc.exchangedAt !== null,
  isRemoved: doc.deletedAt !== null,
  version: doc.version,
  updatedAt: doc.savedAt.toISOString(),
  updatedByName: doc.savedByName,
});

/** For the guard: its readers, and since when they are. */
export const readableFigure = ({ visibility, exchangedAt, savedAt }: FigureDoc): Readable => ({
  visibility,
  since: exchangedAt ?? savedAt,
  changedAt: exchangedAt ?? savedAt,
});
