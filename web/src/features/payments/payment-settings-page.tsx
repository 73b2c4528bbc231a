import { IconCreditCard } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function PaymentSettingsPage() {
  useTitle("Payments");
  return (
    <>
      <PageHead title="Payments" />
      <EmptyState
        icon={<IconCreditCard size={24} stroke={1.7} />}
        title="No card payments yet"
        actions={
          <LinkButton to="/account" search={{ tab: "practice" }}>
            Open your account
          </LinkButton>
        }
      >
        <p>
          Your practice’s account with the card payment provider will be connected here, so that clients can pay by
          link.
        </p>
        <p>This version cannot take card payments. Nothing that you set elsewhere is changed by that.</p>
      </EmptyState>
    </>
  );
}
