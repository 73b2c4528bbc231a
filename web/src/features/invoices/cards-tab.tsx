import { IconCreditCard } from "@tabler/icons-react";
import { EmptyState } from "../../ui/empty-state.tsx";

/** How the practice is paid by card. */
export const CardsTab = () => (
  <EmptyState icon={<IconCreditCard size={24} stroke={1.7} />} title="No card payments yet">
    Your practice’s account with the card payment provider will be connected here, so that clients can pay by link.
  </EmptyState>
);
