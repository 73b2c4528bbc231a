import { IconCreditCard } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function StripeReturnPage() {
  return (
    <EmptyPage
      title="Payments"
      icon={<IconCreditCard size={24} stroke={1.7} />}
      missing="No card payment account is connected"
      actions={<LinkButton to="/payment-settings">Open payment settings</LinkButton>}
    >
      <p>
        The card payment provider sends you back to this page after you have connected an account. Nothing is known of
        one here.
      </p>
    </EmptyPage>
  );
}
