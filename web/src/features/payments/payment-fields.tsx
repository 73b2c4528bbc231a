import { moneyText } from "@app/shared/answer-texts";
import type { PaymentMethod } from "@app/shared/payment-methods";
import { REFERENCE_MAX_LENGTH } from "@app/shared/payments";
import { Checkbox, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import { useToday } from "../../core/today.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { methodOptions, type PaymentValues, restOf } from "./payment-record.ts";
import type { PaidInvoice } from "./payment-words.tsx";

interface Props {
  form: ReturnType<typeof useServerForm<PaymentValues>>;
  invoice: PaidInvoice;
  /** Left out where it is known how it is paid. */
  methods?: readonly PaymentMethod[];
  isReceived: boolean;
}

export function PaymentFields({ form, invoice, methods, isReceived }: Props) {
  const today = useToday();
  const { currency, dueMinor, payerName } = invoice;
  const rest = isReceived ? restOf(form.values.amountMinor, dueMinor, currency) : 0;
  return (
    <>
      {methods && <NativeSelect label="How it is paid" data={methodOptions(methods)} {...form.field("method")} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <AmountField
          label="Amount"
          description={`${moneyText(dueMinor, currency)} is due`}
          currency={currency}
          {...form.field("amountMinor")}
        />
        {isReceived && (
          <TextInput
            label="Came on"
            description="The day on which you had the money"
            type="date"
            max={today}
            {...form.field("receivedOn")}
          />
        )}
      </SimpleGrid>
      {rest > 0 && (
        <Checkbox
          label={`Keep ${moneyText(rest, currency)} for ${payerName}, for an invoice to come or to be returned`}
          {...form.field("keepsRest", { type: "checkbox" })}
        />
      )}
      <TextInput
        label="Reference (optional)"
        description="By which you find it on a statement"
        autoComplete="off"
        maxLength={REFERENCE_MAX_LENGTH}
        {...form.field("reference")}
      />
    </>
  );
}
