import { createHash } from "node:crypto";
import mongoose from "mongoose";
import type { z } from "zod";
import { letsGoOn } from "@app/shared/conflict-settled";
import {
  type caseConflictsSchema,
  CONFLICT_DECISION_NAMES,
  CONFLICT_HITS_MAX,
  type ConflictCheck,
  type ConflictHit,
  type ConflictHits,
  type ConflictTerm,
  type decideConflictSchema,
  type searchConflictsSchema,
} from "@app/shared/conflicts";
import { mayMediate } from "@app/shared/team-access";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { forbidden } from "../../core/errors.ts";
import { type Likeness, likeness, matchKeys, NAME_THRESHOLD } from "../../core/likeness.ts";
import { mapInSlices } from "../../core/slices.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleRefsAmong } from "../cases/case-places.service.ts";
import { caseRefsOfClients, findCaseRows, getCase } from "../cases/cases.service.ts";
import { clientTerms, likelyClients, visibleAmong } from "../clients/clients.service.ts";
import { likelyContacts, unseenContacts } from "../contacts/contacts.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { type ConflictCheckDoc, ConflictCheckModel } from "./conflicts.model.ts";

const ALGORITHM_VERSION = 1;
/** More than are shown, so that hidden ones take no place of one that is. */
const FOUND_MAX = 100;

const OF_MORE = " (more records were alike by name than could be looked through)";

type Search = z.output<typeof searchConflictsSchema>;

/**
 * Everybody in the practice who may be the person looked for, the likeliest first. It looks at every record of the
 * practice, also for somebody who sees only their own cases: that there is somebody is said, who it is only to whom sees
 * them.
 */
export async function searchConflicts(scope: Scope, { term, exceptIds }: Search): Promise<ConflictHits> {
  return asSeenBy(scope, await findHits(scope.ownerId, [term], exceptIds));
}

/** The same for several people at once, such as both who are named in an enquiry. */
export const searchConflictsOfAll = async (scope: Scope, terms: readonly ConflictTerm[]): Promise<ConflictHits> =>
  asSeenBy(scope, await findHits(scope.ownerId, terms, []));

interface Found {
  hits: ConflictHit[];
  isCut: boolean;
}

/** All that the practice's records hold, as its owner sees it. */
async function findHits(ownerId: string, terms: readonly ConflictTerm[], exceptIds: string[]): Promise<Found> {
  const best = new Map<string, Scored>();
  let isCut = false;
  for (const term of terms) {
    const ofTerm = await scoredFor(ownerId, term);
    isCut ||= ofTerm.isCut;
    for (const hit of ofTerm.scored) {
      const before = best.get(hit.id);
      if ((!before || likeliestFirst(hit, before) < 0) && !exceptIds.includes(hit.id)) best.set(hit.id, hit);
    }
  }
  const all = [...best.values()].toSorted(likeliestFirst);
  const scored = all.slice(0, FOUND_MAX);
  const refs = await caseRefsOf(systemScope(ownerId), scored);
  const hits = scored.map(({ kind, id, name, score, fields }) => ({
    kind,
    id,
    name,
    score,
    fields,
    caseRefs: refs.get(id) ?? [],
  }));
  return { hits, isCut: isCut || all.length > FOUND_MAX };
}

type Scored = Candidate & Likeness;

/** Many may have a name; a phone number, an email or a birth date is one person's. */
const likeliestFirst = (one: Likeness, other: Likeness): number =>
  exactCount(other) - exactCount(one) || other.score - one.score;
const exactCount = ({ fields }: Likeness): number => fields.filter((field) => field !== "name").length;

async function scoredFor(ownerId: string, term: ConflictTerm): Promise<{ scored: Scored[]; isCut: boolean }> {
  const [clients, contacts] = await Promise.all([likelyClients(ownerId, term), likelyContacts(ownerId, term)]);
  const scored = await mapInSlices([...clients.found, ...contacts.found], (candidate) => ({
    ...candidate,
    ...likeness(term, candidate.known),
  }));
  return {
    scored: scored.filter(({ score }) => score >= NAME_THRESHOLD),
    isCut: clients.isCut || contacts.isCut,
  };
}

/** Those whom this person sees, with the cases that they see; of the others how many there are. */
async function asSeenBy(scope: Scope, { hits, isCut }: Found): Promise<ConflictHits> {
  const shown = scope.isAssignedOnly ? await seenAmong(scope, hits) : hits;
  return {
    items: shown.slice(0, CONFLICT_HITS_MAX),
    hiddenCount: hits.length - shown.length,
    isCut: isCut || shown.length > CONFLICT_HITS_MAX,
  };
}

async function seenAmong(scope: Scope, hits: ConflictHit[]): Promise<ConflictHit[]> {
  const idsOf = (kind: ConflictHit["kind"]) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
  const clients = await visibleAmong(scope, idsOf("client"));
  const unseen = new Set(await unseenContacts(scope, idsOf("contact")));
  const refs = await visibleRefsAmong(
    scope,
    hits.flatMap(({ caseRefs }) => caseRefs),
  );
  return hits
    .filter(({ kind, id }) => (kind === "client" ? clients.has(id) : !unseen.has(id)))
    .map((hit) => ({ ...hit, caseRefs: hit.caseRefs.filter((caseRef) => refs.has(caseRef)) }));
}

type Candidate = Awaited<ReturnType<typeof likelyClients | typeof likelyContacts>>["found"][number];

