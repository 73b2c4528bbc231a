import mongoose from "mongoose";
import { z } from "zod";
import type { ConflictHit } from "@app/shared/conflicts";
import { isOpenLead, type LeadStatus, type LostReason } from "@app/shared/lead-states";
import { type Attribution, type CapturedLead, type Enquiry, otherPersonSchema } from "@app/shared/leads";
import { foldText } from "@app/shared/text";
import { DAY_MS } from "../../core/clock.ts";
import { decrypt, encrypt } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { newId } from "../../core/ids.ts";
import { exactKeys } from "../../core/likeness.ts";
import { owned } from "../../core/owned.ts";
import { defineSealedField } from "../../core/sealed-fields.ts";
import { nameTerms, phoneTerms } from "../../core/word-search.ts";

/** What somebody tells of themselves is found by; what they tell of another, and of their trouble, is sealed. */
type Sealed = Pick<Enquiry, "other" | "summary" | "reachNote">;

export interface LeadDoc extends Omit<Enquiry, keyof Sealed> {
  _id: string;
  ownerId: string;
  channel: CapturedLead["channel"];
  attribution: Attribution;
  consent: string;
  /** Encrypted: the other person, what it is about, and what was said of safe ways. */
  detailsEnc: string;
  /** Encrypted: what its answers say that somebody must know; empty where there is nothing. */
  flagsEnc: string;
  isFlagged: boolean;
  /** The answers that it was made of. */
  answers: CapturedLead["answers"];
  /** Whether these say of how to reach them what the lead does not hold; absent in those of before. */
  isReachConfided?: boolean;
  status: LeadStatus;
  statusSince: Date;
  isOpen: boolean;
  isSpam: boolean;
  /** When something is due next, as text that sorts; after all others where nothing is. */
  sortDue: string;
  responseDueAt: Date;
  firstRespondedAt: Date | null;
  responseMinutes: number | null;
  /** Null until the records were looked through, and what follows from an enquiry was done. */
  settledAt: Date | null;
  conflict: LeadConflictDoc | null;
  /** Rises with each change of who is named, so that what was looked up for others is not kept. */
  termsStep: number;
  lostReason: LostReason | null;
  /** Encrypted; empty where nothing was said. */
  lostNoteEnc: string;
  converted: { clientId: string; caseId: string; at: Date } | null;
  steps: { to: LeadStatus; at: Date; byName: string }[];
  /** The automatic answer that was sent to it. */
  replyMailId: string | null;
  /** What the owner wrote to them from its page. */
  letters: { mailId: string; at: Date; byName: string }[];
  sortName: string;
  searchTerms: string[];
  /** Address and phone number in their one form: another lead with one of them is perhaps the same. */
  dedupeKeys: string[];
  updatedByName: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface LeadConflictDoc {
  hits: ConflictHit[];
  isCut: boolean;
  checkedAt: Date;
  lookedAt: Date | null;
  lookedByName: string;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const date = { type: Date, required: true };
const noDate = { type: Date, default: null };

const conflictSchema = new mongoose.Schema<LeadConflictDoc>(
  {
    hits: [{ _id: false, kind: String, id: String, name: String, score: Number, fields: [String], caseRefs: [String] }],
    isCut: Boolean,
    checkedAt: date,
    lookedAt: noDate,
    lookedByName: text,
  },
  { _id: false, id: false },
);

const leadMongooseSchema = new mongoose.Schema<LeadDoc>(
  {
    _id: { type: String, default: newId },
    firstName: text,
    lastName: text,
    organisation: text,
    email: text,
    phone: text,
    dateOfBirth: text,
    domain: required,
    source: required,
    campaign: text,
    reachBy: String,
    nextStep: text,
    nextOn: text,
    channel: required,
    attribution: {
      utmSource: text,
      utmMedium: text,
      utmCampaign: text,
      utmTerm: text,
      utmContent: text,
      referrerHost: text,
      landingPath: text,
    },
    consent: text,
    detailsEnc: required,
    flagsEnc: text,
    isFlagged: { type: Boolean, default: false },
    answers: { type: new mongoose.Schema({ formId: required, submissionId: required }, { _id: false }), default: null },
    isReachConfided: Boolean,
    status: required,
    statusSince: date,
    isOpen: { type: Boolean, required: true },
    isSpam: { type: Boolean, default: false },
    sortDue: required,
    responseDueAt: date,
    firstRespondedAt: noDate,
    responseMinutes: { type: Number, default: null },
    settledAt: noDate,
    conflict: { type: conflictSchema, default: null },
    termsStep: { type: Number, default: 0 },
    lostReason: { type: String, default: null },
    lostNoteEnc: text,
    converted: {
      type: new mongoose.Schema({ clientId: required, caseId: required, at: date }, { _id: false }),
      default: null,
    },
    steps: [{ _id: false, to: required, at: date, byName: required }],
    replyMailId: { type: String, default: null },
    letters: [{ _id: false, mailId: required, at: date, byName: required }],
    sortName: required,
    searchTerms: { type: [String], select: false },
    dedupeKeys: [String],
    updatedByName: required,
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "leads", versionKey: false },
);
leadMongooseSchema.plugin(owned);
leadMongooseSchema.index({ ownerId: 1, isOpen: 1, sortDue: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, isOpen: 1, sortName: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, status: 1, sortDue: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, status: 1, isFlagged: -1, sortDue: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, status: 1, statusSince: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, sortDue: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, createdAt: 1, _id: 1 });
leadMongooseSchema.index({ ownerId: 1, searchTerms: 1 });
leadMongooseSchema.index({ ownerId: 1, dedupeKeys: 1 });
leadMongooseSchema.index({ ownerId: 1, "converted.clientId": 1 });
leadMongooseSchema.index({ settledAt: 1 });

export const LeadModel = mongoose.model("Lead", leadMongooseSchema);

export const NO_SPAM = { isSpam: mongoose.trusted({ $ne: true }) };

/** The longest between coming in on a Friday and being due. */
const RESPONSE_MAX_MS = 5 * DAY_MS;

defineDueTime({
  of: "first answers to leads",
  times: ["Lead.responseDueAt"],
  aheadMs: RESPONSE_MAX_MS,
  bringBack: (latest) =>
    LeadModel.updateMany(
      { responseDueAt: mongoose.trusted({ $gt: latest }) },
      { $set: { responseDueAt: latest } },
    ).setOptions({ anyOwner: true }),
});

const placeOf = (ownerId: string, id: string, path: string) => `leads:${ownerId}:${id}:${path}`;
for (const path of ["detailsEnc", "flagsEnc", "lostNoteEnc"])
  defineSealedField({ collection: "leads", path, placeOf: (doc) => placeOf(doc.ownerId, doc._id, path) });

const detailsSchema = z.object({ other: otherPersonSchema.nullable(), summary: z.string(), reachNote: z.string() });

type Keyed = Pick<LeadDoc, "_id" | "ownerId">;
export const detailsOf = ({ ownerId, _id, detailsEnc }: Keyed & Pick<LeadDoc, "detailsEnc">): Sealed =>
  detailsSchema.parse(JSON.parse(decrypt(detailsEnc, placeOf(ownerId, _id, "detailsEnc"))));

export const sealLostNote = ({ ownerId, _id }: Keyed, note: string): string =>
  note === "" ? "" : encrypt(note, placeOf(ownerId, _id, "lostNoteEnc"));
export const lostNoteOf = ({ ownerId, _id, lostNoteEnc }: LeadDoc): string =>
  lostNoteEnc === "" ? "" : decrypt(lostNoteEnc, placeOf(ownerId, _id, "lostNoteEnc"));

export const sealFlags = ({ ownerId, _id }: Keyed, flags: readonly string[]): string =>
  flags.length === 0 ? "" : encrypt(JSON.stringify(flags), placeOf(ownerId, _id, "flagsEnc"));
export const flagsOf = ({ ownerId, _id, flagsEnc }: Keyed & Pick<LeadDoc, "flagsEnc">): string[] =>
  flagsEnc ? z.array(z.string()).parse(JSON.parse(decrypt(flagsEnc, placeOf(ownerId, _id, "flagsEnc")))) : [];

/** Everything that is stored of an enquiry, with what searching, sorting and looking for the same person read. */
export function storedFields({ _id, ownerId }: Keyed, { other, summary, reachNote, ...rest }: Enquiry) {
  const { firstName, lastName, organisation, email, phone } = rest;
  const words = [firstName, lastName, organisation, rest.campaign].flatMap(nameTerms);
  return {
    ...rest,
    detailsEnc: encrypt(JSON.stringify({ other, summary, reachNote }), placeOf(ownerId, _id, "detailsEnc")),
    sortName: foldText(`${lastName} ${firstName}`.trim() || organisation),
    searchTerms: [...new Set([...words, ...phoneTerms(phone), email])].filter(Boolean),
    dedupeKeys: exactKeys({ email, phones: [phone], dateOfBirth: "" }),
  };
}

/** After every time that something could be due. */
const NOTHING_DUE = "9999";
/** A day stands after all the moments of it. */
const END_OF_DAY = "T99";

type Dated = Pick<LeadDoc, "status" | "firstRespondedAt" | "responseDueAt" | "nextOn">;

/** Whoever waits for a first answer is due then; anybody else on the day of their next step. */
export function sortDueOf({ status, firstRespondedAt, responseDueAt, nextOn }: Dated): string {
  if (!isOpenLead(status)) return NOTHING_DUE;
  if (firstRespondedAt === null) return responseDueAt.toISOString();
  return nextOn === "" ? NOTHING_DUE : `${nextOn}${END_OF_DAY}`;
}
