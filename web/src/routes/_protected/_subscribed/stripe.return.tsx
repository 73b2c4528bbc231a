import { createFileRoute } from "@tanstack/react-router";
import { StripeReturnPage } from "../../../features/payment-accounts/stripe-return-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/stripe/return")({
  validateSearch: ({ refresh }: Record<string, unknown>): { refresh?: 1 } => (refresh === 1 ? { refresh } : {}),
  component: RouteComponent,
});

function RouteComponent() {
  return <StripeReturnPage isRefresh={Route.useSearch().refresh === 1} />;
}
