import { moneyText } from "@app/shared/answer-texts";
import { ANNOUNCED_METHODS, MANUAL_METHODS, type Payment } from "@app/shared/payments";
import { Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { typedAmount } from "../../ui/amount-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { PaymentFields } from "./payment-fields.tsx";
import { amountTyped, paymentProblems, type PaymentValues } from "./payment-record.ts";
import type { PaidInvoice } from "./payment-words.tsx";
import { useMoneyChanged } from "./use-money-changed.ts";

interface Props {
  invoice: PaidInvoice;
  onClose: () => void;
}

const emptyPayment = ({ dueMinor, currency }: PaidInvoice, receivedOn: string): PaymentValues => ({
  method: "",
  amountMinor: typedAmount(dueMinor, currency),
  receivedOn,
  reference: "",
  keepsRest: false,
});

/** Money that came by another way than a card payment here. */
export function RecordPaymentDialog({ invoice, onClose }: Props) {
  const today = useToday();
  const changed = useMoneyChanged();
  const record = api.payments.record.useMutation();
  const { id: invoiceId, number, payerName, currency } = invoice;
  const form = useServerForm<PaymentValues>({
    initialValues: emptyPayment(invoice, today),
    validate: (values) => paymentProblems(values, { ...invoice, isReceived: true }),
    async submit({ method, amountMinor, ...values }, id) {
      const chosen = MANUAL_METHODS.find((known) => known === method);
      if (!chosen) throw new Error("the form was sent without a way to pay");
      const payment = { ...values, method: chosen, amountMinor: amountTyped(amountMinor, currency) };
      const made = await record.mutateAsync({ id, invoiceId, ...payment });
      await changed();
      notify(`${moneyText(made.amountMinor, currency)} of ${payerName} recorded, receipt ${made.receiptNumber}`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Payment for ${number}`}>
      <Form form={form} label="Payment">
        <Stack gap="lg">
          <PaymentFields form={form} invoice={invoice} methods={MANUAL_METHODS} isReceived />
          <FormFoot isSaving={form.isSaving}>Record payment</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Money that somebody said is on its way: it lowers nothing until it came. */
export function AnnouncePaymentDialog({ invoice, onClose }: Props) {
  const changed = useMoneyChanged();
  const announce = api.payments.announce.useMutation();
  const { id: invoiceId, number, currency } = invoice;
  const form = useServerForm<PaymentValues>({
    initialValues: emptyPayment(invoice, ""),
    validate: (values) => paymentProblems(values, { ...invoice, isReceived: false }),
    async submit({ method, amountMinor, reference }, id) {
      const chosen = ANNOUNCED_METHODS.find((known) => known === method);
      if (!chosen) throw new Error("the form was sent without a way to pay");
      await announce.mutateAsync({
        id,
        invoiceId,
        method: chosen,
        amountMinor: amountTyped(amountMinor, currency),
        reference,
      });
      await changed();
      notify("Noted as on its way. Confirm it once the money is there.");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`On its way for ${number}`}>
      <Form form={form} label="Payment on its way">
        <Stack gap="lg">
          <p>Nothing counts as paid until you confirm that it came.</p>
          <PaymentFields form={form} invoice={invoice} methods={ANNOUNCED_METHODS} isReceived={false} />
          <FormFoot isSaving={form.isSaving}>Note it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** What was announced came, perhaps with another amount. */
export function ConfirmPaymentDialog({ invoice, payment, onClose }: Props & { payment: Payment }) {
  const today = useToday();
  const changed = useMoneyChanged();
  const confirm = api.payments.confirm.useMutation();
  const [opened] = useState(payment);
  const { id, version, currency, method, reference } = opened;
  const form = useServerForm<PaymentValues>({
    initialValues: {
      method,
      amountMinor: typedAmount(payment.amountMinor, currency),
      receivedOn: today,
      reference,
      keepsRest: false,
    },
    validate: (values) => paymentProblems(values, { ...invoice, isReceived: true }),
    async submit({ method: _method, amountMinor, ...values }) {
      const given = { ...values, amountMinor: amountTyped(amountMinor, currency) };
      const made = await confirm.mutateAsync({ id, version, ...given });
      await changed();
      notify(
        `${moneyText(made.amountMinor, currency)} of ${invoice.payerName} recorded, receipt ${made.receiptNumber}`,
      );
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`It came: payment for ${invoice.number}`}>
      <Form form={form} label="Payment">
        <Stack gap="lg">
          <PaymentFields form={form} invoice={invoice} isReceived />
          <FormFoot isSaving={form.isSaving}>Confirm payment</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
