// How a lead is shown.
import mongoose from "mongoose";
import { type Enquiry, type Lead, leadName, type LeadRow } from "@app/shared/leads";
import type { Scope } from "../../core/trpc.ts";
import { findCaseRows } from "../cases/cases.service.ts";
import { statesOfMails } from "../outbox/outbox-use.service.ts";
import { detailsOf, flagsOf, type LeadDoc, LeadModel, lostNoteOf } from "./leads.model.ts";

const TWINS_MAX = 20;

/** What a row is made of; what is sealed stays in the database. */
export const ROW_FIELDS = {
  firstName: 1,
  lastName: 1,
  organisation: 1,
  email: 1,
  phone: 1,
  domain: 1,
  source: 1,
  channel: 1,
  reachBy: 1,
  isFlagged: 1,
  isSpam: 1,
  nextStep: 1,
  nextOn: 1,
  status: 1,
  statusSince: 1,
  responseDueAt: 1,
  firstRespondedAt: 1,
  conflict: 1,
  lostReason: 1,
  converted: 1,
  dedupeKeys: 1,
  version: 1,
  createdAt: 1,
} as const;
export type RowDoc = Pick<LeadDoc, "_id" | keyof typeof ROW_FIELDS>;

export async function toRows(scope: Scope, docs: readonly RowDoc[]): Promise<LeadRow[]> {
  const caseIds = docs.flatMap(({ converted }) => converted?.caseId ?? []);
  const keys = docs.flatMap(({ dedupeKeys }) => dedupeKeys);
  const [cases, { counts, ofSpam }] = await Promise.all([
    caseIds.length > 0 ? findCaseRows(scope, caseIds) : [],
    countsByKey(scope.ownerId, keys),
  ]);
  const refs = new Map(cases.map(({ id, caseRef }) => [id, caseRef]));
  return docs.map((doc) => ({
    ...shownOf(doc, refs),
    email: doc.email,
    phone: doc.phone,
    hasTwins: doc.dedupeKeys.some((key) => (counts.get(key) ?? 0) > 1),
    isFromSpammer: !doc.isSpam && doc.dedupeKeys.some((key) => ofSpam.has(key)),
  }));
}

interface Keyed {
  counts: ReadonlyMap<string, number>;
  ofSpam: ReadonlySet<string>;
}

/** How many leads share each of these keys, nobody needs to know beyond that it is more than one; and which are of spam. */
async function countsByKey(ownerId: string, keys: readonly string[]): Promise<Keyed> {
  const counts = new Map<string, number>();
  const ofSpam = new Set<string>();
  if (keys.length === 0) return { counts, ofSpam };
  const found = await LeadModel.find(
    { ownerId, dedupeKeys: mongoose.trusted({ $in: [...new Set(keys)] }) },
    { dedupeKeys: 1, isSpam: 1 },
  )
    .limit(COUNTED_MAX)
    .lean();
  for (const { dedupeKeys, isSpam } of found)
    for (const key of dedupeKeys) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (isSpam) ofSpam.add(key);
    }
  return { counts, ofSpam };
}

/** Somebody who floods a form has many; of the others of a page few are needed. */
const COUNTED_MAX = 500;

export async function toLead(scope: Scope, doc: LeadDoc): Promise<Lead> {
  const caseId = doc.converted?.caseId;
  const letters = doc.letters ?? [];
  const [cases, twins, states] = await Promise.all([
    caseId ? findCaseRows(scope, [caseId]) : [],
    twinsOf(doc),
    statesOfMails(
      scope,
      letters.map(({ mailId }) => mailId),
    ),
  ]);
  const refs = new Map(cases.map(({ id, caseRef }) => [id, caseRef]));
  return {
    ...enquiryOf(doc),
    ...shownOf(doc, refs),
    hasTwins: twins.length > 0,
    isFromSpammer: !doc.isSpam && twins.some((twin) => twin.isSpam),
    attribution: doc.attribution,
    consent: doc.consent,
    flags: flagsOf(doc),
    answers: doc.answers ?? null,
    isReachConfided: doc.isReachConfided ?? false,
    conflict: doc.conflict && {
      ...doc.conflict,
      checkedAt: doc.conflict.checkedAt.toISOString(),
      lookedAt: doc.conflict.lookedAt?.toISOString() ?? null,
    },
    twins: twins.map((twin) => ({
      id: twin._id,
      displayName: leadName(twin),
      status: twin.status,
      createdAt: twin.createdAt.toISOString(),
    })),
    lostNote: lostNoteOf(doc),
    letters: letters.map(({ mailId, at, byName }) => ({
      id: mailId,
      at: at.toISOString(),
      byName,
      state: states.get(mailId) ?? "cancelled",
    })),
    steps: doc.steps.map((step) => ({ ...step, at: step.at.toISOString() })),
    updatedAt: doc.updatedAt.toISOString(),
    updatedByName: doc.updatedByName,
  };
}

/** What a person filled in. */
export function enquiryOf(doc: LeadDoc): Enquiry {
  const { firstName, lastName, organisation, email, phone, dateOfBirth } = doc;
  const { domain, source, campaign, reachBy, nextStep, nextOn } = doc;
  return {
    firstName,
    lastName,
    organisation,
    email,
    phone,
    dateOfBirth,
    domain,
    source,
    campaign,
    reachBy,
    nextStep,
    nextOn,
    ...detailsOf(doc),
  };
}

const twinsOf = ({ ownerId, _id, dedupeKeys }: LeadDoc) =>
  dedupeKeys.length === 0
    ? []
    : LeadModel.find({
        ownerId,
        dedupeKeys: mongoose.trusted({ $in: dedupeKeys }),
        _id: mongoose.trusted({ $ne: _id }),
      })
        .sort({ createdAt: -1 })
        .limit(TWINS_MAX)
        .lean();

function shownOf(doc: RowDoc, refs: ReadonlyMap<string, string>) {
  const { status, channel, source, domain, reachBy, nextStep, nextOn, lostReason, version, converted } = doc;
  return {
    id: doc._id,
    displayName: leadName(doc),
    status,
    channel,
    source,
    domain,
    reachBy,
    isFlagged: doc.isFlagged ?? false,
    isSpam: doc.isSpam ?? false,
    nextStep,
    nextOn,
    lostReason,
    version,
    statusSince: doc.statusSince.toISOString(),
    firstResponseAt: doc.firstRespondedAt?.toISOString() ?? null,
    responseDueAt: doc.responseDueAt.toISOString(),
    converted: converted && {
      clientId: converted.clientId,
      caseId: converted.caseId,
      caseRef: refs.get(converted.caseId) ?? "",
      at: converted.at.toISOString(),
    },
    conflictState: conflictStateOf(doc),
    createdAt: doc.createdAt.toISOString(),
  };
}

function conflictStateOf({ conflict }: Pick<LeadDoc, "conflict">): LeadRow["conflictState"] {
  if (!conflict) return "pending";
  if (conflict.hits.length === 0 && !conflict.isCut) return "clear";
  return conflict.lookedAt === null ? "to_look_at" : "looked_at";
}
