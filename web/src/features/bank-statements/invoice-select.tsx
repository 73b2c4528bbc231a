import { moneyText } from "@app/shared/answer-texts";
import type { MatchedInvoice } from "@app/shared/bank-statements";
import { Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { api } from "../../core/api.ts";

export type OwedInvoice = Pick<MatchedInvoice, "invoiceId" | "number" | "payerName" | "dueMinor" | "currency">;

interface Props {
  label: string;
  matches: readonly MatchedInvoice[];
  currency: string;
  value: OwedInvoice | null;
  onChange: (invoice: OwedInvoice | null) => void;
}

const labelOf = ({ number, payerName, dueMinor, currency }: OwedInvoice): string =>
  `${number}, ${payerName}, ${moneyText(dueMinor, currency)} due`;

/** Those that fit stand first; any other of which something is due is found by its number or its payer. */
export function InvoiceSelect({ label, matches, currency, value, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const chosenLabel = value ? labelOf(value) : "";
  const asked = useDeferredValue(typed === chosenLabel ? "" : typed.trim());
  const found = api.invoices.list.useQuery(
    { search: asked },
    { enabled: asked.length > 1, placeholderData: keepPreviousData },
  );
  const others = asked.length > 1 ? (found.data?.items ?? []) : [];
  const byId = new Map<string, OwedInvoice>(matches.map((match) => [match.invoiceId, match]));
  for (const { id: invoiceId, number, payerName, dueMinor, currency: of } of others)
    if (dueMinor > 0 && of === currency && !byId.has(invoiceId))
      byId.set(invoiceId, { invoiceId, number, payerName, dueMinor, currency: of });
  if (value) byId.set(value.invoiceId, value);
  return (
    <Select
      aria-label={label}
      className="bank-invoice"
      placeholder="Number or payer of the invoice"
      data={[...byId.values()].map((invoice) => ({ value: invoice.invoiceId, label: labelOf(invoice) }))}
      value={value?.invoiceId ?? null}
      onChange={(id) => onChange((id !== null && byId.get(id)) || null)}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Choose no invoice" }}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={typed.trim().length > 1 ? "Nothing is due of such an invoice" : "Type a number or a name"}
    />
  );
}
