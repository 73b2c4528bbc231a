import { apiUtils } from "../../core/api.ts";
import { mayNow } from "../../core/session-state.ts";
import { pricesInput, withoutPrice } from "../prices/prices-search.ts";
import { invoicesInput, type PaymentsSearch, withoutInvoice } from "./payments-search.ts";

/** Of the address what decides what is read. */
export function paymentsDeps(search: PaymentsSearch): PaymentsSearch {
  if (search.tab === "prices") return withoutPrice(search);
  return search.tab === undefined ? withoutInvoice(search) : search;
}

/** What the open tab shows first. */
export async function loadPayments(search: PaymentsSearch): Promise<void> {
  if (!mayNow("payments.read")) return;
  if (search.tab === "prices") await apiUtils.prices.list.ensureData(pricesInput(search));
  if (search.tab === "settings") await apiUtils.invoices.settings.ensureData();
  if (search.tab === undefined && mayNow("clients.read"))
    await apiUtils.invoices.list.ensureData(invoicesInput(search));
}
