// What lowers an issued invoice: a credit note, or what the practice holds for its payer.
import { moneyText } from "@app/shared/answer-texts";
import { CREDIT_REASON_MAX_LENGTH, creditInvoiceSchema, type InvoiceRow } from "@app/shared/invoices";
import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { AmountField, typedAmount } from "../../ui/amount-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { amountTyped, givenAmount } from "../payments/payment-record.ts";
import { useMoneyChanged } from "../payments/use-money-changed.ts";
import { amountOf } from "./invoice-words.ts";

interface Props {
  invoice: InvoiceRow;
  onClose: () => void;
}

const checkReason = validateWith(creditInvoiceSchema.pick({ reason: true }));

/** What is typed in place of an amount, or more than there is. */
function amountProblems(typed: string, mostMinor: number, currency: string): Record<string, string> {
  const amount = givenAmount(typed, currency);
  if ("problem" in amount) return { amountMinor: amount.problem };
  return amount.amountMinor > mostMinor ? { amountMinor: `Enter at most ${moneyText(mostMinor, currency)}` } : {};
}

/** A part of an invoice, or all of it, is owed no more. */
export function CreditDialog({ invoice, onClose }: Props) {
  const changed = useMoneyChanged();
  const credit = api.invoices.credit.useMutation();
  const [opened] = useState(invoice);
  const { id, version, number, payerName, currency, dueMinor } = opened;
  const leftMinor = opened.grossMinor - opened.creditedMinor;
  const form = useServerForm({
    initialValues: { amountMinor: "", reason: "" },
    validate: ({ amountMinor, reason }) => ({
      ...amountProblems(amountMinor, leftMinor, currency),
      ...checkReason({ reason }),
    }),
    async submit({ amountMinor, reason }) {
      const amount = amountTyped(amountMinor, currency);
      await credit.mutateAsync({ id, version, amountMinor: amount, reason });
      await changed();
      notify(`${moneyText(amount, currency)} of ${number} is credited`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Credit ${number}`}>
      <Form form={form} label="Credit note">
        <Stack gap="lg">
          <p>
            A credit note of its own number lowers the invoice of {payerName}.{" "}
            {dueMinor < leftMinor &&
              `${amountOf(dueMinor, opened)} is still due; what is credited beyond that was paid already, and is kept for them.`}
          </p>
          <AmountField
            label={opened.vatMinor > 0 ? "Amount with VAT" : "Amount"}
            description={`Up to ${moneyText(leftMinor, currency)}`}
            currency={currency}
            {...form.field("amountMinor")}
          />
          <ReasonField {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Issue credit note</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** An invoice of which nothing was paid falls away whole, and keeps its number. */
export function VoidInvoiceDialog({ invoice, onClose }: Props) {
  const changed = useMoneyChanged();
  const makeVoid = api.invoices.void.useMutation();
  const [opened] = useState(invoice);
  const { id, version, number, payerName, dueMinor } = opened;
  const form = useServerForm({
    initialValues: { reason: "" },
    validate: checkReason,
    async submit({ reason }) {
      await makeVoid.mutateAsync({ id, version, reason });
      await changed();
      notify(`Invoice ${number} is void`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Make invoice ${number} void?`}>
      <Form form={form} label="Make void">
        <Stack gap="lg">
          <p>
            {payerName} owes the {amountOf(dueMinor, opened)} no more. A credit note of all of it is issued, and the
            invoice keeps its number. This cannot be undone.
          </p>
          <ReasonField {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving} isDestructive>
            Make void
          </FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Pays with what the practice holds for this payer. */
export function UseCreditDialog({ invoice, creditMinor, onClose }: Props & { creditMinor: number }) {
  const changed = useMoneyChanged();
  const use = api.invoices.useCredit.useMutation();
  const [opened] = useState(invoice);
  const { id, version, number, payerName, currency, dueMinor } = opened;
  const mostMinor = Math.min(creditMinor, dueMinor);
  const form = useServerForm({
    initialValues: { amountMinor: typedAmount(mostMinor, currency) },
    validate: ({ amountMinor }) => amountProblems(amountMinor, mostMinor, currency),
    async submit({ amountMinor }) {
      const amount = amountTyped(amountMinor, currency);
      await use.mutateAsync({ id, version, amountMinor: amount });
      await changed();
      notify(`${moneyText(amount, currency)} of the credit is used for ${number}`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Use credit for ${number}`}>
      <Form form={form} label="Use credit">
        <Stack gap="lg">
          <p>
            You hold {moneyText(creditMinor, currency)} for {payerName}, and {amountOf(dueMinor, opened)} of this
            invoice is due.
          </p>
          <AmountField
            label="Amount"
            description={`Up to ${moneyText(mostMinor, currency)}`}
            currency={currency}
            {...form.field("amountMinor")}
          />
          <FormFoot isSaving={form.isSaving}>Use credit</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface ReasonProps {
  value: string;
  error: string | undefined;
  onChange: (payload: unknown) => void;
}

const ReasonField = (props: ReasonProps) => (
  <TextInput
    label="Why"
    description="Stands on the credit note, which the payer reads"
    maxLength={CREDIT_REASON_MAX_LENGTH}
    {...props}
  />
);
