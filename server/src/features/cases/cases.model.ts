import mongoose from "mongoose";
import type { CaseStatus, Ending, PartyStatus } from "@app/shared/case-states";
import type { Outcome } from "@app/shared/case-outcomes";
import type { Round } from "@app/shared/case-rounds";
import type { Case, CaseFields, Funding, Party } from "@app/shared/cases";
import type { ContactAgreement } from "@app/shared/contact-agreements";
import type { Disclosure } from "@app/shared/disclosures";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";

/** One step of a case or a party, with what is needed to take it back. */
export interface Step<Status> {
  from: Status;
  to: Status;
  at: Date;
  /** Since when it had been where it came from, and why. */
  since: Date;
  reason: string;
  /** The day on which it happened, as it was entered; only parties have such days. */
  on?: string;
  /** Whether a party who left decided that themselves, as far as somebody said. */
  isOwnDecision?: boolean | null;
  /** Whether they had agreed to the first meeting that is booked by this step; not there in steps from before it was asked. */
  hasAgreed?: boolean | null;
  /** The day that stood where this step wrote its own; only parties have such days. */
  dayBefore?: string;
  /** How the case had ended before; only cases end. */
  endBefore?: End;
  /** Where those parties stood whom a step of the case moved; not there in steps from before this was kept. */
  partiesBefore?: Stood[];
  /** What had been agreed of confidences in the round that was over; only where a case comes back to mediation. */
  agreedBefore?: Pick<CaseDoc, "confidences" | "newAgreement">;
}

export type Stood = Pick<PartyDoc, "partyId" | "status" | "statusSince">;

/** How a case ended. */
export interface End {
  ending: Ending | null;
  outcome: Outcome | null;
  concludedOn: string;
}

/** What an agreement that was signed says of confidences, and what stood before it. */
export type Agreement = Omit<Case["agreements"][number], "at"> & { at: Date };

export type DisclosureDoc = Omit<Disclosure, "at" | "endedAt"> & { at: Date; endedAt: Date | null };

export interface PartyDoc extends Omit<
  Party,
  | "name"
  | "statusSince"
  | "joinedAt"
  | "leftAt"
  | "absences"
  | "daysAway"
  | "daysOut"
  | "funding"
  | "lastStep"
  | "assessedAs"
> {
  statusSince: Date;
  joinedAt: Date | null;
  leftAt: Date | null;
  absences: { from: Date; to: Date }[];
  status: PartyStatus;
  steps: Step<PartyStatus>[];
  /** When the day of their consent was noted; null where they gave none, or it is not known. */
  consentRecordedAt: Date | null;
  funding: Funding;
}

export type RoundDoc = Omit<Round, "endedAt"> & { endedAt: Date };

