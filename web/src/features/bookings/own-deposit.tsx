import type { BookingPage } from "@app/shared/bookings";
import { formatMoney } from "@app/shared/money";
import { cityOf } from "@app/shared/zone-names";
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { cancellingWords } from "./deposit-note.tsx";
import { ownTimeZone, zoneFormats } from "./zone-formats.ts";

type Page = Extract<BookingPage, { kind: "manage" }>;

/** How long after the time ended it is free for others at the latest. */
const ENDED_WITHIN_MS = 75_000;

/** Whether the time is held until it is paid for. */
export const isToPay = ({ deposit, state, appointment }: Page): boolean =>
  deposit?.state === "due" && state === "coming" && !appointment.isConfirmed;

/** What is to be paid for what they booked, or was. */
export function OwnDeposit({ page, onReload }: { page: Page; onReload: () => void }) {
  const { deposit, locale, noticeHours, state } = page;
  const isDue = isToPay(page);
  const until = isDue && deposit ? deposit.until : null;
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(onReload, Math.max(0, Date.parse(until) - Date.now()) + ENDED_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [until, onReload]);
  if (!deposit) return null;
  const money = formatMoney(deposit, locale);
  if (isDue) return <ToPay money={money} deposit={deposit} page={page} />;
  if (deposit.state === "refunded") return <p className="plain-text">{money} was paid, and returned.</p>;
  if (deposit.state === "lapsed")
    return state === "cancelled" ? (
      <p className="plain-text">
        Nothing was paid while it was held, so the time is free again, and nothing is owed. If you paid all the same, we
        get in touch with you.
      </p>
    ) : null;
  if (deposit.state === "due") return null;
  return (
    <p className="plain-text">
      {deposit.state === "paid" ? `${money} is paid.` : `${money} was paid, and part of it returned.`}{" "}
      {state === "cancelled" && "Nothing of it is returned by itself: we look at it, and tell you what we return."}
      {state === "coming" && cancellingWords(noticeHours)}
    </p>
  );
}

interface ToPayProps {
  money: string;
  deposit: NonNullable<Page["deposit"]>;
  page: Page;
}

function ToPay({ money, deposit, page: { locale, noticeHours } }: ToPayProps) {
  const timeZone = ownTimeZone();
  const { time } = zoneFormats(locale, timeZone);
  return (
    <>
      <p className="plain-text">
        It is not booked yet. We hold the time for you until{" "}
        <strong>
          {time(deposit.until)}, {cityOf(timeZone)} time
        </strong>
        , and it is booked as soon as we are told that {money} is paid.
      </p>
      <p className="plain-text">{cancellingWords(noticeHours)}</p>
      {deposit.payPath !== "" && (
        <div className="booking-actions">
          <Button component="a" href={deposit.payPath} size="lg" fullWidth>
            Pay {money}
          </Button>
        </div>
      )}
    </>
  );
}
