import { PageGrid } from "../../ui/page-grid.tsx";
import { CardPaymentsSection } from "../payment-accounts/card-payments-section.tsx";
import { ReceiptsSection } from "../payments/receipts-section.tsx";

/** How the practice is paid by card. */
export const CardsTab = () => (
  <PageGrid main="text">
    <CardPaymentsSection />
    <ReceiptsSection />
  </PageGrid>
);
