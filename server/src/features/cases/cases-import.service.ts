// What an import needs of cases: many at once, and back out again.
import type { Joined } from "@app/shared/newcomers";
import mongoose from "mongoose";
import { notFound } from "../../core/errors.ts";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { clientNames } from "../clients/clients.service.ts";
import { removeEventsOfCases } from "../history/history-use.service.ts";
import { caseNumberPrefix } from "../practices/practices.service.ts";
import { count, visibleTo } from "./case-changes.service.ts";
import { reassignClients } from "./case-team.service.ts";
import { CaseNumberModel } from "./case-counts.model.ts";
import { type CaseDoc, CaseModel, type PartyDoc } from "./cases.model.ts";
import { caseReference, type ImportedCase, createCases } from "./cases.service.ts";

type Twin = Pick<CaseDoc, "_id" | "caseRef" | "clientIds" | "domain" | "matter" | "startedOn">;

/** The cases that have one of these references, or one of these clients, as far as this person may see them. */
export const caseTwins = (
  scope: Scope,
  { caseRefs, clientIds }: { caseRefs: string[]; clientIds: string[] },
): Promise<Twin[]> =>
  CaseModel.find(
    {
      ...visibleTo(scope),
      $or: [{ caseRef: mongoose.trusted({ $in: caseRefs }) }, { clientIds: mongoose.trusted({ $in: clientIds }) }],
    },
    { caseRef: 1, clientIds: 1, domain: 1, matter: 1, startedOn: 1 },
  ).lean();

type Called = Pick<CaseDoc, "_id" | "caseRef"> & { parties: { partyId: string; clientId: string }[] };

/** The cases with these references, as far as this person may see them. */
export const casesCalled = (scope: Scope, caseRefs: string[]): Promise<Called[]> =>
  CaseModel.find(
    { ...visibleTo(scope), caseRef: mongoose.trusted({ $in: caseRefs }) },
    { caseRef: 1, parties: 1 },
  ).lean();

export interface CaseOfClients {
  _id: string;
  parties: (Pick<PartyDoc, "partyId" | "clientId" | "label" | "side" | "status"> & Joined)[];
}

/** The cases of the practice that one of these clients is a party to, whoever sees them: for what must hold in each. */
export const casesOfClients = (ownerId: string, clientIds: string[]): Promise<CaseOfClients[]> =>
  CaseModel.find({ ownerId, clientIds: mongoose.trusted({ $in: [...new Set(clientIds)] }) }, { parties: 1 }).lean();

export async function importCases(scope: Scope, inputs: ImportedCase[]): Promise<string[]> {
  return (await createCases(scope, inputs)).map(({ id }) => id);
}

/** These cases by their references, and whether each was changed since it was stored. */
export async function importedCases(
  { ownerId }: Scope,
  ids: string[],
): Promise<Map<string, { name: string; isChanged: boolean }>> {
  const docs = await CaseModel.find(
    { ownerId, _id: mongoose.trusted({ $in: ids }) },
    { caseRef: 1, version: 1 },
  ).lean();
  return new Map(docs.map((doc) => [doc._id, { name: doc.caseRef, isChanged: doc.version > 0 }]));
}

export const casesSeenAmong = async (scope: Scope, ids: string[]): Promise<Set<string>> =>
  new Set(await CaseModel.distinct("_id", { ...visibleTo(scope), _id: mongoose.trusted({ $in: ids }) }));

/** Throws where one of these is missing, or not for this person's eyes. */
export async function assertCasesVisible(scope: Scope, ids: string[]): Promise<void> {
  if ((await casesSeenAmong(scope, ids)).size < new Set(ids).size) throw notFound("Case");
}

interface RemovedCase {
  id: string;
  caseRef: string;
  parties: { partyId: string; label: string; name: string }[];
}

/**
 * Takes cases back that nobody changed, with what followed from them: the practice's totals, its numbers, the history,
 * and who works with whom. Call it in the transaction that made sure of it. Answers what they were, for what outlives
 * them.
 */
export async function removeCases(scope: Scope, ids: string[]): Promise<RemovedCase[]> {
  const { ownerId } = scope;
  const docs = await CaseModel.find({ ownerId, _id: mongoose.trusted({ $in: ids }), version: 0 }).lean();
  const removed = docs.map(({ _id }) => _id);
  const clientIds = docs.flatMap((doc) => doc.clientIds);
  const names = await clientNames(systemScope(ownerId), clientIds);
  await CaseModel.deleteMany({ ownerId, _id: mongoose.trusted({ $in: removed }) });
  await removeEventsOfCases(ownerId, removed);
  await count(ownerId, docs, []);
  await takeBackNumbers(ownerId, new Set(docs.map(({ caseRef }) => caseRef)));
  await reassignClients(ownerId, clientIds);
  return docs.map(({ _id: id, caseRef, parties }) => ({
    id,
    caseRef,
    parties: parties.map(({ partyId, label, clientId }) => ({ partyId, label, name: names.get(clientId) ?? "" })),
  }));
}

/** The last numbers that were given out become free again, as long as no other case came after them. */
async function takeBackNumbers(ownerId: string, refs: Set<string>): Promise<void> {
  const prefix = await caseNumberPrefix(ownerId);
  for (const { year, last } of await CaseNumberModel.find({ ownerId }).lean()) {
    let free = last;
    while (free > 0 && refs.has(caseReference(prefix, year, free))) free -= 1;
    if (free === 0) await CaseNumberModel.deleteOne({ ownerId, year });
    else if (free < last) await CaseNumberModel.updateOne({ ownerId, year }, { $set: { last: free } });
  }
}
