import { can } from "@app/shared/access";
import { moneyText } from "@app/shared/answer-texts";
import { PAYMENT_METHOD_NAMES } from "@app/shared/payment-methods";
import { ATTENTION_WORDS, CORRECTION_NAMES, type Payment } from "@app/shared/payments";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp, IconDots, IconDownload, IconMail, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { takeFile } from "../../core/download.ts";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";
import { type PaidInvoice, PaymentStateChip, paymentText } from "./payment-words.tsx";
import { useMoneyAct } from "./use-money-changed.ts";
import "./payments.css";

const RefundDialog = later(async () => (await import("./refund-dialog.tsx")).RefundDialog);
const SendReceiptDialog = later(async () => (await import("./send-receipt-dialog.tsx")).SendReceiptDialog);
const CorrectPaymentDialog = later(async () => (await import("./correct-payment-dialog.tsx")).CorrectPaymentDialog);
const ConfirmPaymentDialog = later(async () => (await import("./record-payment-dialog.tsx")).ConfirmPaymentDialog);

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  payment: Payment;
  /** What it is for. */
  invoice: PaidInvoice;
}

/** One payment below its invoice: when, how, how much, and how it stands. */
export function PaymentRow({ payment, invoice }: Props) {
  const formats = useFormats();
  const { amountMinor, currency, method, receivedOn, createdAt, reference, receiptNumber, receiptSentAt } = payment;
  const day = receivedOn === "" ? formats.day(createdAt) : formats.calendarDay(receivedOn);
  const found = [
    reference && `ref. ${reference}`,
    receiptNumber && `receipt ${receiptNumber}${receiptSentAt === null ? "" : ", sent"}`,
  ].filter(Boolean);
  return (
    <li className="payment-row">
      <span className="payment-when tabular">{day}</span>
      <span className="payment-what">
        {PAYMENT_METHOD_NAMES[method]}
        {found.length > 0 && <span className="quiet-text"> {found.join(", ")}</span>}
        <PaymentRemarks payment={payment} />
      </span>
      <span className="payment-state">
        <PaymentStateChip payment={payment} />
      </span>
      <span className="payment-amount tabular">{moneyText(amountMinor, currency)}</span>
      <PaymentMenu payment={payment} invoice={invoice} />
    </li>
  );
}

/** What went back, what was kept, and what somebody has to look at. */
function PaymentRemarks({ payment }: { payment: Payment }) {
  const act = useMoneyAct();
  const look = api.payments.setLooked.useMutation();
  const mayChange = can(useCurrentUser(), "payments.manage");
  const { id, refunds, toCreditMinor, currency, attentions, wasDeclined, status, correction } = payment;
  return (
    <>
      {refunds.map((refund) => (
        <span key={refund.id} className="payment-remark">
          {refundText(refund, currency)}
        </span>
      ))}
      {correction && (
        <span className="payment-remark">
          {CORRECTION_NAMES[correction.why]}: {correction.reason}. The receipt is void.
        </span>
      )}
      {toCreditMinor > 0 && (
        <span className="payment-remark">{moneyText(toCreditMinor, currency)} more than was due, kept as credit</span>
      )}
      {wasDeclined && (status === "created" || status === "pending" || status === "failed") && (
        <span className="payment-remark">A card was declined</span>
      )}
      {attentions.map((attention) => (
        <span key={attention} className="payment-remark payment-attention">
          <IconAlertTriangle size={14} stroke={1.7} aria-hidden /> {ATTENTION_WORDS[attention]}
        </span>
      ))}
      {mayChange && attentions.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void act(() => look.mutateAsync({ id }), "Marked as looked at")}
        >
          I have looked at it
        </Button>
      )}
    </>
  );
}

const REFUND_WORDS = {
  asked: "is on its way back",
  pending: "is on its way back",
  succeeded: "returned",
  failed: "did not go back",
} as const satisfies Record<Payment["refunds"][number]["status"], string>;

/** "£60.00 returned: The session was cancelled" */
const refundText = ({ amountMinor, status, reason }: Payment["refunds"][number], currency: string): string =>
  `${moneyText(amountMinor, currency)} ${REFUND_WORDS[status]}: ${reason}`;

type Task = "refund" | "confirm" | "receipt" | "correct";

function PaymentMenu({ payment, invoice }: Props) {
  const user = useCurrentUser();
  const mayChange = can(user, "payments.manage");
  const [task, setTask] = useState<Task | null>(null);
  const act = useMoneyAct();
  const cancel = api.payments.cancel.useMutation();
  const { id, version, status, method, isOnItsWay, linkUntil, refundableMinor, receiptNumber } = payment;
  const isByHand = linkUntil === null;
  const maySend = mayChange && receiptNumber !== "" && can(user, "mail.send");
  const mayRefund = mayChange && refundableMinor > 0;
  const mayCorrect = mayRefund && isByHand && method !== "card" && method !== "bank_debit" && status === "succeeded";
  const mayConfirm = mayChange && isByHand && status === "pending";
  const mayCancel = mayChange && (status === "created" || status === "pending") && (isByHand || !isOnItsWay);
  if (!mayRefund && !mayConfirm && !mayCancel && receiptNumber === "")
    return <span className="payment-more" aria-hidden />;
  return (
    <span className="payment-more">
      {mayConfirm && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`It came: ${paymentText(payment)}`}
          onClick={() => setTask("confirm")}
        >
          It came
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for ${paymentText(payment)}`}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {receiptNumber !== "" && (
            <Menu.Item
              leftSection={<IconDownload {...icon} />}
              onClick={() => void takeFile(`/export/receipts/${id}.pdf`)}
            >
              Receipt as PDF
            </Menu.Item>
          )}
          {maySend && (
            <Menu.Item leftSection={<IconMail {...icon} />} onClick={() => setTask("receipt")}>
              Send receipt
            </Menu.Item>
          )}
          {mayRefund && (
            <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => setTask("refund")}>
              Refund
            </Menu.Item>
          )}
          {mayCorrect && (
            <Menu.Item leftSection={<IconX {...icon} />} onClick={() => setTask("correct")}>
              It never came
            </Menu.Item>
          )}
          {mayCancel && (
            <Menu.Item
              leftSection={<IconX {...icon} />}
              onClick={() =>
                void act(
                  () => cancel.mutateAsync({ id, version }),
                  isByHand ? "It is not expected any more" : "The link cannot be paid any more",
                )
              }
            >
              {isByHand ? "It does not come" : "Withdraw the link"}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {task === "receipt" && <SendReceiptDialog payment={payment} onClose={() => setTask(null)} />}
      {task === "refund" && <RefundDialog payment={payment} onClose={() => setTask(null)} />}
      {task === "correct" && <CorrectPaymentDialog payment={payment} onClose={() => setTask(null)} />}
      {task === "confirm" && <ConfirmPaymentDialog payment={payment} invoice={invoice} onClose={() => setTask(null)} />}
    </span>
  );
}
