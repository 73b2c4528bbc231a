import type { Case } from "@app/shared/cases";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import { type Addressee, ADDRESSEE_NAMES } from "@app/shared/documents";

type Parties = Pick<Case, "parties">;

/** For whom it is, in words. */
export function addresseeWords({ kind, partyId }: Addressee, { parties }: Parties): string {
  const party = parties.find((one) => one.partyId === partyId);
  const named = party ? `${party.name} (${party.label})` : "somebody who is no party any more";
  if (kind === "party") return named;
  return kind === "practice" && partyId
    ? `${ADDRESSEE_NAMES.practice}, in confidence of ${named}`
    : ADDRESSEE_NAMES[kind];
}

interface Choice {
  value: string;
  label: string;
  addressee: Addressee;
}

/** For whom a document of this kind can be. */
export const addresseesOf = (kind: DocumentKind, theCase: Parties): Choice[] =>
  DOCUMENT_RULES[kind].addressees.flatMap((one): Choice[] => {
    if (one === "joint") return [choice({ kind: one, partyId: null }, theCase)];
    const parties = theCase.parties.map(({ partyId }) => choice({ kind: one, partyId }, theCase));
    return one === "practice" ? [choice({ kind: one, partyId: null }, theCase), ...parties] : parties;
  });

const choice = (addressee: Addressee, theCase: Parties): Choice => ({
  value: `${addressee.kind} ${addressee.partyId ?? ""}`,
  label: addresseeWords(addressee, theCase),
  addressee,
});
