import type { InvoiceState } from "@app/shared/invoice-states";
import type { PayerKind } from "@app/shared/payer-shares";
import type { ListSearch } from "../../core/list-search.ts";
import { flagOf, listOf, optionOf, pageSearch, searchedFor, textsOf } from "../../core/search.ts";
import { type BankSearch, parseBankSearch } from "../bank-statements/bank-search.ts";
import { parseReceivedSearch, type ReceivedSearch } from "../payments/received-search.ts";
import { parsePricesSearch, type PricesSearch, withoutPrice } from "../prices/prices-search.ts";

/** The list of all invoices as it stands in the address. */
export interface InvoicesListSearch extends ListSearch {
  tab?: never;
  state?: InvoiceState;
  payer?: PayerKind;
  due?: "overdue";
}

/** The list, and what stands over it. */
export interface InvoicesSearch extends InvoicesListSearch {
  /** The invoice that is open. */
  open?: string;
  /** An invoice is being written. */
  add?: true;
}

/** The page Payments, by its tabs; the invoices where none is named. */
export type PaymentsSearch =
  | InvoicesSearch
  | ReceivedSearch
  | BankSearch
  | PricesSearch
  | { tab: "settings" | "cards" };
export type PaymentsTab = "invoices" | "received" | "bank" | "prices" | "settings" | "cards";

// Written out: the entry does without what these bring along.
const STATES = ["draft", "issued", "part_paid", "paid", "void"] as const satisfies readonly InvoiceState[];
const PAYER_KINDS = ["party", "contact", "legal_aid", "voucher", "visitor"] as const satisfies readonly PayerKind[];

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function parsePaymentsSearch(raw: Record<string, unknown>): PaymentsSearch {
  const { tab } = raw;
  if (tab === "received") return parseReceivedSearch(raw);
  if (tab === "prices") return parsePricesSearch(raw);
  if (tab === "bank") return parseBankSearch(raw);
  return tab === "settings" || tab === "cards" ? { tab } : parseInvoicesSearch(raw);
}

export const parseInvoicesSearch = (raw: Record<string, unknown>): InvoicesSearch => ({
  ...searchedFor(raw),
  ...optionOf(raw, "state", STATES),
  ...optionOf(raw, "payer", PAYER_KINDS),
  ...optionOf(raw, "due", ["overdue"]),
  ...pageSearch(raw),
  ...listOf(raw, "hide"),
  ...textsOf(raw, ["open"]),
  ...flagOf(raw, "add"),
});

/** The list alone, with no dialog over it. */
export const withoutInvoice = ({ open: _open, add: _add, ...list }: InvoicesSearch): InvoicesListSearch => list;

/** Of the address what decides what is read. */
export function paymentsDeps(search: PaymentsSearch): PaymentsSearch {
  if (search.tab === "prices") return withoutPrice(search);
  return search.tab === undefined ? withoutInvoice(search) : search;
}
