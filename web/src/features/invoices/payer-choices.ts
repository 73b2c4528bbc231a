// Who may pay an invoice of a case, as a form offers them.
import type { Case } from "@app/shared/cases";
import type { CaseContact } from "@app/shared/contacts";
import { type InvoicePayer, type Payer, payerKeyOf } from "@app/shared/payer-shares";

export interface PayerChoice {
  key: string;
  payer: Payer;
  name: string;
  /** P1, P2, ... of a party. */
  label?: string;
}

export interface KnownPayer {
  payer: InvoicePayer;
  payerName: string;
}

type Parties = Pick<Case, "parties">["parties"];

/** The parties, whoever else belongs to the case, those that are billed already, and the two schemes; each once. */
export function payerChoices(
  parties: Parties,
  contacts: readonly Pick<CaseContact, "contactId" | "displayName">[],
  known: readonly KnownPayer[] = [],
): PayerChoice[] {
  const others: PayerChoice[] = [
    ...contacts.map(({ contactId, displayName }) => choiceOf({ kind: "contact", contactId }, displayName)),
    ...known.flatMap(({ payer, payerName }) => (payer.kind === "contact" ? choiceOf(payer, payerName) : [])),
    choiceOf({ kind: "legal_aid" }, "Legal aid"),
    choiceOf({ kind: "voucher" }, "Voucher scheme"),
  ];
  const all = [...parties.map(partyChoice), ...others];
  return all.filter(({ key }, at) => all.findIndex((one) => one.key === key) === at);
}

const choiceOf = (payer: Payer, name: string): PayerChoice => ({ key: payerKeyOf(payer), payer, name });

const partyChoice = ({ partyId, clientId, name, label, leftAt }: Parties[number]): PayerChoice => ({
  ...choiceOf({ kind: "party", partyId, clientId }, leftAt === null ? name : `${name} (takes no part any more)`),
  label,
});
