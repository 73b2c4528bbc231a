import { moneyText } from "@app/shared/answer-texts";
import { type Payment, REFUND_REASON_MAX_LENGTH, RETURN_METHODS, type ReturnMethod } from "@app/shared/payments";
import { daySchema } from "@app/shared/time";
import { NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { amountTyped, givenAmount, methodOptions } from "./payment-record.ts";
import { useMoneyChanged } from "./use-money-changed.ts";

interface Values {
  amountMinor: string;
  reason: string;
  creditsInvoice: "credited" | "due" | "";
  byHand: { on: string; method: ReturnMethod | "" };
}

const CHOICES = {
  credited: "No: a credit note is issued",
  due: "Yes: it is due again",
} as const;

/** Gives a payment back, whole or in part. What becomes of the debt is for a person to say. */
export function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const changed = useMoneyChanged();
  const refund = api.payments.refund.useMutation();
  const { id, currency, refundableMinor, payerName } = payment;
  const today = useToday();
  const isAsked = isByProvider(payment);
  const form = useServerForm<Values>({
    initialValues: { amountMinor: "", reason: "", creditsInvoice: "", byHand: { on: today, method: "" } },
    validate: (values) => refundProblems(values, payment),
    async submit({ amountMinor, reason, creditsInvoice, byHand: { on, method: way } }, changeId) {
      const given = { amountMinor: amountTyped(amountMinor, currency), reason: reason.trim() };
      const byHand = way === "" ? {} : { byHand: { on, method: way } };
      const made = await refund.mutateAsync({
        id,
        changeId,
        ...given,
        ...byHand,
        creditsInvoice: creditsInvoice === "credited",
      });
      await changed();
      if (made.refunds.at(-1)?.status === "failed")
        notifyError("The card payment provider refused this, so nothing went back. Look at the payment.");
      else
        notify(
          `${moneyText(given.amountMinor, currency)} ${way === "" ? "is on its way back" : "is recorded as returned"}`,
        );
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
          {(!isAsked || hasFailed(payment)) && <WayBackFields form={form} today={today} isAsked={isAsked} />}
          <TextInput
            label="Why"
            description="Stands in the history of the case, and on the credit note that the payer gets"
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

interface WayProps {
  form: ReturnType<typeof useServerForm<Values>>;
  today: string;
  isAsked: boolean;
}

/** The provider could not return it, so that it goes another way. */
const hasFailed = ({ refunds }: Payment): boolean => refunds.some(({ status }) => status === "failed");

const BY_PROVIDER = { value: "", label: "By the card payment provider, from now" };

const WayBackFields = ({ form, today, isAsked }: WayProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
    <NativeSelect
      label="How it went back"
      data={isAsked ? [BY_PROVIDER, ...methodOptions(RETURN_METHODS).slice(1)] : methodOptions(RETURN_METHODS)}
      {...form.field("byHand.method")}
    />
    <TextInput label="Went back on" type="date" max={today} {...form.field("byHand.on")} />
  </SimpleGrid>
);

const isByProvider = ({ method }: Pick<Payment, "method">): boolean => method === "card" || method === "bank_debit";

const wayBack = ({ method, payerName }: Payment): string =>
  isByProvider({ method })
    ? "The card payment provider returns it to where it came from. That takes a few days."
    : `This records that you gave the money back. Return it to ${payerName} yourself, by the bank or in cash.`;

export function refundProblems(
  { amountMinor, reason, creditsInvoice, byHand }: Values,
  { currency, refundableMinor, method }: Pick<Payment, "currency" | "refundableMinor" | "method">,
): Record<string, string> {
  const amount = givenAmount(amountMinor, currency);
  const problems: Record<string, string> = {};
  if ("problem" in amount) problems["amountMinor"] = amount.problem;
  else if (amount.amountMinor > refundableMinor)
    problems["amountMinor"] = `At most ${moneyText(refundableMinor, currency)} can be returned`;
  if (reason.trim() === "") problems["reason"] = "Say why it is returned";
  if (!isByProvider({ method }) && byHand.method === "") problems["byHand.method"] = "Choose how it went back";
  if ((!isByProvider({ method }) || byHand.method !== "") && !daySchema.safeParse(byHand.on).success)
    problems["byHand.on"] = "Enter the day on which it went back";
  if (creditsInvoice === "") problems["creditsInvoice"] = "Choose whether it is still owed";
  return problems;
}
