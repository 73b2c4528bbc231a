import { PageGrid } from "../../ui/page-grid.tsx";
import { CardPaymentsSection } from "../payment-accounts/card-payments-section.tsx";

/** How the practice is paid by card. */
export const CardsTab = () => (
  <PageGrid main="text">
    <CardPaymentsSection />
  </PageGrid>
);
