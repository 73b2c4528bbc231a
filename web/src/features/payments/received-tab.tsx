import { can } from "@app/shared/access";
import { moneyText } from "@app/shared/answer-texts";
import { PAYMENT_METHOD_NAMES, PAYMENT_METHODS } from "@app/shared/payment-methods";
import { PAYMENT_STATE_NAMES, PAYMENT_STATES } from "@app/shared/payment-states";
import type { Payment } from "@app/shared/payments";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCreditCard } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { type Formats, useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { type ColumnChoice, ListFilterBar, useListPlace } from "../../core/list-page.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import type { Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Filter } from "../../ui/filter-bar.tsx";
import { TextLink } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { PaymentStateChip, paymentText } from "./payment-words.tsx";
import { parseReceivedSearch, type ReceivedSearch } from "./received-search.ts";
import { knownReceived, receivedInput } from "./received-input.ts";
import { useMoneyChanged } from "./use-money-changed.ts";
import "./payments.css";

const COLUMNS: readonly ColumnChoice[] = [
  { key: "method", label: "How" },
  { key: "reference", label: "Reference" },
  { key: "returned", label: "Returned" },
];

const filtersOf = ({ state, method, look }: ReceivedSearch): Filter[] => [
  { key: "look", label: "To look at", value: look, options: [{ value: "needed", label: "Needs a look" }] },
  {
    key: "state",
    label: "State",
    value: state,
    options: PAYMENT_STATES.map((value) => ({ value, label: PAYMENT_STATE_NAMES[value] })),
  },
  {
    key: "method",
    label: "How",
    value: method,
    options: PAYMENT_METHODS.map((value) => ({ value, label: PAYMENT_METHOD_NAMES[value] })),
  },
];

/** All that came, went back or is on its way, the newest first. A payment is opened with its invoice. */
export function ReceivedTab({ search: typed }: { search: ReceivedSearch }) {
  const search = knownReceived(typed);
  const formats = useFormats();
  const navigate = useNavigate();
  const place = useListPlace<ReceivedSearch>({
    search,
    parse: (raw) => knownReceived(parseReceivedSearch(raw)),
    onChange: (next) => void navigate({ to: "/payment-settings", search: next, replace: true }),
  });
  const query = api.payments.list.useQuery(receivedInput(search), { placeholderData: keepPreviousData });
  return (
    <>
      <Compared />
      <ListFilterBar
        place={place}
        searchLabel="Payer, reference, invoice or receipt"
        filters={filtersOf(search)}
        columns={COLUMNS}
      />
      <PagedTable
        label="Payments"
        columns={receivedColumns(formats).filter(({ key }) => !search.hide?.includes(key))}
        list={query.data}
        page={search.page ?? 1}
        words={["payment", "payments"]}
        onPage={place.turnTo}
        rowKey={({ id }) => id}
        rowName={paymentText}
        onOpen={({ invoiceId }) => void navigate({ to: "/payment-settings", search: { open: invoiceId } })}
        failure={listFailure(query)}
        empty={<NoPayments search={search} onClear={place.clear} />}
        phoneRow={(payment) => <PhoneRow payment={payment} formats={formats} />}
      />
    </>
  );
}

const dayOf = ({ receivedOn, createdAt }: Payment, formats: Formats): string =>
  receivedOn === "" ? formats.day(createdAt) : formats.calendarDay(receivedOn);

const InvoiceLink = ({ payment: { invoiceId, invoiceNumber } }: { payment: Payment }) => (
  <TextLink
    to="/payment-settings"
    search={{ open: invoiceId }}
    c="inherit"
    fw={500}
    fz="inherit"
    underline="hover"
    aria-label={`Open invoice ${invoiceNumber}`}
  >
    {invoiceNumber}
  </TextLink>
);

const State = ({ payment }: { payment: Payment }) => (
  <span className="received-state">
    <PaymentStateChip payment={payment} />
    {payment.attentions.length > 0 && <IconAlertTriangle size={16} stroke={1.7} role="img" aria-label="Needs a look" />}
  </span>
);

const receivedColumns = (formats: Formats): Column<Payment>[] => [
  { key: "day", header: "Day", width: 112, isTabular: true, cell: (payment) => dayOf(payment, formats) },
  { key: "payer", header: "From", cell: ({ payerName }) => payerName },
  { key: "invoice", header: "Invoice", width: 112, cell: (payment) => <InvoiceLink payment={payment} /> },
  { key: "method", header: "How", width: 120, cell: ({ method }) => PAYMENT_METHOD_NAMES[method] },
  { key: "reference", header: "Reference", cell: ({ reference }) => reference || "–" },
  { key: "state", header: "State", width: 148, cell: (payment) => <State payment={payment} /> },
  {
    key: "returned",
    header: "Returned",
    width: 100,
    align: "right",
    isTabular: true,
    cell: ({ refundedMinor, currency }) => (refundedMinor > 0 ? moneyText(refundedMinor, currency) : "–"),
  },
  {
    key: "amount",
    header: "Amount",
    width: 104,
    align: "right",
    isTabular: true,
    cell: ({ amountMinor, currency }) => moneyText(amountMinor, currency),
  },
];

const PhoneRow = ({ payment, formats }: { payment: Payment; formats: Formats }) => (
  <>
    <span className="received-row">
      <span className="received-name">{payment.payerName}</span>
      <span className="tabular">{moneyText(payment.amountMinor, payment.currency)}</span>
    </span>
    <span className="received-row">
      <span>
        {dayOf(payment, formats)}, {PAYMENT_METHOD_NAMES[payment.method].toLowerCase()}
      </span>
      <State payment={payment} />
    </span>
  </>
);

/** When these were last compared with what the card payment provider says, and what came of it. */
function Compared() {
  const formats = useFormats();
  const changed = useMoneyChanged();
  const mayCompare = can(useCurrentUser(), "payments.manage");
  const account = api.paymentAccounts.get.useQuery();
  const last = api.payments.reconciliation.useQuery();
  const compare = api.payments.reconcile.useMutation();
  if (!account.data || account.data.mode === "none" || !last.isSuccess) return null;
  const run = async () => {
    try {
      await compare.mutateAsync();
      notify("Compared with the card payment provider");
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      await changed();
    }
  };
  const found = last.data;
  return (
    <div className="received-compared">
      <p className="quiet-text" role="status">
        {found === null
          ? "Not compared with the card payment provider yet."
          : `Last compared with the card payment provider on ${formats.dateTime(found.at)}: ${comparedWords(found)}`}
      </p>
      {mayCompare && (
        <Button size="xs" variant="default" loading={compare.isPending} onClick={() => void run()}>
          Compare now
        </Button>
      )}
    </div>
  );
}

const comparedWords = ({ checked, repaired, unread }: { checked: number; repaired: unknown[]; unread: number }) => {
  const words = [
    repaired.length === 0 ? "no difference." : `${repaired.length} put right.`,
    unread > 0 ? `${unread} could not be read and are looked at again.` : "",
  ];
  return `${checked === 1 ? "1 payment" : `${checked} payments`} looked at, ${words.filter(Boolean).join(" ")}`;
};

function NoPayments({ search, onClear }: { search: ReceivedSearch; onClear: () => void }) {
  const icon = <IconCreditCard size={24} stroke={1.7} />;
  if (search.search || search.state || search.method || search.look || search.page)
    return (
      <EmptyState
        icon={icon}
        title="No payment matches this"
        actions={
          <Button variant="default" onClick={onClear}>
            Show all payments
          </Button>
        }
      >
        Check what you typed, or take a filter away.
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title="No payments yet">
      Payments are recorded with the invoice that they are for, or come by card.
    </EmptyState>
  );
}
