// What is asked before an invoice takes a step that cannot be taken back by itself.
import type { InvoiceRow } from "@app/shared/invoices";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useMoneyAct } from "../payments/use-money-changed.ts";
import { amountOf, readersWords } from "./invoice-words.ts";

interface Props {
  invoice: InvoiceRow;
  onClose: () => void;
}

export function IssueDialog({ invoice, onClose }: Props) {
  const act = useMoneyAct();
  const issue = api.invoices.issue.useMutation();
  const settings = api.invoices.settings.useQuery().data;
  const [opened] = useState(invoice);
  const { id, version, payerName } = opened;
  const confirm = async () => {
    if (await act(() => issue.mutateAsync({ id, version }), `The invoice for ${payerName} is issued`)) onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Issue the invoice for ${payerName}?`}
      confirmLabel="Issue"
      isDestructive={false}
      isBusy={issue.isPending}
      onConfirm={() => void confirm()}
    >
      <p>
        {payerName} is asked for {amountOf(invoice.grossMinor, invoice)}
        {settings && `, ${dueWords(settings.daysToPay)}`}. The invoice gets the next number and the date of today, and
        its lines stay as they are from then on: what is wrong is put right by a credit note.
      </p>
      <p>{readersWords(invoice)} Nothing is sent yet.</p>
    </ConfirmDialog>
  );
}

const dueWords = (daysToPay: number): string =>
  daysToPay === 0 ? "due at once" : daysToPay === 1 ? "due tomorrow" : `due in ${daysToPay} days`;

export function SendDialog({ invoice, onClose }: Props) {
  const act = useMoneyAct();
  const [changeId] = useNewId();
  const send = api.invoices.send.useMutation();
  const { id, number, payerName } = invoice;
  const confirm = async () => {
    if (await act(() => send.mutateAsync({ id, changeId }), `Invoice ${number} is on its way to ${payerName}`))
      onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Send invoice ${number} to ${payerName}?`}
      confirmLabel="Send"
      isDestructive={false}
      isBusy={send.isPending}
      onConfirm={() => void confirm()}
    >
      <p>It goes by email to {payerName} alone, with the invoice as a PDF. Whoever may not be emailed gets nothing.</p>
    </ConfirmDialog>
  );
}

export function RemoveDialog({ invoice, onClose, onRemoved }: Props & { onRemoved: (() => void) | undefined }) {
  const act = useMoneyAct();
  const remove = api.invoices.remove.useMutation();
  const [opened] = useState(invoice);
  const { id, version, payerName } = opened;
  const confirm = async () => {
    if (!(await act(() => remove.mutateAsync({ id, version }), `The draft for ${payerName} is deleted`))) return;
    onClose();
    onRemoved?.();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete the draft for ${payerName}?`}
      confirmLabel="Delete draft"
      isBusy={remove.isPending}
      onConfirm={() => void confirm()}
    >
      <p>
        It comes to {amountOf(invoice.grossMinor, invoice)} and has no number yet, so none will be missing. A draft that
        was deleted cannot be brought back.
      </p>
    </ConfirmDialog>
  );
}
