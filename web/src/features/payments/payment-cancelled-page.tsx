import { useTitle } from "../../core/title.ts";

export function PaymentCancelledPage() {
  useTitle("Payment");
  return (
    <>
      <h1 className="plain-title">You left the payment page</h1>
      <p className="plain-text">
        This page knows of no payment under this address. To pay, open the link that the practice sent you once more, or
        ask the practice for a new one.
      </p>
    </>
  );
}
