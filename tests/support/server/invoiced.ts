// Invoices for tests, as the page would send them.
import { newId } from "@app/server/core/ids";
import type { Party } from "@app/shared/cases";
import type { CreateInvoice, Invoice, InvoiceLine, SetInvoiceSettings } from "@app/shared/invoices";
import type { Payer } from "@app/shared/payer-shares";
import type { PriceFields } from "@app/shared/prices";
import type { Api, Sent, TestPractice } from "./people.ts";

export const aPrice = (overrides: Partial<PriceFields> = {}): Sent<{ price: PriceFields }> => ({
  id: newId(),
  price: {
    code: "MIAM",
    name: "Assessment meeting",
    kind: "miam",
    amountMinor: 12_000,
    vatRateBp: 0,
    per: "party",
    validFrom: "",
    validTo: "",
    ...overrides,
  },
});

export const aLine = (overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  description: "Mediation session",
  kind: "session",
  qtyMilli: 1000,
  unitMinor: 10_000,
  vatRateBp: 0,
  sessionId: null,
  ...overrides,
});

export const partyPayer = ({ partyId, clientId }: Pick<Party, "partyId" | "clientId">): Payer => ({
  kind: "party",
  partyId,
  clientId,
});

export const anInvoice = (
  caseId: string,
  payer: Payer,
  overrides: Partial<CreateInvoice> = {},
): Sent<CreateInvoice> => ({ id: newId(), caseId, payer, lines: [aLine()], notes: "", ...overrides });

/** An invoice of £100.00 that was issued, where nothing else is said. */
export async function issuedInvoice(
  { api }: { api: Pick<Api, "invoices"> },
  caseId: string,
  payer: Payer,
  overrides: Partial<CreateInvoice> = {},
): Promise<Invoice> {
  const { id, version } = await api.invoices.create.mutate(anInvoice(caseId, payer, overrides));
  return api.invoices.issue.mutate({ id, version });
}

export async function invoiceSettings(
  { api }: Pick<TestPractice, "api">,
  overrides: Partial<SetInvoiceSettings> = {},
): Promise<void> {
  const { currency: _currency, nextCreditNumber: _next, ...settings } = await api.invoices.settings.query();
  await api.invoices.setSettings.mutate({ ...settings, ...overrides });
}

export const registeredForVat = (practice: Pick<TestPractice, "api">): Promise<void> =>
  invoiceSettings(practice, { isVatRegistered: true, vatNumber: "GB 123 4567 89", address: "4 Mill Lane\nReading" });
