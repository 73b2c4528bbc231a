import { PAYMENT_METHODS } from "@app/shared/payment-methods";
import { PAYMENT_STATES } from "@app/shared/payment-states";
import { optionOf } from "../../core/search.ts";
import type { ReceivedSearch } from "./received-search.ts";

/** Without a state or way to pay that there is not. */
export const knownReceived = ({ state, method, ...search }: ReceivedSearch) => ({
  ...search,
  ...optionOf({ state }, "state", PAYMENT_STATES),
  ...optionOf({ method }, "method", PAYMENT_METHODS),
});

/** What the server is asked for. */
export function receivedInput(given: ReceivedSearch) {
  const { search, state, method, look, page = 1 } = knownReceived(given);
  return {
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : { status: state }),
    ...(method === undefined ? {} : { method }),
    page,
    needsAttention: look === "needed",
  };
}
