import { formatMoney } from "@app/shared/money";
import type { PaymentOutcome } from "@app/shared/payments";
import { IconCheck, IconClock, IconX } from "@tabler/icons-react";
import type { OutcomeSearch } from "../../core/search.ts";
import { useNeutralTitle } from "../../core/title.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { PracticeMark } from "../../ui/practice-mark.tsx";
import { BUSY_TEXT, wordsOf } from "./outcome-words.ts";
import { useOutcome } from "./use-outcome.ts";
import "./payment-outcome-page.css";

const ICONS = { done: IconCheck, waiting: IconClock, stopped: IconX };

/** How a payment stands. Coming back from the provider proves nothing: only what the server knows counts. */
export function PaymentOutcomePage({ place }: { place: OutcomeSearch }) {
  useNeutralTitle("Payment");
  const { found, failure, checkedAt, isChecking, check } = useOutcome(place);
  if (found === null)
    return failure === "" ? (
      <p className="plain-text">One moment</p>
    ) : (
      <>
        <FormFailure>{failure}</FormFailure>
        <button type="button" className="plain-button" onClick={check}>
          Try again
        </button>
      </>
    );
  if (found === "unknown") return <UnknownPayment />;
  return (
    <div className="outcome">
      {found.practiceName !== "" && (
        <div className="outcome-head">
          <PracticeMark name={found.practiceName} />
        </div>
      )}
      <OutcomeText found={found} isBusy={place.busy !== undefined} />
      {found.outcome === "waiting" && (
        <Waiting isChecking={isChecking} checkedAt={checkedAt} failure={failure} onCheck={check} />
      )}
      <OutcomeFacts found={found} />
      {found.payPath !== "" && found.outcome !== "waiting" && (
        <a className="plain-button outcome-pay" href={found.payPath}>
          Try again
        </a>
      )}
      {found.booking?.path && (
        <a className="plain-button outcome-receipt" href={found.booking.path}>
          See your appointment
        </a>
      )}
      {found.receiptPath !== "" && (
        <a className="plain-button outcome-receipt" href={found.receiptPath} download>
          Download receipt
        </a>
      )}
      <p className="plain-small">
        If something here is not right, get in touch with us
        {found.reference === "" ? "." : " and give the reference above."}
      </p>
    </div>
  );
}

/** Spoken when it changes by itself. */
function OutcomeText({ found, isBusy }: { found: PaymentOutcome; isBusy: boolean }) {
  const { title, text, icon } = wordsOf(found);
  const Icon = ICONS[icon];
  return (
    <div role="status">
      <h1 className="plain-title">
        <span className="plain-title-icon" data-done={icon === "done" || undefined} aria-hidden>
          <Icon size={20} stroke={1.9} />
        </span>
        {title}
      </h1>
      <p className="plain-text">{isBusy && found.outcome === "open" ? BUSY_TEXT : text}</p>
    </div>
  );
}

interface WaitingProps {
  isChecking: boolean;
  checkedAt: Date | null;
  failure: string;
  onCheck: () => void;
}

function Waiting({ isChecking, checkedAt, failure, onCheck }: WaitingProps) {
  return (
    <>
      <div className="outcome-bar" aria-hidden>
        <span />
      </div>
      {checkedAt && (
        <p className="outcome-checked">
          Last checked <time dateTime={checkedAt.toISOString()}>{checkedAt.toLocaleTimeString("en-GB")}</time>
        </p>
      )}
      {failure !== "" && <FormFailure>{failure}</FormFailure>}
      <button type="button" className="plain-button outcome-check" disabled={isChecking} onClick={onCheck}>
        Check again
      </button>
    </>
  );
}

function OutcomeFacts({ found }: { found: PaymentOutcome }) {
  const { outcome, amountMinor, refundedMinor, currency, locale, reference, receiptNumber } = found;
  const money = (minor: number) => formatMoney({ amountMinor: minor, currency }, locale);
  return (
    <dl className="outcome-facts">
      {outcome !== "nothing_due" && <Fact label="Amount" value={money(amountMinor)} />}
      {refundedMinor > 0 && <Fact label="Returned" value={money(refundedMinor)} />}
      {reference !== "" && <Fact label="Reference" value={reference} />}
      {receiptNumber !== "" && <Fact label="Receipt" value={receiptNumber} />}
    </dl>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

function UnknownPayment() {
  return (
    <>
      <h1 className="plain-title">We cannot see a payment here</h1>
      <p className="plain-text">
        This page knows of no payment under this address, so it cannot say whether one went through. If you have paid,
        please do not pay again.
      </p>
      <p className="plain-text">Open the link that was sent to you once more, or ask whoever sent it.</p>
    </>
  );
}
