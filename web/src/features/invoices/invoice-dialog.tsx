import type { Invoice } from "@app/shared/invoices";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ACTION_NAMES, type InvoiceAction } from "./invoice-actions.ts";
import { InvoiceMenu, useInvoiceActions } from "./invoice-menu.tsx";
import { InvoiceTask } from "./invoice-task.tsx";
import { InvoiceView } from "./invoice-view.tsx";
import "./invoices.css";

/** One invoice to read, with what can be done with it. */
export function InvoiceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const invoice = api.invoices.get.useQuery({ id });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={titleOf(invoice.data)}
      size="form"
      footer={invoice.data && <Footer invoice={invoice.data} onClose={onClose} />}
    >
      <Loaded query={invoice} failureTitle="The invoice could not be read">
        {(data) => <InvoiceView invoice={data} />}
      </Loaded>
    </Dialog>
  );
}

function titleOf(invoice: Invoice | undefined): string {
  if (!invoice) return "Invoice";
  return invoice.number === "" ? `Draft invoice for ${invoice.payerName}` : `Invoice ${invoice.number}`;
}

function Footer({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [task, setTask] = useState<InvoiceAction | null>(null);
  const { next, others } = useInvoiceActions(invoice, invoice.creditMinor);
  return (
    <>
      <InvoiceMenu invoice={invoice} actions={others} onAction={setTask} />
      {next && <Button onClick={() => setTask(next)}>{ACTION_NAMES[next]}</Button>}
      <InvoiceTask
        action={task}
        invoice={invoice}
        creditMinor={invoice.creditMinor}
        onClose={() => setTask(null)}
        onRemoved={onClose}
      />
    </>
  );
}
