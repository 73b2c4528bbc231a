import { createFileRoute } from "@tanstack/react-router";
import { PaymentSuccessPage } from "../../features/payments/payment-success-page.tsx";

export const Route = createFileRoute("/_public/payment/success")({
  component: PaymentSuccessPage,
});
