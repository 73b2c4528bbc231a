import { moneyText } from "@app/shared/answer-texts";
import type { OwingPayer } from "@app/shared/case-invoices";
import { Chip } from "../../ui/chip.tsx";

interface Sum {
  currency: string;
  dueMinor: number;
  overdueMinor: number;
}

/** Of each currency what all payers owe together. */
export function owedSums(payers: readonly OwingPayer[]): Sum[] {
  return [...Map.groupBy(payers, ({ currency }) => currency)].map(([currency, same]) => ({
    currency,
    dueMinor: same.reduce((sum, { dueMinor }) => sum + dueMinor, 0),
    overdueMinor: same.reduce((sum, { overdueMinor }) => sum + overdueMinor, 0),
  }));
}

/** What the case is owed in one line. */
export function OwedNow({ payers }: { payers: readonly OwingPayer[] }) {
  const sums = owedSums(payers);
  if (sums.every(({ dueMinor }) => dueMinor === 0)) return <p className="owed-now">Nothing is owed.</p>;
  return (
    <p className="owed-now">
      {sums.map(({ currency, dueMinor, overdueMinor }) => (
        <span key={currency} className="owed-sum">
          <strong className="tabular">{moneyText(dueMinor, currency)}</strong>
          {overdueMinor > 0 && <Chip tone="late">{moneyText(overdueMinor, currency)} overdue</Chip>}
        </span>
      ))}
      <span className="quiet-text">
        of {payers.filter(({ dueMinor }) => dueMinor > 0).length === 1 ? "one payer" : "all payers"} together; this sum
        is for the practice alone
      </span>
    </p>
  );
}
