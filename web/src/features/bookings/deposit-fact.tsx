import { moneyText } from "@app/shared/answer-texts";
import { can } from "@app/shared/access";
import type { BookingDeposit, DepositState } from "@app/shared/deposits";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { TextLink } from "../../ui/links.tsx";

const STATE_WORDS: Record<DepositState, string> = {
  due: "to be paid",
  paid: "paid",
  part_refunded: "paid, and part of it returned",
  refunded: "paid, and returned",
  lapsed: "not paid in time",
};

/** What was asked to be paid before this was booked, for whoever may see payments; none where nothing was. */
export function useDepositFacts(meetingId: string, isByLink: boolean) {
  const user = useCurrentUser();
  const mayLook = can(user, "payments.read") && can(user, "clients.read");
  const { data } = api.bookings.deposit.useQuery({ meetingId }, { enabled: isByLink && mayLook });
  const deposit = data?.deposit;
  return deposit ? [{ label: "Payment", value: <DepositFact deposit={deposit} /> }] : [];
}

function DepositFact({ deposit }: { deposit: NonNullable<BookingDeposit["deposit"]> }) {
  const formats = useFormats();
  const { amountMinor, currency, state, until, needsLook, invoiceId, invoiceNumber } = deposit;
  const held = state === "due" ? `, held until ${formats.dateTime(until)}` : "";
  return (
    <>
      {moneyText(amountMinor, currency)}, {STATE_WORDS[state]}
      {held}
      {invoiceId && (
        <>
          :{" "}
          <TextLink to="/payment-settings" search={{ open: invoiceId }} fz="inherit" underline="always">
            invoice {invoiceNumber}
          </TextLink>
        </>
      )}
      {needsLook && <strong> Somebody has to look at it.</strong>}
    </>
  );
}
