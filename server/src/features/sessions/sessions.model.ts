import mongoose from "mongoose";
import { PROPOSAL_PRIVILEGE } from "@app/shared/privileges";
import { OFF_SESSION_STATUSES, type ProposalStatus, type SessionStatus } from "@app/shared/session-states";
import type { TimeChange } from "@app/shared/session-times";
import type { Amendment } from "@app/shared/session-amendments";
import type { Answer, NextStep, Proposal, Session, SessionRow, Topic } from "@app/shared/sessions";
import { PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { newId } from "../../core/ids.ts";
import { owned } from "../../core/owned.ts";
import { grantersOf, type KeptConsent, keptConsentSchema, toConsent } from "../visibility/kept-consents.service.ts";
import { unmetFields } from "./unmet-fields.ts";

type Stored<Kind> = Omit<Kind, "at"> & { at: Date };

export interface ProposalDoc extends Omit<Proposal, "at" | "history" | "consent" | "privilege"> {
  at: Date;
  consent: KeptConsent | null;
  /** `answer` is missing from before an offer was answered after its session, `mistake` from before one was taken back. */
  history: {
    at: Date;
    byId?: string;
    byName: string;
    status: ProposalStatus;
    answer?: Answer | null;
    mistake?: string;
  }[];
}

interface Times {
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface TimeChangeDoc extends Omit<Stored<TimeChange>, "from" | "to"> {
  byId: string;
  from: Times;
  to: { startedAt: Date; endedAt: Date };
}

/** What of safety was missing is read as a screening is. */
export interface Gap {
  text: string;
  isSafety: boolean;
}

export interface UnmetDoc {
  what: Gap[];
  reason: string;
  at: Date;
  byId: string;
  byName: string;
}

/** All but the words and the name are missing in those from before they were kept. */
export interface AmendmentDoc extends Pick<Amendment, "byName" | "text">, Partial<Pick<Amendment, "attendance">> {
  at: Date;
  byId?: string;
  times?: Pick<TimeChangeDoc, "from" | "to"> | null;
  outcome?: Amendment["outcome"];
  mediators?: Amendment["mediators"];
}

export interface SessionDoc extends Times {
  _id: string;
  ownerId: string;
  caseId: string;
  meetingId: string | null;
  number: number;
  status: SessionStatus;
  format: Session["format"];
  mediatorIds: string[];
  /** Those who took part in the case when the session was made: their attendance is asked for. */
  partyIds: string[];
  plannedMinutes: number | null;
  pausedAt: Date | null;
  pausedMs: number;
  minutes: number;
  attendance: Stored<Session["attendance"][number]>[];
  agenda: Topic[];
  proposals: ProposalDoc[];
  nextSteps: NextStep[];
  /** Of earlier sessions; now each party has reviews of their own. */
  safetyReview: { isChanged: boolean; note: string; at: Date } | null;
  outcome: Session["outcome"];
  isBillable: boolean;
  countsForLegalAid: boolean;
  lockedAt: Date | null;
  /** Missing in sessions from before one could be called off after its start. */
  cancelReason?: string;
  /** Both are missing in sessions from before they were kept. */
  timeChanges?: TimeChangeDoc[];
  unmet?: UnmetDoc[];
  unmetBefore?: UnmetDoc[];
  missedBefore?: string[];
  amendments: AmendmentDoc[];
  createdBy: string;
  createdAt: Date;
  version: number;
}

const text = { type: String, default: "" };
const required = { type: String, required: true };
const link = { type: String, default: null };
const moment = { type: Date, default: null };
const count = { type: Number, default: 0 };
const part = { _id: false } as const;
const times = { startedAt: Date, endedAt: Date };

const outcomeSchema = new mongoose.Schema<SessionDoc["outcome"]>({ code: String, text }, part);

const proposalMongooseSchema = new mongoose.Schema<ProposalDoc>(
  {
    id: required,
    issue: required,
    text: required,
    byPartyId: required,
    status: required,
    visibility: { scope: required, partyIds: [String], aboutPartyIds: [String] },
    at: { type: Date, required: true },
    countersId: link,
    releasedFromId: link,
    consent: { type: keptConsentSchema, default: null },
    history: [
      {
        ...part,
        at: Date,
        byId: String,
        byName: String,
        status: String,
        answer: { type: new mongoose.Schema<Answer>({ byPartyId: String, on: String }, part), default: null },
        mistake: text,
      },
    ],
  },
  part,
);

const sessionMongooseSchema = new mongoose.Schema<SessionDoc>(
  {
    _id: { type: String, default: newId },
    caseId: required,
    meetingId: link,
    number: { type: Number, required: true },
    status: required,
    format: required,
    mediatorIds: [String],
    partyIds: [String],
    plannedMinutes: { type: Number, default: null },
    startedAt: moment,
    endedAt: moment,
    pausedAt: moment,
    pausedMs: count,
    minutes: count,
    attendance: [{ ...part, partyId: String, state: String, at: Date }],
    agenda: [{ ...part, id: String, topic: text, privilege: String, minutes: Number, isDone: Boolean }],
    proposals: [proposalMongooseSchema],
    nextSteps: [{ ...part, id: String, text, partyId: link, dueOn: link, taskId: link }],
    safetyReview: {
      type: new mongoose.Schema<SessionDoc["safetyReview"]>({ isChanged: Boolean, note: text, at: Date }, part),
      default: null,
    },
    outcome: { type: outcomeSchema, default: null },
    isBillable: { type: Boolean, default: true },
    countsForLegalAid: { type: Boolean, default: false },
    lockedAt: moment,
    cancelReason: text,
    timeChanges: [{ ...part, at: Date, byId: String, byName: String, from: times, to: times, reason: text }],
    unmet: [unmetFields],
    unmetBefore: [unmetFields],
    missedBefore: { type: [String], default: undefined },
    amendments: [
      {
        ...part,
        at: Date,
        byId: String,
        byName: String,
        text,
        attendance: [{ ...part, partyId: String, from: String, to: String }],
        times: { type: new mongoose.Schema({ from: times, to: times }, part), default: null },
        outcome: {
          type: new mongoose.Schema({ from: { type: outcomeSchema, default: null }, to: outcomeSchema }, part),
          default: null,
        },
        mediators: { type: new mongoose.Schema({ from: [String], to: [String] }, part), default: null },
      },
    ],
    createdBy: required,
    createdAt: { type: Date, required: true },
    version: count,
  },
  { collection: "sessions", versionKey: false },
);
sessionMongooseSchema.plugin(owned);
sessionMongooseSchema.index({ ownerId: 1, caseId: 1, number: -1 }, { unique: true });
sessionMongooseSchema.index({ ownerId: 1, mediatorIds: 1, startedAt: 1 });
// A meeting has one session, whoever opens it first.
sessionMongooseSchema.index(
  { ownerId: 1, meetingId: 1 },
  { unique: true, partialFilterExpression: { meetingId: { $type: "string" } } },
);

export const SessionModel = mongoose.model("Session", sessionMongooseSchema);

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** What was let out of a confidence goes back into it when that is withdrawn; an offer made openly was made. */
export const isTakenBack = ({ releasedFromId, status }: Pick<ProposalDoc, "releasedFromId" | "status">): boolean =>
  releasedFromId !== null && status === "withdrawn";

/** Who of the practice reads it now: of what was taken back who reads what it came from, or the confidence of whoever agreed. */
export function readersNow(proposal: ProposalDoc, { proposals }: Pick<SessionDoc, "proposals">): Visibility {
  if (!isTakenBack(proposal) || !proposal.consent) return proposal.visibility;
  const original = proposals.find(({ id }) => id === proposal.releasedFromId);
  return original?.visibility ?? { ...PRACTICE_ONLY, aboutPartyIds: grantersOf(proposal.consent) };
}

export const toProposal = ({ at, consent, history, ...doc }: ProposalDoc): Proposal => ({
  ...doc,
  privilege: PROPOSAL_PRIVILEGE,
  at: at.toISOString(),
  consent: consent && toConsent(consent),
  history: history.map(({ answer = null, mistake = "", ...entry }) => ({
    ...entry,
    at: entry.at.toISOString(),
    answer,
    mistake,
  })),
});

const toTimes = ({ from, to }: Pick<TimeChangeDoc, "from" | "to">) => ({
  from: { startedAt: iso(from.startedAt), endedAt: iso(from.endedAt) },
  to: { startedAt: to.startedAt.toISOString(), endedAt: to.endedAt.toISOString() },
});

/** All of a stored session but for what depends on who reads it: its proposals and what concerns safety. */
export const toSessionBase = (
  doc: SessionDoc,
): Omit<Session, "proposals" | "measures" | "safetyReviews" | "unmet" | "unmetBefore" | "mediatorNames"> => ({
  ...doc,
  id: doc._id,
  startedAt: iso(doc.startedAt),
  endedAt: iso(doc.endedAt),
  pausedAt: iso(doc.pausedAt),
  attendance: doc.attendance.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  safetyReview: doc.safetyReview && { ...doc.safetyReview, at: doc.safetyReview.at.toISOString() },
  lockedAt: iso(doc.lockedAt),
  cancelReason: doc.cancelReason ?? "",
  timeChanges: (doc.timeChanges ?? []).map((change) => ({
    ...change,
    at: change.at.toISOString(),
    ...toTimes(change),
  })),
  amendments: doc.amendments.map(
    ({ attendance = [], times: held = null, outcome = null, mediators = null, ...entry }) => ({
      ...entry,
      at: entry.at.toISOString(),
      attendance,
      times: held && toTimes(held),
      outcome,
      mediators,
    }),
  ),
  createdAt: doc.createdAt.toISOString(),
});

/** What a row of a list is made of. */
export const ROW_FIELDS = {
  number: 1,
  meetingId: 1,
  status: 1,
  startedAt: 1,
  minutes: 1,
  outcome: 1,
  partyIds: 1,
  attendance: 1,
  createdAt: 1,
} as const;
export type SessionRowDoc = Pick<SessionDoc, keyof typeof ROW_FIELDS | "_id">;

export const toSessionRow = (doc: SessionRowDoc): SessionRow => ({
  id: doc._id,
  meetingId: doc.meetingId,
  number: doc.number,
  status: doc.status,
  startedAt: iso(doc.startedAt),
  minutes: doc.minutes,
  outcome: doc.outcome,
  isUnfinished: missingOf(doc).length > 0,
  createdAt: doc.createdAt.toISOString(),
});

/** What a session still lacks before it can be locked and its case concluded; nothing where it never took place. */
export function missingOf(
  doc: Pick<SessionDoc, "status" | "partyIds" | "attendance" | "outcome">,
): ("attendance" | "outcome")[] {
  if (OFF_SESSION_STATUSES.includes(doc.status)) return [];
  const marked = new Set(doc.attendance.map(({ partyId }) => partyId));
  const isAttendanceMissing = doc.partyIds.some((partyId) => !marked.has(partyId));
  return [...(isAttendanceMissing ? (["attendance"] as const) : []), ...(doc.outcome ? [] : (["outcome"] as const))];
}
