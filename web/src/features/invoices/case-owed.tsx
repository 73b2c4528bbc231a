import { moneyText } from "@app/shared/answer-texts";
import type { Case } from "@app/shared/cases";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { partyOfPayer } from "./invoice-words.ts";
import "./invoices.css";

/** What each payer of a case owes now, and what the voucher still pays. Nothing where nothing was charged. */
export function CaseOwed({ theCase }: { theCase: Case }) {
  const invoices = api.invoices.ofCase.useQuery({ caseId: theCase.id });
  const voucher = api.invoices.voucher.useQuery({ caseId: theCase.id });
  if (invoices.data?.items.length === 0) return null;
  return (
    <Section title="Owed now">
      <Loaded query={invoices} failureTitle="What is owed could not be read">
        {({ payers }) => (
          <ul className="case-owed">
            {payers.map((owing) => {
              const { payerKey, payerName, currency, dueMinor, overdueMinor, creditMinor } = owing;
              const party = partyOfPayer(owing, theCase.parties);
              return (
                <li key={`${payerKey} ${currency}`}>
                  <span className="case-owed-name">
                    {party && <PartyMarker label={party.label} />} {payerName}
                  </span>
                  <span className="payer-owes">
                    {overdueMinor > 0 && <Chip tone="late">{moneyText(overdueMinor, currency)} overdue</Chip>}
                    {creditMinor > 0 && <Chip>{moneyText(creditMinor, currency)} held</Chip>}
                    <strong className="tabular">{moneyText(dueMinor, currency)}</strong>
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      {voucher.data && <VoucherLeft {...voucher.data} />}
    </Section>
  );
}

function VoucherLeft({ leftMinor, capMinor }: { leftMinor: number | null; capMinor: number | null }) {
  if (leftMinor === null || capMinor === null || leftMinor === capMinor) return null;
  return (
    <p className="quiet-text">
      Voucher: {moneyText(leftMinor, "GBP")} of {moneyText(capMinor, "GBP")} is left.
    </p>
  );
}
