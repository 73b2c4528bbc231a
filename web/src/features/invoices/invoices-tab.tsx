import { can } from "@app/shared/access";
import { INVOICE_STATE_NAMES, INVOICE_STATES } from "@app/shared/invoice-states";
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { type ColumnChoice, ListFilterBar, useListPlace } from "../../core/list-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { later } from "../../ui/later.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { COLUMN_NAMES, invoiceColumns, InvoicePhoneRow } from "./invoice-columns.tsx";
import { invoiceNamed, PAYER_KIND_WORDS } from "./invoice-words.ts";
import {
  type InvoicesListSearch,
  type InvoicesSearch,
  parseInvoicesSearch,
  withoutInvoice,
} from "./payments-search.ts";
import { invoicesInput } from "./invoices-input.ts";

const InvoiceDialog = later(async () => (await import("./invoice-dialog.tsx")).InvoiceDialog);
const NewInvoiceDialog = later(async () => (await import("./new-invoice-dialog.tsx")).NewInvoiceDialog);

const COLUMNS: readonly ColumnChoice[] = Object.entries(COLUMN_NAMES).map(([key, label]) => ({ key, label }));

const filtersOf = ({ state, payer, due }: InvoicesListSearch): Filter[] => [
  { key: "due", label: "Due", value: due, options: [{ value: "overdue", label: "Overdue" }] },
  {
    key: "state",
    label: "State",
    value: state,
    options: INVOICE_STATES.map((value) => ({ value, label: INVOICE_STATE_NAMES[value] })),
  },
  {
    key: "payer",
    label: "Paid by",
    value: payer,
    options: Object.entries(PAYER_KIND_WORDS).map(([value, label]) => ({ value, label })),
  },
];

/** All invoices of the practice. The open one stands in the address. */
export function InvoicesTab({ search }: { search: InvoicesSearch }) {
  const user = useCurrentUser();
  const formats = useFormats();
  const navigate = useNavigate();
  const list = withoutInvoice(search);
  const show = (next: InvoicesSearch) => void navigate({ to: "/payment-settings", search: next });
  const place = useListPlace<InvoicesListSearch>({
    search: list,
    parse: (raw) => withoutInvoice(parseInvoicesSearch(raw)),
    onChange: (next) => void navigate({ to: "/payment-settings", search: next, replace: true }),
  });
  const query = api.invoices.list.useQuery(invoicesInput(list), { placeholderData: keepPreviousData });
  const hidden = new Set(list.hide);
  return (
    <>
      <ListFilterBar place={place} searchLabel="Number or payer" filters={filtersOf(list)} columns={COLUMNS} />
      <PagedTable
        label="Invoices"
        columns={invoiceColumns(formats, list).filter(({ key }) => !hidden.has(key))}
        list={query.data}
        page={list.page ?? 1}
        words={["invoice", "invoices"]}
        onPage={place.turnTo}
        rowKey={({ id }) => id}
        rowName={invoiceNamed}
        onOpen={({ id }) => show({ ...list, open: id })}
        failure={listFailure(query)}
        empty={<NoInvoices search={list} mayAdd={can(user, "payments.manage")} onClear={place.clear} />}
        phoneRow={(invoice) => <InvoicePhoneRow invoice={invoice} list={list} />}
      />
      {search.open && <InvoiceDialog key={search.open} id={search.open} onClose={() => show(list)} />}
      {search.add && can(user, "payments.manage") && (
        <NewInvoiceDialog onClose={() => show(list)} onMade={({ id }) => show({ ...list, open: id })} />
      )}
    </>
  );
}

interface NoInvoicesProps {
  search: InvoicesListSearch;
  mayAdd: boolean;
  onClear: () => void;
}

function NoInvoices({ search, mayAdd, onClear }: NoInvoicesProps) {
  const icon = <IconFileText size={24} stroke={1.7} />;
  if (search.search || search.state || search.payer || search.due || search.page)
    return (
      <EmptyState
        icon={icon}
        title="No invoice matches this"
        actions={
          <Button variant="default" onClick={onClear}>
            Show all invoices
          </Button>
        }
      >
        Check the number or the name, or take a filter away.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title="No invoices yet"
      actions={
        mayAdd && (
          <LinkButton to="/payment-settings" search={{ add: true }}>
            New invoice
          </LinkButton>
        )
      }
    >
      Each payer gets an invoice of their own: no payer sees what another one pays, or that they pay at all.
    </EmptyState>
  );
}
