import mongoose from "mongoose";
import { CaseModel } from "./cases.model.ts";

/** Who stands against whom in a case. */
export interface CaseSides {
  caseId: string;
  parties: { partyId: string; clientId: string; label: string }[];
}

/** The parties of these cases and of every case that one of these clients is or was in, whoever may see them. */
export async function sidesOfCases(
  ownerId: string,
  { caseIds, clientIds }: { caseIds: readonly string[]; clientIds: readonly string[] },
): Promise<CaseSides[]> {
  if (caseIds.length === 0 && clientIds.length === 0) return [];
  const either = [{ _id: mongoose.trusted({ $in: caseIds }) }, { clientIds: mongoose.trusted({ $in: clientIds }) }];
  const docs = await CaseModel.find({ ownerId, $or: either }, { parties: 1 }).lean();
  return docs.map(({ _id, parties }) => ({
    caseId: _id,
    parties: parties.map(({ partyId, clientId, label }) => ({ partyId, clientId, label })),
  }));
}
