import { DEPOSIT_MINUTES } from "@app/shared/booking-limits";
import { depositText } from "./deposit-text.ts";
import type { ShownPage } from "./page-changes.ts";

/** What applies to what was paid, by the notice of the practice. */
export function cancellingWords(noticeHours: number): string {
  const inTime = noticeHours === 0 ? "before it begins" : `at least ${noticeHours} hours before it begins`;
  return `If you cannot come, cancel ${inTime}. We then decide what of your payment is returned, and tell you: nothing is returned by itself. If you cancel later or do not come, it may not be returned.`;
}

/** Said before anybody chooses a time. */
export function DepositNote({ page }: { page: ShownPage }) {
  const money = depositText(page);
  if (money === "") return null;
  return (
    <div className="booking-deposit">
      <p>
        <strong>{money} is to be paid by card before a time is booked.</strong> Once we have your details we hold the
        time for {DEPOSIT_MINUTES} minutes, so that you can pay.
      </p>
      <p>{cancellingWords(page.noticeHours)}</p>
    </div>
  );
}
