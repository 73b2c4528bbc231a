import { createHash } from "node:crypto";
import type { z } from "zod";
import {
  type caseConflictsSchema,
  CONFLICT_DECISION_NAMES,
  CONFLICT_HITS_MAX,
  type ConflictHit,
  type ConflictTerm,
  type decideConflictSchema,
  type searchConflictsSchema,
} from "@app/shared/conflicts";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { likeness, lookupKeys, matchKeys, NAME_THRESHOLD } from "../../core/likeness.ts";
import type { Scope } from "../../core/trpc.ts";
import { visibleRefsAmong } from "../cases/case-places.service.ts";
import { caseRefsOfClients, findCaseRows, getCase } from "../cases/cases.service.ts";
import { clientTerms, likelyClients } from "../clients/clients.service.ts";
import { likelyContacts } from "../contacts/contacts.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { type ConflictCheckDoc, ConflictCheckModel } from "./conflicts.model.ts";

const ALGORITHM_VERSION = 1;

type Search = z.output<typeof searchConflictsSchema>;

/**
 * Everybody in the practice who may be the person looked for, the likeliest first. It looks at every record of the
 * practice, also for somebody who sees only their own cases: a conflict that is not shown is not seen.
 */
export async function searchConflicts(scope: Scope, { term, exceptIds }: Search): Promise<{ items: ConflictHit[] }> {
  const keys = lookupKeys(term);
  const found = await Promise.all([likelyClients(scope.ownerId, keys), likelyContacts(scope.ownerId, keys)]);
  const scored = found
    .flat()
    .filter(({ id }) => !exceptIds.includes(id))
    .map((candidate) => ({ ...candidate, ...likeness(term, candidate.known) }))
    .filter(({ score }) => score >= NAME_THRESHOLD)
    .sort((one, other) => other.score - one.score)
    .slice(0, CONFLICT_HITS_MAX);
  const refs = await caseRefsOf(scope, scored);
  return {
    items: scored.map(({ kind, id, name, score, fields }) => ({
      kind,
      id,
      name,
      score,
      fields,
      caseRefs: refs.get(id) ?? [],
    })),
  };
}

type Candidate = Awaited<ReturnType<typeof likelyClients | typeof likelyContacts>>[number];

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

/** What a check of all parties of this case finds now, and the last decision. */
export async function getCaseConflicts(scope: Scope, caseId: string): Promise<z.infer<typeof caseConflictsSchema>> {
  const { clientIds, terms, hits } = await checkCase(scope, caseId);
  const latest = await latestCheck(scope, caseId);
  return {
    hits,
    latest: latest && {
      ...latest,
      id: latest._id,
      hits: await asSeenNow(scope, latest.hits),
      decidedAt: latest.decidedAt.toISOString(),
      isOutdated: isOutdated(latest, clientIds, terms),
    },
  };
}

/** What was found for whoever decided, as a search now would show it to this person. */
async function asSeenNow(scope: Scope, hits: ConflictHit[]): Promise<ConflictHit[]> {
  const seen = await visibleRefsAmong(
    scope,
    hits.flatMap(({ caseRefs }) => caseRefs),
  );
  return hits.map((hit) => ({ ...hit, caseRefs: hit.caseRefs.filter((caseRef) => seen.has(caseRef)) }));
}

async function checkCase(scope: Scope, caseId: string) {
  const theCase = await getCase(scope, caseId);
  const clientIds = theCase.parties.map(({ clientId }) => clientId);
  const terms = await clientTerms(scope.ownerId, clientIds);
  const found = await Promise.all(terms.map((term) => searchConflicts(scope, { term, exceptIds: clientIds })));
  const best = new Map<string, ConflictHit>();
  for (const hit of found.flatMap(({ items }) => items)) {
    if ((best.get(hit.id)?.score ?? 0) < hit.score) best.set(hit.id, hit);
  }
  const hits = [...best.values()].sort((one, other) => other.score - one.score).slice(0, CONFLICT_HITS_MAX);
  return { theCase, clientIds, terms, hits };
}

const latestCheck = (scope: Scope, caseId: string) =>
  ConflictCheckModel.findOne({ ownerId: scope.ownerId, caseId }).sort({ decidedAt: -1, _id: -1 }).lean();

const hashOf = (terms: ConflictTerm[]): string =>
  createHash("sha256")
    .update(JSON.stringify(terms.map((term) => matchKeys(term).sort())))
    .digest("base64url");

const isOutdated = (check: ConflictCheckDoc, clientIds: string[], terms: ConflictTerm[]): boolean =>
  clientIds.some((id) => !check.clientIds.includes(id)) || check.termsHash !== hashOf(terms);

/** Records what was decided, with what was found at that moment. */
export async function decideConflict(scope: Scope, input: z.output<typeof decideConflictSchema>) {
  const { theCase, clientIds, terms, hits } = await checkCase(scope, input.caseId);
  await inTransaction(async () => {
    await ConflictCheckModel.create([
      {
        ...input,
        ownerId: scope.ownerId,
        clientIds,
        termsHash: hashOf(terms),
        algorithmVersion: ALGORITHM_VERSION,
        hits,
        decidedBy: scope.userId,
        decidedByName: scope.userName,
        decidedAt: now(),
      },
    ]);
    await recordEvent(scope, {
      kind: "case",
      text: `Conflict check decided: ${CONFLICT_DECISION_NAMES[input.decision]}`,
      caseId: theCase.id,
      clientIds,
      visibility: PRACTICE_ONLY,
    });
  });
  return getCaseConflicts(scope, input.caseId);
}

/** Whether the conflict check of these clients stands, and lets the case go on. */
export async function isConflictDecided(scope: Scope, caseId: string, clientIds: string[]): Promise<boolean> {
  const [latest, terms] = await Promise.all([latestCheck(scope, caseId), clientTerms(scope.ownerId, clientIds)]);
  if (!latest || isOutdated(latest, clientIds, terms)) return false;
  return latest.decision === "clear" || latest.decision === "waived";
}
