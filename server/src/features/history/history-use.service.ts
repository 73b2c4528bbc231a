import mongoose from "mongoose";
import { HistoryModel } from "./history.model.ts";

/** That an import was taken back is no use of what it was about. */
const isUse = { kind: mongoose.trusted({ $ne: "import" as const }) };

/** How many events tell of each of these clients. */
export async function eventsOfClients(ownerId: string, ids: string[]): Promise<Map<string, number>> {
  const docs = await HistoryModel.find(
    { ownerId, clientIds: mongoose.trusted({ $in: ids }), ...isUse },
    { clientIds: 1 },
  ).lean();
  return countOf(docs.flatMap(({ clientIds }) => clientIds));
}

/** How many events tell of each of these cases. */
export async function eventsOfCases(ownerId: string, ids: string[]): Promise<Map<string, number>> {
  const docs = await HistoryModel.find(
    { ownerId, caseId: mongoose.trusted({ $in: ids }), ...isUse },
    { caseId: 1 },
  ).lean();
  return countOf(docs.map(({ caseId }) => caseId ?? ""));
}

/** Takes back what was told of cases that are taken back themselves. */
export async function removeEventsOfCases(ownerId: string, ids: string[]): Promise<void> {
  await HistoryModel.deleteMany({ ownerId, caseId: mongoose.trusted({ $in: ids }) });
}

/** The same of clients who are in no case. */
export async function removeEventsOfClients(ownerId: string, ids: string[]): Promise<void> {
  await HistoryModel.deleteMany({ ownerId, caseId: null, clientIds: mongoose.trusted({ $in: ids }) });
}

function countOf(ids: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
