import { agreedMinor, type FinanceLine } from "@app/shared/finance-lines";
import type { Finances } from "@app/shared/finances";
import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { AmountField, amountProblem, readAmount, typedAmount } from "../../ui/amount-field.tsx";
import { amountText } from "./finance-words.ts";
import { useFinanceAct, useFinancesChanged } from "./use-finances.ts";

interface Props {
  finances: Finances;
  line: FinanceLine;
  onClose: () => void;
}

interface Values {
  amount: string;
  partyId: string;
  on: string;
}

/** What one of them agrees, as the mediator heard it; the value counts once each has agreed it. */
export function AgreeDialog({ finances, line, onClose }: Props) {
  const formats = useFormats();
  const today = useToday();
  const changed = useFinancesChanged();
  const agree = api.finances.agree.useMutation();
  // What was decided by older figures is refused.
  const [opened] = useState(finances);
  const { caseId, version, currency, parties } = opened;
  const { agreement, figures, label } = line;
  const nameOf = (id: string) => parties.find((party) => party.partyId === id)?.name ?? "A participant";
  const form = useServerForm<Values>({
    initialValues: { amount: typedAmount(agreement?.amountMinor ?? null, currency), partyId: "", on: "" },
    validate: ({ amount, partyId, on }): Record<string, string> => ({
      ...(readAmount(amount, currency) === null
        ? { amount: amountProblem(amount, currency) || "Enter the value that they agree" }
        : {}),
      ...(partyId === "" ? { partyId: "Choose who agrees it" } : {}),
      ...(on === "" ? { on: "Enter the day on which they agreed" } : {}),
    }),
    submit: async ({ amount, partyId, on }) => {
      const amountMinor = readAmount(amount, currency);
      if (amountMinor === null) return;
      const figureIds = figures.map(({ id }) => id);
      const saved = await agree.mutateAsync({ caseId, version, figureIds, partyId, amountMinor, on });
      await changed(saved);
      notify(`Recorded what ${nameOf(partyId)} agreed`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`What is agreed of ${label}`}>
      <Form form={form} label="What is agreed">
        <Stack gap="lg">
          <ul className="finance-said">
            {figures.map(({ id, partyId, amountMinor }) => (
              <li key={id}>
                {nameOf(partyId)} says {amountText(amountMinor, currency)}
              </li>
            ))}
            {agreement?.by.map(({ partyId, on }) => (
              <li key={partyId}>
                {nameOf(partyId)} agreed {amountText(agreement.amountMinor, currency)} on {formats.calendarDay(on)}
              </li>
            ))}
          </ul>
          <AmountField
            label="Value that they agree"
            {...(agreement ? { description: "Another value begins anew: each has to agree it" } : {})}
            currency={currency}
            {...form.field("amount")}
          />
          <NativeSelect
            label="Who agrees it"
            data={[
              { value: "", label: "Choose" },
              ...parties.map(({ partyId, name }) => ({ value: partyId, label: name })),
            ]}
            {...form.field("partyId")}
          />
          <TextInput label="On" type="date" max={today} {...form.field("on")} />
          {agreement && <TakeBack finances={opened} line={line} onClose={onClose} />}
          <FormFoot isSaving={form.isSaving}>Record it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

function TakeBack({ finances: opened, line, onClose }: Props) {
  const act = useFinanceAct();
  const takeBack = api.finances.takeBackAgreed.useMutation();
  const { caseId, version, parties } = opened;
  const isAgreed = agreedMinor(line, parties) !== null;
  const figureIds = line.figures.map(({ id }) => id);
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        loading={takeBack.isPending}
        onClick={() =>
          void act(takeBack.mutateAsync({ caseId, version, figureIds }), "It is not agreed any more").then(onClose)
        }
      >
        {isAgreed ? "It is not agreed any more" : "Take back what was recorded"}
      </Button>
    </Group>
  );
}
