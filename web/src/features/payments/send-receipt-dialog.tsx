import type { Payment } from "@app/shared/payments";
import { api } from "../../core/api.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useMoneyAct } from "./use-money-changed.ts";

interface Props {
  payment: Payment;
  onClose: () => void;
}

/** Asks before anything leaves. */
export function SendReceiptDialog({ payment, onClose }: Props) {
  const act = useMoneyAct();
  const [changeId] = useNewId();
  const send = api.payments.sendReceipt.useMutation();
  const { id, receiptNumber, payerName, receiptSentAt } = payment;
  const confirm = async () => {
    if (await act(() => send.mutateAsync({ id, changeId }), `Receipt ${receiptNumber} is on its way to ${payerName}`))
      onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Send receipt ${receiptNumber} to ${payerName}?`}
      confirmLabel="Send"
      isDestructive={false}
      isBusy={send.isPending}
      onConfirm={() => void confirm()}
    >
      <p>
        {receiptSentAt !== null && "It was sent before. "}It goes by email to {payerName} alone, as a PDF. Whoever may
        not be emailed gets nothing.
      </p>
    </ConfirmDialog>
  );
}
