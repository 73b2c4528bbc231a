import { createFileRoute } from "@tanstack/react-router";
import { PaymentCancelledPage } from "../../features/payments/payment-cancelled-page.tsx";

export const Route = createFileRoute("/_public/payment/cancelled")({
  component: PaymentCancelledPage,
});
