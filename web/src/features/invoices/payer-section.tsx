import { moneyText } from "@app/shared/answer-texts";
import type { OwingPayer } from "@app/shared/case-invoices";
import type { Case } from "@app/shared/cases";
import type { InvoiceRow } from "@app/shared/invoices";
import type { Payment } from "@app/shared/payments";
import { Anchor, Button } from "@mantine/core";
import { useState } from "react";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { PaymentRow } from "../payments/payment-row.tsx";
import { ACTION_NAMES, type InvoiceAction } from "./invoice-actions.ts";
import { InvoiceMenu, useInvoiceActions } from "./invoice-menu.tsx";
import { InvoiceDue, InvoiceStateChip } from "./invoice-state.tsx";
import { InvoiceTask } from "./invoice-task.tsx";
import { amountOf, invoiceNamed, invoiceName, isOpen, partyOfPayer, payerReadersWords } from "./invoice-words.ts";

interface Props {
  owing: OwingPayer;
  invoices: readonly InvoiceRow[];
  /** Of the whole case. */
  payments: readonly Payment[];
  parties: Case["parties"];
  onOpen: (invoiceId: string) => void;
}

/** One payer: what they owe, and each invoice with what was paid for it. */
export function PayerSection({ owing, invoices, payments, parties, onOpen }: Props) {
  const { payerName, currency, dueMinor, overdueMinor, creditMinor } = owing;
  const party = partyOfPayer(owing, parties);
  const inOrder = [...invoices.filter(({ isOverdue }) => isOverdue), ...invoices.filter(({ isOverdue }) => !isOverdue)];
  return (
    <Section
      order={3}
      title={
        <>
          {party && (
            <>
              <PartyMarker label={party.label} />{" "}
            </>
          )}
          {payerName}
        </>
      }
      action={
        <span className="payer-owes">
          {overdueMinor > 0 && <Chip tone="late">{moneyText(overdueMinor, currency)} overdue</Chip>}
          {creditMinor > 0 && <Chip>{moneyText(creditMinor, currency)} held for them</Chip>}
          <strong className="tabular">{dueMinor > 0 ? `Owes ${moneyText(dueMinor, currency)}` : "Owes nothing"}</strong>
        </span>
      }
    >
      <p className="invoice-readers">{payerReadersWords(owing)}</p>
      <ul className="invoice-rows">
        {inOrder.map((invoice) => (
          <InvoiceItem
            key={invoice.id}
            invoice={invoice}
            creditMinor={creditMinor}
            payments={payments.filter(({ invoiceId }) => invoiceId === invoice.id)}
            onOpen={() => onOpen(invoice.id)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ItemProps {
  invoice: InvoiceRow;
  creditMinor: number;
  payments: readonly Payment[];
  onOpen: () => void;
}

function InvoiceItem({ invoice, creditMinor, payments, onOpen }: ItemProps) {
  const [task, setTask] = useState<InvoiceAction | null>(null);
  const { next, others } = useInvoiceActions(invoice, creditMinor);
  return (
    <li>
      <div className="invoice-row">
        <Anchor
          component="button"
          type="button"
          className="invoice-row-name"
          aria-label={`Open ${invoiceNamed(invoice)}`}
          onClick={onOpen}
        >
          {invoiceName(invoice)}
        </Anchor>
        <span className="invoice-row-state">
          <InvoiceStateChip invoice={invoice} />
        </span>
        <span className="invoice-row-due">
          {isOpen(invoice) && (
            <>
              Due <InvoiceDue invoice={invoice} />
            </>
          )}
        </span>
        <span className="invoice-row-sum tabular">
          {isOpen(invoice) && invoice.dueMinor !== invoice.grossMinor && (
            <span className="quiet-text">{amountOf(invoice.dueMinor, invoice)} of </span>
          )}
          {amountOf(invoice.grossMinor, invoice)}
        </span>
        <span className="invoice-row-tools">
          {next && (
            <Button
              size="xs"
              variant="default"
              aria-label={`${ACTION_NAMES[next]}: ${invoiceNamed(invoice)}`}
              onClick={() => setTask(next)}
            >
              {ACTION_NAMES[next]}
            </Button>
          )}
          <InvoiceMenu invoice={invoice} actions={others} onAction={setTask} />
        </span>
      </div>
      {payments.length > 0 && (
        <ul className="invoice-row-payments" aria-label={`Payments for ${invoiceNamed(invoice)}`}>
          {payments.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} invoice={invoice} />
          ))}
        </ul>
      )}
      <InvoiceTask action={task} invoice={invoice} creditMinor={creditMinor} onClose={() => setTask(null)} />
    </li>
  );
}
