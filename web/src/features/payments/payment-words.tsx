import { moneyText } from "@app/shared/answer-texts";
import type { InvoiceRow } from "@app/shared/invoices";
import { PAYMENT_METHOD_NAMES } from "@app/shared/payment-methods";
import { PAYMENT_STATE_NAMES, type PaymentState } from "@app/shared/payment-states";
import type { Payment } from "@app/shared/payments";
import type { ComponentProps } from "react";
import { Chip } from "../../ui/chip.tsx";

/** What a payment has to know of the invoice that it is for. */
export type PaidInvoice = Pick<InvoiceRow, "id" | "number" | "payerName" | "currency" | "dueMinor">;

const TONES = {
  created: "outline",
  pending: "outline",
  succeeded: "agreed",
  partially_refunded: "plain",
  refunded: "plain",
  failed: "plain",
  cancelled: "outline",
  expired: "outline",
} as const satisfies Record<PaymentState, ComponentProps<typeof Chip>["tone"]>;

export const PaymentStateChip = ({ payment: { status, isOnItsWay } }: { payment: Payment }) => (
  <Chip tone={TONES[status]}>{isOnItsWay ? "On its way" : PAYMENT_STATE_NAMES[status]}</Chip>
);

/** "£60.00 by bank transfer" */
export const paymentText = ({ amountMinor, currency, method }: Payment): string =>
  `${moneyText(amountMinor, currency)} by ${PAYMENT_METHOD_NAMES[method].toLowerCase()}`;
