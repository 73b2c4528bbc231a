import { DAY_MS } from "../../core/clock.ts";
import { type CreateSignature, type SignatureMark, type SignatureStatus, SIGNING_DAYS } from "@app/shared/signatures";
import type { Visibility } from "@app/shared/visibility";
import mongoose from "mongoose";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { definePublicToken } from "../../core/public-tokens.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import type { TrailLine } from "./trail.ts";

export interface SignerDoc {
  /** Of a party and their client; null where a mediator of the practice signs. */
  partyId: string | null;
  clientId: string | null;
  /** The mediator, who signs signed in: no link leads there. Absent where a party signs. */
  userId?: string | null;
  /** As they were called when it was sent out. */
  name: string;
  tokenHash: string;
  dueAt: Date;
  askedAt: Date | null;
  openedAt: Date | null;
  remindedAt: Date | null;
  signedAt: Date | null;
  declinedAt: Date | null;
  declineReason: string;
  /** Whose time ran out, and the sender was told. */
  isLateTold: boolean;
  /** The letter that asks them last; empty where none was written, absent in those of before. */
  mailId?: string;
  /** To whom of the practice the link was shown; absent where it never was. */
  shownTo?: string[];
  /** Whether it leads nowhere any more, because one of them may not read the document now. */
  isLinkOver?: boolean;
  /** Of the code that is read to them by phone; absent where none was made. */
  codeHash?: string;
  /** Who made it, and reads it to them. */
  codeBy?: string;
  codeById?: string;
  /** The code that they typed last. */
  provedWith?: string;
  /** Whether somebody had both, the link and the code, when it was typed. */
  isHeldByOne?: boolean;
  /** When they typed it first. */
  provedAt?: Date | null;
  /** Whether they were told that all have signed; absent in those of before, and where a mediator signs. */
  isSealTold?: boolean;
  sealedMailId?: string;
  task: string;
  /** Whether their signature was brought to the case, as a step or as a task. */
  isStepNoted: boolean;
  stepRefused: string;
  mark: SignatureMark | null;
}

export type PartySigner = SignerDoc & { partyId: string; clientId: string };
export const isParty = (signer: SignerDoc): signer is PartySigner => signer.partyId !== null;

/** By which one signer of a document is named: no party has the id of a user. */
export const signerId = ({ partyId, userId }: Pick<SignerDoc, "partyId" | "userId">): string => partyId ?? userId ?? "";

export interface SignatureDoc extends Pick<CreateSignature, "isInOrder" | "isAgreement" | "confidences" | "words"> {
  _id: string;
  ownerId: string;
  caseId: string;
  fileId: string;
  fileName: string;
  /** What is signed stays what it was, whatever becomes of the file. */
  content: { blobId: string; sizeBytes: number; hash: string; visibility: Visibility };
  status: SignatureStatus;
  /** Absent in those of before. */
  isCodeAsked?: boolean;
  signers: SignerDoc[];
  /** The secrets of the signers' links, by party id. */
  tokensEnc: string;
  trail: TrailLine[];
  /** The signature in the sealed PDF, in base64, and its SHA-256: absent before, and in those of before. */
  seal?: string;
  sealHash?: string;
  /** When a server stamped it, or why none did; empty where none is set. */
  stampedAt?: Date;
  unstampedWhy?: string;
  sealedFileId: string | null;
  sealedHash: string;
  sealedAt: Date | null;
  createdBy: string;
  createdByName: string;
  createdAt: Date;
  version: number;
}

export const DUE_MAX_MS = Math.max(...SIGNING_DAYS) * DAY_MS;

const required = { type: String, required: true };
const text = { type: String, default: "" };
const none = { type: Date, default: null };
const link = { type: String, default: null };

