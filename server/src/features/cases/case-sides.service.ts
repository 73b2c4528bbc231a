import mongoose from "mongoose";
import { type CaseStatus, type Ending, isEndedByDeath, type PartyStatus } from "@app/shared/case-states";
import type { CaseFields, Funding, Party } from "@app/shared/cases";
import type { CaseDomain } from "@app/shared/case-transitions";
import { type Contacting, firstSide, isKeptUnasked, isUnasked } from "@app/shared/contact-agreements";
import { type askedOf, type Going, standingDisclosures } from "@app/shared/disclosures";
import { CaseModel } from "./cases.model.ts";

/** Who stands against whom in a case, and which contacts it names. */
export interface CaseSides {
  caseId: string;
  parties: {
    partyId: string;
    clientId: string;
    label: string;
    status: PartyStatus;
    hasLeft: boolean;
    /** They came first, or stand with whoever did. */
    isFirst: boolean;
    /** Nobody has asked them anything yet. */
    isUnasked: boolean;
    /** The same, and whoever came first keeps that so. */
    isKeptUnasked: boolean;
    /** What they said of it that the others are contacted; null where nobody asked them. */
    agreesToContact: boolean | null;
    /** Whether they died; perhaps, where the case ended by a death and nobody noted whose it was. */
    died: "no" | "perhaps" | "yes";
  }[];
  helpers: Helper[];
  /** It ended because somebody died. */
  hasDied: boolean;
  /** What may go outside the case as things stand, and to whom. */
  disclosures: Going[];
}

/** A contact whom the case itself names; where they are linked to it stands with the contact. */
export interface Helper {
  contactId: string;
  /** On whose side; null for nobody's. */
  partyId: string | null;
  role: "representative" | "payer" | "referrer";
}

interface Naming {
  referral: Pick<CaseFields["referral"], "contactId">;
  parties: readonly (Pick<Party, "partyId" | "representativeContactIds"> & {
    funding: Pick<Funding, "payerContactId">;
  })[];
}

/** Every contact whom a case names: the one place that knows in which fields. */
export const helpersIn = ({ referral, parties }: Naming): Helper[] =>
  [
    ...parties.flatMap(({ partyId, representativeContactIds }) =>
      representativeContactIds.map((contactId) => ({ contactId, partyId, role: "representative" as const })),
    ),
    ...payersIn(parties),
    { contactId: referral.contactId, partyId: null, role: "referrer" as const },
  ].filter(({ contactId }) => contactId !== "");

/** Who pays for all parties, as an employer does in a workplace, stands on nobody's side. */
function payersIn(parties: Naming["parties"]): Helper[] {
  const [first, ...others] = parties;
  const payer = first?.funding.payerContactId ?? "";
  if (others.length > 0 && others.every(({ funding }) => funding.payerContactId === payer))
    return [{ contactId: payer, partyId: null, role: "payer" }];
  return parties.map(({ partyId, funding }) => ({ contactId: funding.payerContactId, partyId, role: "payer" }));
}

const namingOneOf = (contactIds: readonly string[]) => {
  const among = mongoose.trusted({ $in: contactIds });
  return [
    { "parties.representativeContactIds": among },
    { "parties.funding.payerContactId": among },
    { "referral.contactId": among },
  ];
};

type Stored = Omit<Naming, "parties"> & {
  id: string;
  domain: CaseDomain;
  status: CaseStatus;
  ending: Ending | null;
  disclosures: Parameters<typeof standingDisclosures<Going>>[0]["disclosures"];
  parties: readonly (Naming["parties"][number] &
    Pick<Party, "clientId"> &
    Contacting &
    Parameters<typeof askedOf>[0][number] & { leftAt: Date | string | null })[];
};

export const sidesOf = (theCase: Stored): CaseSides => ({
  caseId: theCase.id,
  parties: theCase.parties.map((party) => ({
    partyId: party.partyId,
    clientId: party.clientId,
    label: party.label,
    status: party.status,
    hasLeft: party.leftAt !== null,
    isFirst: firstSide(theCase.domain, theCase.parties).includes(party),
    isUnasked: isUnasked(theCase, party),
    isKeptUnasked: isKeptUnasked(theCase, party),
    agreesToContact: party.contactAgreement?.isAgreed ?? null,
    died: diedOf(theCase, party),
  })),
  helpers: helpersIn(theCase),
  hasDied: isEndedByDeath(theCase),
  disclosures: standingDisclosures(theCase).map(({ fileIds, to }) => ({ fileIds, to })),
});

function diedOf(theCase: Stored, { status }: Contacting): CaseSides["parties"][number]["died"] {
  if (status === "died") return "yes";
  return isEndedByDeath(theCase) && !theCase.parties.some((party) => party.status === "died") ? "perhaps" : "no";
}

interface Asked {
  caseIds: readonly string[];
  clientIds: readonly string[];
  contactIds: readonly string[];
}

/**
 * The sides of these cases, of every case that one of these clients is or was in, and of every one in which one of these
 * contacts is named, whoever may see them.
 */
export async function sidesOfCases(ownerId: string, { caseIds, clientIds, contactIds }: Asked): Promise<CaseSides[]> {
  const either = [
    ...(caseIds.length > 0 ? [{ _id: mongoose.trusted({ $in: caseIds }) }] : []),
    ...(clientIds.length > 0 ? [{ clientIds: mongoose.trusted({ $in: clientIds }) }] : []),
    ...(contactIds.length > 0 ? namingOneOf(contactIds) : []),
  ];
  if (either.length === 0) return [];
  const docs = await CaseModel.find(
    { ownerId, $or: either },
    { domain: 1, status: 1, ending: 1, parties: 1, referral: 1, disclosures: 1 },
  ).lean();
  return docs.map(({ _id, ...doc }) => sidesOf({ ...doc, id: _id }));
}
