import mongoose from "mongoose";
import type { Funding, Party } from "@app/shared/cases";
import { CaseModel } from "./cases.model.ts";

/** Who stands against whom in a case. */
export interface CaseSides {
  caseId: string;
  parties: SideParty[];
}

interface SideParty {
  partyId: string;
  clientId: string;
  label: string;
  /** The contacts whom the case itself puts on this side. */
  helpers: { contactId: string; role: "representative" | "payer" }[];
}

type StoredParty = Pick<Party, "partyId" | "clientId" | "label" | "representativeContactIds"> & {
  funding: Pick<Funding, "payerContactId">;
};

export const sidesOf = (caseId: string, parties: readonly StoredParty[]): CaseSides => ({
  caseId,
  parties: parties.map(({ partyId, clientId, label, representativeContactIds, funding }) => ({
    partyId,
    clientId,
    label,
    helpers: [
      ...representativeContactIds.map((contactId) => ({ contactId, role: "representative" as const })),
      ...(funding.payerContactId ? [{ contactId: funding.payerContactId, role: "payer" as const }] : []),
    ],
  })),
});

interface Asked {
  caseIds: readonly string[];
  clientIds: readonly string[];
  contactIds: readonly string[];
}

/**
 * The sides of these cases, of every case that one of these clients is or was in, and of every one in which one of these
 * contacts stands for a party or pays for one, whoever may see them.
 */
export async function sidesOfCases(ownerId: string, { caseIds, clientIds, contactIds }: Asked): Promise<CaseSides[]> {
  const ofContacts = mongoose.trusted({ $in: contactIds });
  const either = [
    ...(caseIds.length > 0 ? [{ _id: mongoose.trusted({ $in: caseIds }) }] : []),
    ...(clientIds.length > 0 ? [{ clientIds: mongoose.trusted({ $in: clientIds }) }] : []),
    ...(contactIds.length > 0
      ? [{ "parties.representativeContactIds": ofContacts }, { "parties.funding.payerContactId": ofContacts }]
      : []),
  ];
  if (either.length === 0) return [];
  const docs = await CaseModel.find({ ownerId, $or: either }, { parties: 1 }).lean();
  return docs.map(({ _id, parties }) => sidesOf(_id, parties));
}
