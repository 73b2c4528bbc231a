// Who pays an invoice: what they are called, where post reaches them, and who may see what stands on it.
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { contactName } from "@app/shared/contacts";
import type { InvoicePayer, Payer } from "@app/shared/payer-shares";
import { forParty, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { badField, isNotFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { getContact } from "../contacts/contacts.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";

export interface PayerDetails {
  payerName: string;
  payerAddress: string[];
  visibility: Visibility;
}

/** Throws where this person cannot bill them for this case. */
export async function payerDetails(scope: Scope, theCase: Case, payer: Payer): Promise<PayerDetails> {
  switch (payer.kind) {
    case "party":
      return partyDetails(scope, theCase, payer);
    case "contact":
      return contactDetails(scope, payer.contactId);
    case "legal_aid":
      return ofScheme((await practiceRegion(scope.ownerId)) === "england_wales" ? "Legal Aid Agency" : "Legal aid");
    case "voucher":
      return ofScheme("Family mediation voucher scheme");
  }
}

/** Of a draft, which is always of a case and of somebody who was chosen. */
export async function draftPayer(
  scope: Scope,
  { caseId, payer }: { caseId: string | null; payer: InvoicePayer },
): Promise<PayerDetails> {
  if (caseId === null || payer.kind === "visitor") throw new Error("a draft without a case");
  return payerDetails(scope, await getCase(scope, caseId), payer);
}

const ofScheme = (payerName: string): PayerDetails => ({ payerName, payerAddress: [], visibility: PRACTICE_ONLY });

async function partyDetails(
  scope: Scope,
  theCase: Case,
  { partyId, clientId }: Extract<Payer, { kind: "party" }>,
): Promise<PayerDetails> {
  const party = theCase.parties.find((one) => one.partyId === partyId && one.clientId === clientId);
  if (!party) throw badField("payer", "Choose a party of this case.");
  const client = await getClient(scope, clientId);
  return { payerName: client.displayName, payerAddress: partyAddress(client), visibility: forParty(partyId) };
}

/** Where it is kept confidential it stands on nothing, so that a copy that goes astray tells nobody. */
const partyAddress = ({ address, isAddressConfidential }: Client): string[] =>
  isAddressConfidential ? [] : linesOf(address);

async function contactDetails(scope: Scope, contactId: string): Promise<PayerDetails> {
  const contact = await getContact(scope, contactId).catch((error: unknown) => {
    if (isNotFound(error)) throw badField("payer", "This contact is not there any more. Choose who pays.");
    throw error;
  });
  const name = contactName(contact);
  const at = contact.organisation !== "" && contact.organisation !== name ? [contact.organisation] : [];
  return { payerName: name, payerAddress: [...at, ...linesOf(contact.address)], visibility: PRACTICE_ONLY };
}

const linesOf = ({ lines, postcode, country }: Client["address"]): string[] =>
  [...lines, postcode, country].filter(Boolean);
