import { moneyText } from "@app/shared/answer-texts";
import { type Payment, REFUND_REASON_MAX_LENGTH } from "@app/shared/payments";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { amountTyped, givenAmount } from "./payment-record.ts";
import { useMoneyChanged } from "./use-money-changed.ts";

interface Values {
  amountMinor: string;
  reason: string;
  creditsInvoice: "credited" | "due" | "";
}

const CHOICES = {
  credited: "No: a credit note is issued",
  due: "Yes: it is due again",
} as const;

/** Gives a payment back, whole or in part. What becomes of the debt is for a person to say. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const changed = useMoneyChanged();
  const refund = api.payments.refund.useMutation();
  const { id, currency, refundableMinor, method, payerName } = payment;
  const form = useServerForm<Values>({
    initialValues: { amountMinor: "", reason: "", creditsInvoice: "" },
    validate: (values) => refundProblems(values, payment),
    async submit({ amountMinor, reason, creditsInvoice }, changeId) {
      const given = { amountMinor: amountTyped(amountMinor, currency), reason: reason.trim() };
      await refund.mutateAsync({ id, changeId, ...given, creditsInvoice: creditsInvoice === "credited" });
      await changed();
      const asked = method === "card" || method === "bank_debit";
      notify(`${moneyText(given.amountMinor, currency)} ${asked ? "is on its way back" : "is recorded as returned"}`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Refund to ${payerName}`}>
      <Form form={form} label="Refund">
        <Stack gap="lg">
          <p>{wayBack(payment)}</p>
          <AmountField
            label="Amount"
            description={`Up to ${moneyText(refundableMinor, currency)}`}
            currency={currency}
            {...form.field("amountMinor")}
          />
          <TextInput
            label="Why"
            description="Stands in the history of the case"
            maxLength={REFUND_REASON_MAX_LENGTH}
            {...form.field("reason")}
          />
          <ChoiceField
            label={`Is it still owed for ${payment.invoiceNumber}?`}
            choices={CHOICES}
            value={form.values.creditsInvoice}
            error={form.errors["creditsInvoice"]}
            isTall
            onChange={(choice) => form.setFieldValue("creditsInvoice", choice)}
          />
          <FormFoot isSaving={form.isSaving}>Refund</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

const wayBack = ({ method, payerName }: Payment): string =>
  method === "card" || method === "bank_debit"
    ? "The card payment provider returns it to where it came from. That takes a few days."
    : `This records that you gave the money back. Return it to ${payerName} yourself, by the bank or in cash.`;

export function refundProblems(
  { amountMinor, reason, creditsInvoice }: Values,
  { currency, refundableMinor }: Pick<Payment, "currency" | "refundableMinor">,
): Record<string, string> {
  const amount = givenAmount(amountMinor, currency);
  const problems: Record<string, string> = {};
  if ("problem" in amount) problems["amountMinor"] = amount.problem;
  else if (amount.amountMinor > refundableMinor)
    problems["amountMinor"] = `At most ${moneyText(refundableMinor, currency)} can be returned`;
  if (reason.trim() === "") problems["reason"] = "Say why it is returned";
  if (creditsInvoice === "") problems["creditsInvoice"] = "Choose whether it is still owed";
  return problems;
}
