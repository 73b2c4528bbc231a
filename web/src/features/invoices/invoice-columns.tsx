import type { InvoiceRow } from "@app/shared/invoices";
import type { Formats } from "../../core/format.ts";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { InvoiceDue, InvoiceStateChip } from "./invoice-state.tsx";
import { amountOf, invoiceName, PAYER_KIND_WORDS } from "./invoice-words.ts";
import type { InvoicesListSearch } from "./payments-search.ts";

interface RowProps {
  invoice: InvoiceRow;
  /** The list that stays behind the open invoice. */
  list: InvoicesListSearch;
}

const InvoiceLink = ({ invoice, list }: RowProps) => (
  <TextLink
    to="/payment-settings"
    search={{ ...list, open: invoice.id }}
    c="inherit"
    fw={500}
    fz="inherit"
    underline="hover"
    {...(invoice.number === "" ? { "aria-label": `Draft for ${invoice.payerName}` } : {})}
  >
    {invoiceName(invoice)}
  </TextLink>
);

const dayOf = (day: string, formats: Formats) => (day === "" ? "–" : formats.calendarDay(day));

export const COLUMN_NAMES = {
  payerKind: "Paid by",
  caseRef: "Case",
  state: "State",
  issuedOn: "Issued",
  dueOn: "Due",
  gross: "Total",
} as const;

export const invoiceColumns = (formats: Formats, list: InvoicesListSearch): Column<InvoiceRow>[] => [
  { key: "number", header: "Invoice", width: 112, cell: (invoice) => <InvoiceLink invoice={invoice} list={list} /> },
  { key: "payer", header: "Payer", cell: ({ payerName }) => payerName },
  {
    key: "payerKind",
    header: COLUMN_NAMES.payerKind,
    width: 116,
    cell: ({ payer }) => PAYER_KIND_WORDS[payer.kind],
  },
  { key: "caseRef", header: COLUMN_NAMES.caseRef, width: 108, cell: ({ caseRef }) => caseRef },
  {
    key: "state",
    header: COLUMN_NAMES.state,
    width: 92,
    cell: (invoice) => <InvoiceStateChip invoice={invoice} />,
  },
  {
    key: "issuedOn",
    header: COLUMN_NAMES.issuedOn,
    width: 100,
    isTabular: true,
    cell: ({ issuedOn }) => dayOf(issuedOn, formats),
  },
  {
    key: "dueOn",
    header: COLUMN_NAMES.dueOn,
    width: 112,
    isTabular: true,
    cell: (invoice) => <InvoiceDue invoice={invoice} />,
  },
  {
    key: "gross",
    header: COLUMN_NAMES.gross,
    width: 100,
    align: "right",
    isTabular: true,
    cell: (invoice) => amountOf(invoice.grossMinor, invoice),
  },
  {
    key: "due",
    header: "Owed",
    width: 100,
    align: "right",
    isTabular: true,
    cell: (invoice) => (invoice.dueMinor > 0 ? <strong>{amountOf(invoice.dueMinor, invoice)}</strong> : "–"),
  },
];

/** Two lines: which, of whom and how it stands, then when and how much. */
export const InvoicePhoneRow = ({ invoice, list }: RowProps) => (
  <>
    <span className="invoice-phone-row">
      <span className="invoice-phone-name">
        <InvoiceLink invoice={invoice} list={list} /> {invoice.payerName}
      </span>
      <InvoiceStateChip invoice={invoice} />
    </span>
    <span className="invoice-phone-row">
      <span>
        {invoice.dueOn === "" ? (
          invoice.caseRef
        ) : (
          <>
            Due <InvoiceDue invoice={invoice} />
          </>
        )}
      </span>
      <span className="tabular">
        {invoice.dueMinor > 0 ? `${amountOf(invoice.dueMinor, invoice)} owed` : amountOf(invoice.grossMinor, invoice)}
      </span>
    </span>
  </>
);
