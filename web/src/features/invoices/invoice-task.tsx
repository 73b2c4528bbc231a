import type { InvoiceRow } from "@app/shared/invoices";
import { later } from "../../ui/later.tsx";
import type { InvoiceAction } from "./invoice-actions.ts";
import { IssueDialog, RemoveDialog, SendDialog } from "./confirm-dialogs.tsx";

const EditInvoiceDialog = later(async () => (await import("./new-invoice-dialog.tsx")).EditInvoiceDialog);
const CreditDialog = later(async () => (await import("./credit-dialogs.tsx")).CreditDialog);
const VoidInvoiceDialog = later(async () => (await import("./credit-dialogs.tsx")).VoidInvoiceDialog);
const UseCreditDialog = later(async () => (await import("./credit-dialogs.tsx")).UseCreditDialog);
const RecordPaymentDialog = later(
  async () => (await import("../payments/record-payment-dialog.tsx")).RecordPaymentDialog,
);
const PaymentLinkDialog = later(async () => (await import("../payments/payment-link-dialog.tsx")).PaymentLinkDialog);
const AnnouncePaymentDialog = later(
  async () => (await import("../payments/record-payment-dialog.tsx")).AnnouncePaymentDialog,
);

interface Props {
  action: InvoiceAction | null;
  invoice: InvoiceRow;
  creditMinor: number;
  onClose: () => void;
  /** The invoice is there no more. */
  onRemoved?: (() => void) | undefined;
}

/** The dialog of what is being done with an invoice. */
export function InvoiceTask({ action, invoice, creditMinor, onClose, onRemoved }: Props) {
  switch (action) {
    case null:
      return null;
    case "change":
      return <EditInvoiceDialog row={invoice} onClose={onClose} />;
    case "issue":
      return <IssueDialog invoice={invoice} onClose={onClose} />;
    case "remove":
      return <RemoveDialog invoice={invoice} onClose={onClose} onRemoved={onRemoved} />;
    case "send":
      return <SendDialog invoice={invoice} onClose={onClose} />;
    case "record":
      return <RecordPaymentDialog invoice={invoice} onClose={onClose} />;
    case "link":
      return <PaymentLinkDialog invoice={invoice} onClose={onClose} />;
    case "announce":
      return <AnnouncePaymentDialog invoice={invoice} onClose={onClose} />;
    case "credit":
      return <CreditDialog invoice={invoice} onClose={onClose} />;
    case "void":
      return <VoidInvoiceDialog invoice={invoice} onClose={onClose} />;
    case "use_credit":
      return <UseCreditDialog invoice={invoice} creditMinor={creditMinor} onClose={onClose} />;
  }
}