export interface CaseDoc extends CaseFields, End {
  _id: string;
  ownerId: string;
  caseRef: string;
  status: CaseStatus;
  statusSince: Date;
  reason: string;
  steps: Step<CaseStatus>[];
  rounds: RoundDoc[];
  waitingFor: string;
  waitingSince: Date;
  parties: PartyDoc[];
  confidences: Case["confidences"];
  agreements: Agreement[];
  newAgreement: Case["newAgreement"];
  disclosures: DisclosureDoc[];
  /** How many parties there ever were; labels are not used again. */
  partyCount: number;
  clientIds: string[];
  /** Everybody who works on it, for the look-up: derived from its mediators and other staff. */
  assignedUserIds: string[];
  searchTerms: string[];
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const flag = { type: Boolean, default: false };

const stood = { _id: false, partyId: String, status: String, statusSince: Date };
const steps = [
  {
    _id: false,
    from: String,
    to: String,
    at: Date,
    since: Date,
    reason: text,
    on: String,
    isOwnDecision: Boolean,
    hasAgreed: Boolean,
    dayBefore: String,
    endBefore: {},
    partiesBefore: { type: [stood], default: undefined },
    agreedBefore: {},
  },
];

const signature = { _id: false, partyId: String, on: String };

const disclosureMongooseSchema = new mongoose.Schema<DisclosureDoc>(
  {
    id: required,
    what: required,
    fileIds: [String],
    to: [String],
    hasReport: Boolean,
    court: String,
    ground: {},
    at: Date,
    byName: text,
    endedAt: { type: Date, default: null },
    endReason: text,
  },
  { _id: false },
);

const contactAgreement = new mongoose.Schema<ContactAgreement>(
  { isAgreed: Boolean, isNamed: Boolean, on: String, since: String, byName: text },
  { _id: false },
);

const partyMongooseSchema = new mongoose.Schema<PartyDoc>(
  {
    partyId: required,
    clientId: required,
    label: required,
    side: text,
    role: required,
    status: required,
    statusSince: { type: Date, required: true },
    joinedAt: { type: Date, default: null },
    leftAt: { type: Date, default: null },
    absences: [{ _id: false, from: Date, to: Date }],
    reason: text,
    steps,
    respondedOn: text,
    intakeDoneOn: text,
    miamOn: text,
    assessedOn: text,
    consentedOn: text,
    consentRecordedAt: { type: Date, default: null },
    agreementSignedOn: text,
    contactAgreement: { type: contactAgreement, default: null },
    isInvitationWaiting: flag,
    funding: { type: { type: String }, shareBp: Number, payerContactId: text },
    representativeContactIds: [String],
  },
  { _id: false },
);

const caseMongooseSchema = new mongoose.Schema<CaseDoc>(
  {
    _id: { type: String, default: newId },
    caseRef: required,
    domain: required,
    issueScope: required,
    matter: text,
    format: required,
    mediators: [{ _id: false, userId: String, isLead: Boolean }],
    staffIds: [String],
    children: [
      {
        _id: false,
        childId: String,
        firstName: String,
        dateOfBirth: text,
        livesWith: text,
        cim: {
          isOffered: flag,
          responsibility: [{ _id: false, partyId: String, isHeld: Boolean }],
          parents: [{ _id: false, partyId: String, state: String, on: text, how: text }],
          otherParents: [{ _id: false, name: String, state: text, on: text, how: text }],
          child: { state: text, on: text },
          voice: { offeredOn: text, outcome: text },
          overrideReason: text,
        },
      },
    ],
    referral: { source: String, contactId: text, campaign: text },
    flags: { safeguarding: String, isUrgent: flag, mustNotMeet: flag },
    startedOn: text,
    nextReviewOn: text,
    status: required,
    statusSince: { type: Date, required: true },
    reason: text,
    steps,
    rounds: [{ _id: false, status: String, ending: {}, outcome: {}, reason: text, endedAt: Date, concludedOn: text }],
    waitingFor: required,
    waitingSince: { type: Date, required: true },
    parties: [partyMongooseSchema],
    confidences: { type: String, default: null },
    agreements: [
      {
        _id: false,
        from: { type: String, default: null },
        to: String,
        on: String,
        reason: text,
        partyId: { type: String, default: null },
        signatures: [signature],
        at: Date,
      },
    ],
    newAgreement: {
      type: new mongoose.Schema({ to: required, reason: text, signatures: [signature] }, { _id: false }),
      default: null,
    },
    disclosures: [disclosureMongooseSchema],
    partyCount: { type: Number, required: true },
    clientIds: [String],
    assignedUserIds: [String],
    searchTerms: [String],
    ending: { type: String, default: null },
    outcome: {
      type: new mongoose.Schema<Outcome>(
        {
          code: String,
          laaCode: String,
          laaReason: text,
          issues: [{ _id: false, label: String, kind: text, result: String }],
          isWrittenUp: Boolean,
          documents: [{ _id: false, kind: String, partyIds: [String], fileId: String, isMadeOutside: Boolean }],
          isAdviceTold: { type: Boolean, default: false },
          narrative: text,
        },
        { _id: false },
      ),
      default: null,
    },
    concludedOn: text,
    createdBy: required,
    version: { type: Number, default: 0 },
  },
  { timestamps: true, collection: "cases", versionKey: false },
);
caseMongooseSchema.plugin(owned);
caseMongooseSchema.index({ ownerId: 1, caseRef: 1 }, { unique: true });
caseMongooseSchema.index({ ownerId: 1, clientIds: 1, createdAt: -1 });
caseMongooseSchema.index({ ownerId: 1, status: 1, statusSince: 1, _id: 1 });
caseMongooseSchema.index({ ownerId: 1, createdAt: -1, _id: -1 });
caseMongooseSchema.index({ ownerId: 1, searchTerms: 1 });
caseMongooseSchema.index({ ownerId: 1, assignedUserIds: 1 });
caseMongooseSchema.index({ ownerId: 1, "parties.representativeContactIds": 1 });
caseMongooseSchema.index({ ownerId: 1, "parties.funding.payerContactId": 1 });
caseMongooseSchema.index({ ownerId: 1, "referral.contactId": 1 });

export const CaseModel = mongoose.model("Case", caseMongooseSchema);
