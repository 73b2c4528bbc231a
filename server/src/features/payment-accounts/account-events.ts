import { defineStripeEvents } from "../../core/stripe-events.ts";
import { accountChanged } from "./payment-accounts.service.ts";

const OF_ACCOUNTS = /^(?:v2\.core\.account|account\.)/;

defineStripeEvents({
  takes: ({ type }) => OF_ACCOUNTS.test(type),
  settle: ({ account, object_id: objectId }) => accountChanged(account || objectId),
});
