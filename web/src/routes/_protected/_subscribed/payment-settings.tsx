import { createFileRoute } from "@tanstack/react-router";
import { PaymentSettingsPage } from "../../../features/payments/payment-settings-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/payment-settings")({
  component: PaymentSettingsPage,
});
