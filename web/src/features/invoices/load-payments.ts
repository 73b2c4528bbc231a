import { apiUtils } from "../../core/api.ts";
import { mayNow } from "../../core/session-state.ts";
import { receivedInput } from "../payments/received-input.ts";
import { pricesInput } from "../prices/prices-input.ts";
import { type PaymentsSearch } from "./payments-search.ts";
import { invoicesInput } from "./invoices-input.ts";

/** What the open tab shows first. */
export async function loadPayments(search: PaymentsSearch): Promise<void> {
  if (!mayNow("payments.read")) return;
  if (search.tab === "prices") await apiUtils.prices.list.ensureData(pricesInput(search));
  if (search.tab === "settings") await apiUtils.invoices.settings.ensureData();
  if (search.tab === "received" && mayNow("clients.read"))
    await apiUtils.payments.list.ensureData(receivedInput(search));
  if (search.tab === undefined && mayNow("clients.read"))
    await apiUtils.invoices.list.ensureData(invoicesInput(search));
}
