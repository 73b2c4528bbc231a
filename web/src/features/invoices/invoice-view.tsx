import type { CreditNote, Invoice } from "@app/shared/invoices";
import { PRICE_KIND_NAMES } from "@app/shared/prices";
import { Anchor } from "@mantine/core";
import { api } from "../../core/api.ts";
import { takeFile } from "../../core/download.ts";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { PaymentRow } from "../payments/payment-row.tsx";
import { rateText } from "../prices/vat-rate.ts";
import { InvoiceStateChip } from "./invoice-state.tsx";
import { amountOf, PAYER_KIND_WORDS, quantityText, readersWords } from "./invoice-words.ts";

/** All that is to be known of one invoice. */
export function InvoiceView({ invoice }: { invoice: Invoice }) {
  const { creditNotes, notes } = invoice;
  return (
    <div className="invoice-view">
      <p className="invoice-readers">{readersWords(invoice)}</p>
      <InvoiceFacts invoice={invoice} />
      <InvoiceLines invoice={invoice} />
      {notes !== "" && <p className="invoice-lines-kept">{notes}</p>}
      {creditNotes.length > 0 && (
        <Section title="Credit notes" count={creditNotes.length} order={3}>
          <ul className="rows">
            {creditNotes.map((note) => (
              <CreditNoteRow key={note.id} note={note} invoice={invoice} />
            ))}
          </ul>
        </Section>
      )}
      {invoice.state !== "draft" && <InvoicePayments invoice={invoice} />}
    </div>
  );
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const formats = useFormats();
  const { payerName, payerAddress, payer, caseRef, issuedOn, dueOn, sentAt, isOverdue, createdByName } = invoice;
  const facts = [
    {
      label: "Payer",
      value: (
        <>
          {[payerName, ...payerAddress].join(", ")}{" "}
          {payer.kind !== "party" && <span className="quiet-text">({PAYER_KIND_WORDS[payer.kind].toLowerCase()})</span>}
        </>
      ),
    },
    { label: "Case", value: caseRef || "None yet: paid for a booking" },
    {
      label: "State",
      value: (
        <span className="invoice-chips">
          <InvoiceStateChip invoice={invoice} />
          {isOverdue && <Chip tone="late">Overdue</Chip>}
        </span>
      ),
    },
    ...(issuedOn === "" ? [] : [{ label: "Issued", value: formats.calendarDay(issuedOn) }]),
    ...(dueOn === "" ? [] : [{ label: "Due", value: formats.calendarDay(dueOn) }]),
    ...(issuedOn === "" ? [] : [{ label: "Sent", value: sentAt ? formats.dateTime(sentAt) : "Not by email" }]),
    { label: "Written by", value: createdByName },
  ];
  return <Facts facts={facts} labelWidth={92} />;
}

function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { lines, netMinor, vatMinor, grossMinor, creditedMinor, paidMinor, dueMinor, state, creditMinor } = invoice;
  const hasVat = vatMinor > 0 || lines.some(({ vatRateBp }) => vatRateBp > 0);
  const sum = (label: string, minor: number, isTotal = false) => (
    <div key={label} className={isTotal ? "invoice-sums-total" : undefined}>
      <dt>{label}</dt>
      <dd>{amountOf(minor, invoice)}</dd>
    </div>
  );
  return (
    <div>
      <ul className="invoice-view-lines">
        {lines.map((line, at) => (
          <li key={at}>
            <span>
              {line.description} <span className="quiet-text">{PRICE_KIND_NAMES[line.kind]}</span>
            </span>
            <span className="quiet-text tabular">
              {quantityText(line.qtyMilli)} × {amountOf(line.unitMinor, invoice)}
              {hasVat && `, VAT ${rateText(line.vatRateBp)}`}
            </span>
            <span className="tabular">{amountOf(line.netMinor, invoice)}</span>
          </li>
        ))}
      </ul>
      <dl className="invoice-sums">
        {hasVat && [sum("Without VAT", netMinor), sum("VAT", vatMinor)]}
        {sum("Total", grossMinor, true)}
        {creditedMinor > 0 && sum("Credited", -creditedMinor)}
        {paidMinor > 0 && sum("Paid", -paidMinor)}
        {state !== "draft" && sum("Owed now", dueMinor, true)}
        {creditMinor > 0 && sum("Held for this payer", creditMinor)}
      </dl>
    </div>
  );
}

function CreditNoteRow({ note, invoice }: { note: CreditNote; invoice: Invoice }) {
  const formats = useFormats();
  const { id, number, issuedOn, reason, grossMinor } = note;
  return (
    <li>
      <Anchor
        component="button"
        type="button"
        fz="inherit"
        onClick={() => void takeFile(`/export/credit-notes/${id}.pdf`)}
      >
        {number}
      </Anchor>
      <span className="tabular">{formats.calendarDay(issuedOn)}</span>
      <span className="invoice-grows">{reason}</span>
      <span className="tabular">{amountOf(grossMinor, invoice)}</span>
    </li>
  );
}

function InvoicePayments({ invoice }: { invoice: Invoice }) {
  const { data } = api.payments.list.useQuery({ invoiceId: invoice.id });
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Payments" count={data.total} order={3}>
      <ul className="rows-plain">
        {data.items.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} invoice={invoice} />
        ))}
      </ul>
      {data.total > data.items.length && (
        <p className="quiet-text">
          The newest {data.items.length} of {data.total} are shown.
        </p>
      )}
    </Section>
  );
}
