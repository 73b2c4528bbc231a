import { IconCreditCard } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function StripeReturnPage() {
  useTitle("Payments");
  return (
    <>
      <PageHead title="Payments" />
      <EmptyState
        icon={<IconCreditCard size={24} stroke={1.7} />}
        title="No card payment account is connected"
        actions={<LinkButton to="/payment-settings">Open payment settings</LinkButton>}
      >
        <p>
          The card payment provider sends you back to this page after you have connected an account. Nothing is known of
          one here.
        </p>
      </EmptyState>
    </>
  );
}
