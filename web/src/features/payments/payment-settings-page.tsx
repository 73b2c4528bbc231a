import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { CardPaymentsSection } from "../payment-accounts/card-payments-section.tsx";

export function PaymentSettingsPage() {
  useTitle("Payments");
  return (
    <>
      <PageHead title="Payments" />
      <PageGrid main="text">
        <CardPaymentsSection />
      </PageGrid>
    </>
  );
}
