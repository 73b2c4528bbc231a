// What hangs on a case or a client is seen by whoever sees that. Asked at each look: who works on a case may change.
import mongoose from "mongoose";
import type { Scope } from "../../core/trpc.ts";
import { visibleClientIds } from "../clients/clients.service.ts";
import { visibleTo } from "./case-changes.service.ts";
import { CaseModel } from "./cases.model.ts";

/** The ids of the cases that this person sees; null where that is every one of the practice. */
export async function visibleCaseIds(scope: Scope): Promise<string[] | null> {
  return scope.isAssignedOnly ? CaseModel.distinct("_id", visibleTo(scope)) : null;
}

/** Those of these references whose cases this person sees. */
export const visibleRefsAmong = async (scope: Scope, caseRefs: string[]): Promise<Set<string>> =>
  new Set(await CaseModel.distinct("caseRef", { ...visibleTo(scope), caseRef: mongoose.trusted({ $in: caseRefs }) }));

/** A filter for what is of cases alone. */
export async function ofVisibleCases(scope: Scope): Promise<{ caseId?: Among }> {
  const caseIds = await visibleCaseIds(scope);
  return caseIds ? { caseId: mongoose.trusted({ $in: caseIds }) } : {};
}

type Among = ReturnType<typeof mongoose.trusted<{ $in: (string | null)[] }>>;

/** A filter for what is of a case or of none, and is found by the client whom this person sees. */
export async function ofNoHiddenCase(scope: Scope): Promise<{ caseId?: Among }> {
  const caseIds = await visibleCaseIds(scope);
  return caseIds ? { caseId: mongoose.trusted({ $in: [null, ...caseIds] }) } : {};
}

/** A filter for what may be of a case, else of a client, else of nobody. */
export async function ofVisiblePlaces(scope: Scope): Promise<{ $or?: { caseId: Among | null; clientId?: Among }[] }> {
  const caseIds = await visibleCaseIds(scope);
  if (!caseIds) return {};
  const clientId = mongoose.trusted({ $in: [null, ...(await visibleClientIds(scope))] });
  return { $or: [{ caseId: mongoose.trusted({ $in: caseIds }) }, { caseId: null, clientId }] };
}
