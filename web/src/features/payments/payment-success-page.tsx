import { useTitle } from "../../core/title.ts";

/** Coming back from the payment page proves nothing; only what the server knows of the payment counts. */
export function PaymentSuccessPage() {
  useTitle("Payment");
  return (
    <>
      <h1 className="plain-title">We cannot see your payment here</h1>
      <p className="plain-text">
        This page knows of no payment under this address, so it cannot say whether yours went through. Please do not pay
        again.
      </p>
      <p className="plain-text">Look for a receipt in your email, or ask the practice.</p>
    </>
  );
}
