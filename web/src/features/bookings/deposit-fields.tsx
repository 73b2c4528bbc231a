import { moneyText } from "@app/shared/answer-texts";
import type { z } from "zod";
import type { depositChoicesSchema } from "@app/shared/deposits";
import { DEPOSIT_MINUTES } from "@app/shared/booking-limits";
import { NativeSelect, SimpleGrid } from "@mantine/core";
import { AmountField } from "../../ui/amount-field.tsx";
import type { useServerForm } from "../../core/form.tsx";
import { AN_AMOUNT, type LinkValues } from "./link-values.ts";

export type DepositChoices = z.infer<typeof depositChoicesSchema>;

interface Props {
  form: Pick<ReturnType<typeof useServerForm<LinkValues>>, "field" | "values" | "errors">;
  choices: DepositChoices;
}

/** What is paid before a time is booked; offered where cards are taken, and kept where it was asked for before. */
export function DepositFields({ form: { field, values, errors }, choices }: Props) {
  const { takesCards, currency, prices } = choices;
  if (!takesCards && values.deposit === "")
    return (
      <span className="quiet-text">
        A booking can wait for a payment once cards are taken here: the owner sets that up on the page Payments.
      </span>
    );
  const known = prices.some(({ id }) => id === values.deposit);
  const isOver = values.deposit !== "" && values.deposit !== AN_AMOUNT && !known;
  const { error, ...chosen } = field("deposit");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <NativeSelect
        label="Payment before it is booked"
        description={
          takesCards
            ? `By card; the time is held for ${DEPOSIT_MINUTES} minutes. Two parties who look for a time are asked for none`
            : "No cards can be taken now: until then such bookings wait for you to confirm them"
        }
        data={[
          { value: "", label: "None" },
          ...prices.map(({ id, name, amountMinor }) => ({
            value: id,
            label: `${name}, ${moneyText(amountMinor, currency)}`,
          })),
          ...(isOver ? [{ value: values.deposit, label: "A price that is not in force any more" }] : []),
          { value: AN_AMOUNT, label: "Another amount" },
        ]}
        error={error}
        {...chosen}
      />
      {values.deposit === AN_AMOUNT && (
        <AmountField
          label="Amount"
          description="In all. Where you charge VAT, choose a price of your list instead"
          currency={currency}
          value={values.depositAmount}
          error={errors["depositAmount"] ?? errors["deposit.amountMinor"]}
          onChange={field("depositAmount").onChange}
        />
      )}
    </SimpleGrid>
  );
}
