import { createFileRoute } from "@tanstack/react-router";
import { outcomeSearch } from "../../core/search.ts";
import { PaymentOutcomePage } from "../../features/payments/payment-outcome-page.tsx";

export const Route = createFileRoute("/_public/payment/cancelled")({
  validateSearch: outcomeSearch,
  component: RouteComponent,
});

function RouteComponent() {
  return <PaymentOutcomePage place={Route.useSearch()} />;
}