/** In which cases each of these is, as a party or beside one. */
async function caseRefsOf(scope: Scope, candidates: Candidate[]): Promise<Map<string, string[]>> {
  const clientIds = candidates.filter(({ kind }) => kind === "client").map(({ id }) => id);
  const contacts = candidates.filter((candidate) => candidate.kind === "contact");
  const [ofClients, rows] = await Promise.all([
    caseRefsOfClients(scope, clientIds),
    findCaseRows(scope, [...new Set(contacts.flatMap(({ caseIds }) => caseIds))]),
  ]);
  const refsOf = (caseIds: string[]) => rows.filter(({ id }) => caseIds.includes(id)).map(({ caseRef }) => caseRef);
  return new Map([...ofClients, ...contacts.map(({ id, caseIds }) => [id, refsOf(caseIds)] as const)]);
}

/** What a check of all parties of this case finds now, and the last decision, as this person sees both. */
export async function getCaseConflicts(scope: Scope, caseId: string): Promise<z.infer<typeof caseConflictsSchema>> {
  const { clientIds, terms, found: inRecords } = await checkCase(scope, caseId);
  const found = await asSeenBy(scope, inRecords);
  const latest = await latestCheck(scope, caseId);
  return {
    hits: found.items,
    hiddenCount: found.hiddenCount,
    isCut: found.isCut,
    latest: latest && (await toCheck(scope, latest, isOutdated(latest, clientIds, terms))),
  };
}

async function toCheck(scope: Scope, doc: ConflictCheckDoc, isOutdatedNow: boolean): Promise<ConflictCheck> {
  const { items, hiddenCount, isCut } = await asSeenBy(scope, { hits: doc.hits, isCut: doc.isCut ?? false });
  const { _id: id, caseId, decision, reason, decidedByName } = doc;
  return {
    id,
    caseId,
    decision,
    reason,
    decidedByName,
    hits: items,
    hiddenCount,
    isCut,
    decidedAt: doc.decidedAt.toISOString(),
    isOutdated: isOutdatedNow,
  };
}

async function checkCase(scope: Scope, caseId: string) {
  const theCase = await getCase(scope, caseId);
  const clientIds = theCase.parties.map(({ clientId }) => clientId);
  const terms = await clientTerms(scope.ownerId, clientIds);
  return { theCase, clientIds, terms, found: await findHits(scope.ownerId, terms, clientIds) };
}

const latestCheck = (scope: Scope, caseId: string) =>
  ConflictCheckModel.findOne({ ownerId: scope.ownerId, caseId }).sort({ decidedAt: -1, _id: -1 }).lean();

export const hashOf = (terms: ConflictTerm[]): string =>
  createHash("sha256")
    .update(JSON.stringify(terms.map((term) => matchKeys(term).sort())))
    .digest("base64url");

const isOutdated = (check: ConflictCheckDoc, clientIds: string[], terms: ConflictTerm[]): boolean =>
  clientIds.some((id) => !check.clientIds.includes(id)) || check.termsHash !== hashOf(terms);

/** Records what was decided, with all that was found at that moment, also what whoever decided did not see. */
export async function decideConflict(scope: Scope, input: z.output<typeof decideConflictSchema>) {
  const { theCase, clientIds, terms, found } = await checkCase(scope, input.caseId);
  if (input.decision !== "conflicted" && !mayMediate(scope.role) && (await isConflicted(scope, input.caseId)))
    throw forbidden(
      "It was decided that the practice may not act here. Only its owner or a mediator decides otherwise.",
    );
  await inTransaction(async () => {
    await ConflictCheckModel.create([
      {
        ...input,
        ownerId: scope.ownerId,
        clientIds,
        termsHash: hashOf(terms),
        algorithmVersion: ALGORITHM_VERSION,
        ...found,
        decidedBy: scope.userId,
        decidedByName: scope.userName,
        decidedAt: now(),
      },
    ]);
    await recordEvent(scope, {
      kind: "case",
      text: `Conflict check decided: ${CONFLICT_DECISION_NAMES[input.decision]}${found.isCut ? OF_MORE : ""}`,
      caseId: theCase.id,
      clientIds,
      visibility: PRACTICE_ONLY,
    });
  });
  return getCaseConflicts(scope, input.caseId);
}

/** Whether the conflict check of these clients stands, and lets the case go on. */
export async function isConflictDecided(scope: Scope, caseId: string, clientIds: string[]): Promise<boolean> {
  const latest = await latestCheck(scope, caseId);
  // Of some of them as of all: what is known of everybody whom the check looked for counts.
  if (!latest || isOutdated(latest, clientIds, await clientTerms(scope.ownerId, latest.clientIds))) return false;
  return letsGoOn(latest);
}

/**
 * The same for those who meet. What became known of them since, such as another address, is looked at before the case
 * goes on, and keeps nobody from a meeting that was arranged.
 */
export async function wasConflictDecided(scope: Scope, caseId: string, clientIds: string[]): Promise<boolean> {
  const cleared = (await clearedIn(scope.ownerId, [caseId])).get(caseId);
  return cleared !== undefined && clientIds.every((id) => cleared.has(id));
}

/** Who was looked for in each of these cases whose check lets it go on. */
export async function clearedIn(ownerId: string, caseIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const fields = { caseId: 1, clientIds: 1, decision: 1 };
  const checks = await ConflictCheckModel.find({ ownerId, caseId: mongoose.trusted({ $in: [...caseIds] }) }, fields)
    .sort({ decidedAt: 1, _id: 1 })
    .lean();
  const latest = [...new Map(checks.map((check) => [check.caseId, check])).values()];
  return new Map(latest.filter(letsGoOn).map(({ caseId, clientIds }) => [caseId, new Set(clientIds)]));
}

/** Whether the practice has decided that it may not act in this case. */
export const isConflicted = async (scope: Scope, caseId: string): Promise<boolean> =>
  (await latestCheck(scope, caseId))?.decision === "conflicted";
