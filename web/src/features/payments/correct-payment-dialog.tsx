import { moneyText } from "@app/shared/answer-texts";
import { CORRECTION_NAMES, type Correction, type Payment, REFUND_REASON_MAX_LENGTH } from "@app/shared/payments";
import { daySchema } from "@app/shared/time";
import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { paymentText } from "./payment-words.tsx";
import { useMoneyChanged } from "./use-money-changed.ts";

interface Values {
  why: Correction | "";
  on: string;
  reason: string;
}

/** Money that was recorded by hand and is not there. Nothing is given back, so it is no refund. */
export function CorrectPaymentDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const today = useToday();
  const changed = useMoneyChanged();
  const correct = api.payments.correct.useMutation();
  const [{ id, version, currency, amountMinor, receiptNumber }] = useState(payment);
  const form = useServerForm<Values>({
    initialValues: { why: "", on: today, reason: "" },
    validate: correctionProblems,
    async submit({ why, on, reason }) {
      if (why === "") throw new Error("the form was sent without why it is taken back");
      await correct.mutateAsync({ id, version, why, on, reason: reason.trim() });
      await changed();
      notify(`${moneyText(amountMinor, currency)} taken back, receipt ${receiptNumber} is void`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Take back ${paymentText(payment)}`}>
      <Form form={form} label="Payment that never came">
        <Stack gap="lg">
          <p>
            For money that you do not have. What it paid is due again, and its receipt is void. If you had the money and
            gave it back, choose Refund instead.
          </p>
          <ChoiceField
            label="What happened"
            choices={CORRECTION_NAMES}
            value={form.values.why}
            error={form.errors["why"]}
            isTall
            onChange={(choice) => form.setFieldValue("why", choice)}
          />
          <TextInput
            label="On"
            description="The day on which the bank took it back, or today"
            type="date"
            max={today}
            {...form.field("on")}
          />
          <TextInput
            label="Why"
            description="Stands in the history of the case"
            maxLength={REFUND_REASON_MAX_LENGTH}
            {...form.field("reason")}
          />
          <FormFoot isSaving={form.isSaving}>Take it back</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

export function correctionProblems({ why, on, reason }: Values): Record<string, string> {
  const problems: Record<string, string> = {};
  if (why === "") problems["why"] = "Choose what happened";
  if (!daySchema.safeParse(on).success) problems["on"] = "Enter the day";
  if (reason.trim() === "") problems["reason"] = "Say what was wrong";
  return problems;
}
