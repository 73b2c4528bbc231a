import mongoose from "mongoose";
import type { CaseRow } from "@app/shared/cases";
import { ENDED_STATUSES } from "@app/shared/case-states";
import type { Scope } from "../../core/trpc.ts";
import { visibleTo } from "./case-changes.service.ts";
import { type CaseRowDoc, ROW_FIELDS, toCaseRows } from "./case-mapping.ts";
import { CaseModel } from "./cases.model.ts";

const CASES_MAX = 200;

/** Of each of these clients the newest case that is not over, else the newest; nothing where there is none. */
export async function casesOfClients(
  scope: Scope,
  clientIds: string[],
): Promise<{ clientId: string; theCase: CaseRow }[]> {
  const docs = await CaseModel.find(
    { ...visibleTo(scope), clientIds: mongoose.trusted({ $in: clientIds }) },
    ROW_FIELDS,
  )
    .sort({ createdAt: -1, _id: -1 })
    .limit(CASES_MAX)
    .lean<CaseRowDoc[]>();
  const chosen = new Map(clientIds.map((clientId) => [clientId, latestOf(clientId, docs)]));
  const shown = docs.filter((doc) => [...chosen.values()].includes(doc));
  const rows = await toCaseRows(scope, shown);
  return clientIds.flatMap((clientId) => {
    const theCase = rows.find(({ id }) => id === chosen.get(clientId)?._id);
    return theCase ? [{ clientId, theCase }] : [];
  });
}

function latestOf(clientId: string, docs: CaseRowDoc[]): CaseRowDoc | undefined {
  const own = docs.filter(({ parties }) => parties.some((party) => party.clientId === clientId));
  return own.find(({ status }) => !ENDED_STATUSES.includes(status)) ?? own[0];
}
