import type { InvoiceState } from "@app/shared/invoice-states";
import type { InvoiceRow } from "@app/shared/invoices";
import type { ComponentProps } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { stateName } from "./invoice-words.ts";

const TONES = {
  draft: "outline",
  issued: "plain",
  part_paid: "plain",
  paid: "agreed",
  void: "outline",
} as const satisfies Record<InvoiceState, ComponentProps<typeof Chip>["tone"]>;

export const InvoiceStateChip = ({ invoice }: { invoice: Pick<InvoiceRow, "state"> }) => (
  <Chip tone={TONES[invoice.state]}>{stateName(invoice)}</Chip>
);

/** By when it is to be paid: what is late stands out. */
export function InvoiceDue({ invoice: { dueOn, isOverdue } }: { invoice: Pick<InvoiceRow, "dueOn" | "isOverdue"> }) {
  const formats = useFormats();
  if (dueOn === "") return <span className="quiet-text">–</span>;
  const day = formats.calendarDay(dueOn);
  return isOverdue ? <Chip tone="late">{day}</Chip> : <span className="tabular">{day}</span>;
}
