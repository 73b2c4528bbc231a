import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { loadPayments } from "../../../features/invoices/load-payments.ts";
import { PaymentsPage } from "../../../features/invoices/payments-page.tsx";
import { parsePaymentsSearch, paymentsDeps } from "../../../features/invoices/payments-search.ts";

export const Route = createFileRoute("/_protected/_subscribed/payment-settings")({
  validateSearch: parsePaymentsSearch,
  loaderDeps: ({ search }) => paymentsDeps(search),
  loader: (context) => loadMeanwhile(context, loadPayments(context.deps)),
  component: RouteComponent,
});

function RouteComponent() {
  return <PaymentsPage search={Route.useSearch()} />;
}