const signerMongooseSchema = new mongoose.Schema<SignerDoc>(
  {
    partyId: link,
    clientId: link,
    userId: link,
    name: required,
    tokenHash: required,
    dueAt: { type: Date, required: true },
    askedAt: none,
    openedAt: none,
    remindedAt: none,
    signedAt: none,
    declinedAt: none,
    declineReason: text,
    isLateTold: { type: Boolean, default: false },
    mailId: text,
    shownTo: { type: [String], default: undefined },
    isLinkOver: Boolean,
    codeHash: String,
    codeBy: String,
    codeById: String,
    provedWith: String,
    isHeldByOne: Boolean,
    provedAt: Date,
    isSealTold: Boolean,
    sealedMailId: String,
    task: text,
    isStepNoted: { type: Boolean, default: false },
    stepRefused: text,
    mark: { type: { name: String, strokes: [[Number]] }, default: null, _id: false },
  },
  { _id: false },
);

const signatureMongooseSchema = new mongoose.Schema<SignatureDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    fileId: required,
    fileName: required,
    content: {
      blobId: required,
      sizeBytes: { type: Number, required: true },
      hash: required,
      visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    },
    status: required,
    isInOrder: { type: Boolean, required: true },
    isAgreement: { type: Boolean, required: true },
    isCodeAsked: Boolean,
    confidences: { type: String, default: null },
    words: text,
    signers: [signerMongooseSchema],
    tokensEnc: required,
    trail: [
      { _id: false, at: { type: Date, required: true }, text: required, from: text, previous: text, hash: required },
    ],
    seal: String,
    sealHash: String,
    stampedAt: Date,
    unstampedWhy: String,
    sealedFileId: { type: String, default: null },
    sealedHash: text,
    sealedAt: none,
    createdBy: required,
    createdByName: required,
    createdAt: { type: Date, required: true },
    version: { type: Number, default: 0 },
  },
  { collection: "signatures", versionKey: false },
);
signatureMongooseSchema.plugin(owned);
signatureMongooseSchema.index({ ownerId: 1, caseId: 1, createdAt: -1, _id: -1 });
signatureMongooseSchema.index({ ownerId: 1, fileId: 1 });
signatureMongooseSchema.index({ ownerId: 1, sealedFileId: 1 });
signatureMongooseSchema.index({ ownerId: 1, "content.blobId": 1 });
signatureMongooseSchema.index({ "signers.tokenHash": 1 }, { unique: true });
signatureMongooseSchema.index({ status: 1, "signers.dueAt": 1 });
signatureMongooseSchema.index({ "content.hash": 1 });
signatureMongooseSchema.index({ sealedHash: 1 });
signatureMongooseSchema.index({ sealHash: 1 }, { sparse: true });
definePublicToken({ collection: "signatures", path: "signers.tokenHash" });

export const SignatureModel = mongoose.model("Signature", signatureMongooseSchema);

defineDueTime({
  of: "links to sign",
  times: ["Signature.signers.dueAt"],
  aheadMs: DUE_MAX_MS,
  bringBack: (latest) =>
    SignatureModel.updateMany(
      { "signers.dueAt": mongoose.trusted({ $gt: latest }) },
      { $set: { "signers.$[late].dueAt": latest } },
      { arrayFilters: [{ "late.dueAt": { $gt: latest } }] },
    ).setOptions({ anyOwner: true }),
});

const placeOf = (ownerId: string, id: string) => `signatures:${ownerId}:${id}`;
defineSealedField({ collection: "signatures", path: "tokensEnc", placeOf: (doc) => placeOf(doc.ownerId, doc._id) });

export const sealTokens = (ownerId: string, id: string, tokens: Record<string, string>): string =>
  encrypt(JSON.stringify(tokens), placeOf(ownerId, id));

/** The secret of one signer's link. */
export function tokenFor({ ownerId, _id, tokensEnc }: SignatureDoc, partyId: string): string {
  const tokens: unknown = JSON.parse(decrypt(tokensEnc, placeOf(ownerId, _id)));
  const token: unknown = typeof tokens === "object" && tokens !== null ? Reflect.get(tokens, partyId) : undefined;
  if (typeof token !== "string") throw new Error("a signer has no link");
  return token;
}
