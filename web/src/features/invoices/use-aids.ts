import type { Case } from "@app/shared/cases";
import type { InvoiceSettings } from "@app/shared/invoices";
import type { Price } from "@app/shared/prices";
import { api } from "../../core/api.ts";
import { type KnownPayer, type PayerChoice, payerChoices } from "./payer-choices.ts";

/** What an invoice of a case is written with. */
export interface Aids {
  theCase: Case;
  settings: InvoiceSettings;
  prices: readonly Price[];
  payers: readonly PayerChoice[];
}

/** As a query, so that a dialog waits for all of it at once. */
export function useAids(caseId: string, known?: KnownPayer) {
  const theCase = api.cases.get.useQuery({ id: caseId });
  const settings = api.invoices.settings.useQuery();
  const prices = api.prices.inForce.useQuery();
  const contacts = api.contacts.ofCase.useQuery({ id: caseId });
  const all = [theCase, settings, prices, contacts];
  return {
    data:
      theCase.data && settings.data && prices.data && contacts.data
        ? {
            theCase: theCase.data,
            settings: settings.data,
            prices: prices.data.items,
            payers: payerChoices(theCase.data.parties, contacts.data.items, known && [known]),
          }
        : undefined,
    error: all.find(({ error }) => error)?.error,
    refetch: () => Promise.all(all.map((one) => one.refetch())),
  };
}
