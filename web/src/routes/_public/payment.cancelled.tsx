import { createFileRoute } from "@tanstack/react-router";
import { readOutcomeSearch } from "../../features/payments/outcome-search.ts";
import { PaymentOutcomePage } from "../../features/payments/payment-outcome-page.tsx";

export const Route = createFileRoute("/_public/payment/cancelled")({
  validateSearch: readOutcomeSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <PaymentOutcomePage place={Route.useSearch()} />;
}
