import { moneyText } from "@app/shared/answer-texts";
import { CERTAINTY_NAMES, MATCH_REASON_WORDS } from "@app/shared/bank-columns";
import type { BankLine, MatchedInvoice } from "@app/shared/bank-statements";
import { Button, Checkbox } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { api } from "../../core/api.ts";
import { InvoiceSelect, type OwedInvoice } from "./invoice-select.tsx";
import { useBankAct } from "./use-bank-act.ts";

/** One amount that came in: what the bank says of it, and what it may be for. */
export function BankLineRow({ line }: { line: BankLine }) {
  const formats = useFormats();
  const { on, amountMinor, currency, payerName, text, warnings, state, recorded } = line;
  return (
    <li className="bank-line">
      <div className="bank-line-said">
        <span className="tabular">{formats.calendarDay(on)}</span>
        <strong className="tabular">{moneyText(amountMinor, currency)}</strong>
        <span className="bank-line-words">
          {[payerName, text].filter(Boolean).join(", ") || "No words from the bank"}
        </span>
      </div>
      {warnings.map((warning) => (
        <p key={warning} className="bank-warning">
          <IconAlertTriangle size={14} stroke={1.7} aria-hidden /> {warning}
        </p>
      ))}
      {state === "open" && <Decide line={line} />}
      {state === "set_aside" && <BringBack line={line} />}
      {state === "recorded" && (
        <p className="bank-line-fate">
          <Chip tone="agreed">Already recorded</Chip>{" "}
          {recorded &&
            `for invoice ${recorded.invoiceNumber}, receipt ${recorded.receiptNumber}. A refund takes it back.`}
        </p>
      )}
    </li>
  );
}

const whyText = ({ reasons }: MatchedInvoice): string => {
  const words = reasons.map((reason) => MATCH_REASON_WORDS[reason]).join(", and ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** For which invoice it is, proposed only where one alone fits. */
function Decide({ line }: { line: BankLine }) {
  const { id, amountMinor, currency, matches, proposedId } = line;
  const act = useBankAct();
  const confirm = api.bankStatements.confirm.useMutation();
  const setAside = api.bankStatements.setAside.useMutation();
  const [chosen, setChosen] = useState<OwedInvoice | null>(() => proposed(matches, proposedId));
  const [keepsRest, setKeepsRest] = useState(false);
  const match = matches.find(({ invoiceId }) => invoiceId === chosen?.invoiceId);
  const rest = chosen ? amountMinor - chosen.dueMinor : 0;
  const choose = (invoice: OwedInvoice | null) => {
    setChosen(invoice);
    setKeepsRest(false);
  };
  const amount = moneyText(amountMinor, currency);
  return (
    <div className="bank-decide">
      <InvoiceSelect
        label={`Invoice for ${amount}`}
        matches={matches}
        currency={currency}
        value={chosen}
        onChange={choose}
      />
      <div className="bank-why">
        {match && (
          <>
            <Chip tone={match.certainty === "sure" ? "agreed" : "outline"}>{CERTAINTY_NAMES[match.certainty]}</Chip>{" "}
            {whyText(match)}
          </>
        )}
        {!chosen && matches.length > 0 && "Several invoices fit, or one that may not. Choose it yourself."}
        {!chosen && matches.length === 0 && "No invoice fits by its number, or by amount and name."}
        {chosen && rest < 0 && ` ${moneyText(-rest, currency)} is still due then.`}
      </div>
      {chosen && rest > 0 && (
        <Checkbox
          label={`${moneyText(rest, currency)} more than is due: keep it as credit for ${chosen.payerName}`}
          checked={keepsRest}
          onChange={(event) => setKeepsRest(event.currentTarget.checked)}
        />
      )}
      <div className="bank-line-buttons">
        <Button
          size="compact-sm"
          aria-label={`Confirm: ${amount}${chosen ? ` for ${chosen.number}` : ""}`}
          disabled={!chosen || (rest > 0 && !keepsRest)}
          loading={confirm.isPending}
          onClick={() =>
            chosen &&
            void act(
              () => confirm.mutateAsync({ id, invoiceId: chosen.invoiceId, keepsRest }),
              (done) =>
                `${amount} recorded for invoice ${done.recorded?.invoiceNumber ?? chosen.number}, receipt ${done.recorded?.receiptNumber ?? ""}`,
            )
          }
        >
          Confirm
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Set aside: ${amount}`}
          loading={setAside.isPending}
          onClick={() =>
            void act(
              () => setAside.mutateAsync({ id, isSetAside: true }),
              () => "Set aside",
            )
          }
        >
          Set aside
        </Button>
      </div>
    </div>
  );
}

const proposed = (matches: readonly MatchedInvoice[], id: string | null): OwedInvoice | null =>
  matches.find(({ invoiceId }) => invoiceId === id) ?? null;

function BringBack({ line: { id, amountMinor, currency } }: { line: BankLine }) {
  const act = useBankAct();
  const setAside = api.bankStatements.setAside.useMutation();
  return (
    <div className="bank-line-buttons">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Bring back: ${moneyText(amountMinor, currency)}`}
        loading={setAside.isPending}
        onClick={() =>
          void act(
            () => setAside.mutateAsync({ id, isSetAside: false }),
            () => "Brought back",
          )
        }
      >
        Bring back
      </Button>
    </div>
  );
}
