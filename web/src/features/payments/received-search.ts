import { PAYMENT_METHODS, type PaymentMethod } from "@app/shared/payment-methods";
import { PAYMENT_STATES, type PaymentState } from "@app/shared/payment-states";
import type { ListSearch } from "../../core/list-search.ts";
import { listOf, optionOf, pageSearch, searchedFor } from "../../core/search.ts";

/** The list of all payments as it stands in the address. */
export interface ReceivedSearch extends ListSearch {
  tab: "received";
  state?: PaymentState;
  method?: PaymentMethod;
  look?: "needed";
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export const parseReceivedSearch = (raw: Record<string, unknown>): ReceivedSearch => ({
  tab: "received",
  ...searchedFor(raw),
  ...optionOf(raw, "state", PAYMENT_STATES),
  ...optionOf(raw, "method", PAYMENT_METHODS),
  ...optionOf(raw, "look", ["needed"]),
  ...pageSearch(raw),
  ...listOf(raw, "hide"),
});

/** What the server is asked for. */
export const receivedInput = ({ search, state, method, look, page = 1 }: ReceivedSearch) => ({
  ...(search === undefined ? {} : { search }),
  ...(state === undefined ? {} : { status: state }),
  ...(method === undefined ? {} : { method }),
  page,
  needsAttention: look === "needed",
});
