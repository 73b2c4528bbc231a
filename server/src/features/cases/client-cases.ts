// What a list of clients shows of their cases. Only the router imports this: it asks for cases and tasks.
import mongoose from "mongoose";
import type { ClientCase } from "@app/shared/cases";
import { ENDED_STATUSES } from "@app/shared/case-states";
import type { Scope } from "../../core/trpc.ts";
import { nextTasks } from "../tasks/tasks.service.ts";
import { visibleTo } from "./case-changes.ts";
import { type CaseRowDoc, ROW_FIELDS, toCaseRows } from "./case-mapping.ts";
import { CaseModel } from "./cases.model.ts";

const CASES_MAX = 200;

/** Of each of these clients the newest case that is not over, else the newest; nothing where there is none. */
export async function casesOfClients(scope: Scope, clientIds: string[]): Promise<ClientCase[]> {
  const docs = await CaseModel.find(
    { ...visibleTo(scope), clientIds: mongoose.trusted({ $in: clientIds }) },
    ROW_FIELDS,
  )
    .sort({ createdAt: -1, _id: -1 })
    .limit(CASES_MAX)
    .lean<CaseRowDoc[]>();
  const chosen = new Map(clientIds.map((clientId) => [clientId, latestOf(clientId, docs)]));
  const shown = docs.filter((doc) => [...chosen.values()].includes(doc));
  const [rows, tasks] = await Promise.all([
    toCaseRows(scope, shown),
    nextTasks(
      scope,
      shown.map(({ _id }) => _id),
    ),
  ]);
  return clientIds.flatMap((clientId) => {
    const theCase = rows.find(({ id }) => id === chosen.get(clientId)?._id);
    return theCase ? [{ clientId, theCase, task: tasks.get(theCase.id) ?? null }] : [];
  });
}

function latestOf(clientId: string, docs: CaseRowDoc[]): CaseRowDoc | undefined {
  const own = docs.filter(({ parties }) => parties.some((party) => party.clientId === clientId));
  return own.find(({ status }) => !ENDED_STATUSES.includes(status)) ?? own[0];
}
