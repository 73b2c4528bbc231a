import { createFileRoute } from "@tanstack/react-router";
import { StripeReturnPage } from "../../../features/payments/stripe-return-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/stripe/return")({
  component: StripeReturnPage,
});
