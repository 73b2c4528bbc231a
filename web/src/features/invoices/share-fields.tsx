import { moneyText } from "@app/shared/answer-texts";
import { SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import { valueOf } from "../../core/form-values.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { typedRate } from "../prices/vat-rate.ts";
import { type Choices, leftOfLine, sharesSum, type SplitValues } from "./split-values.ts";

interface Props {
  form: ReturnType<typeof useServerForm<SplitValues>>;
  choices: Choices;
}

const nameIn = (choices: Choices, key: string): string => choices.find((choice) => choice.key === key)?.name ?? key;
const columns = { cols: { base: 1, sm: 3 }, spacing: "lg" } as const;

/** Of the whole, what each pays in per cent. */
export function PercentShares({ form, choices }: Props) {
  const { payers, shares } = form.values;
  const sum = sharesSum(form.values);
  const set = (key: string, share: string) => form.setFieldValue("shares", { ...shares, [key]: share });
  if (payers.length === 0) return <p className="quiet-text">Choose who pays first.</p>;
  return (
    <Stack gap="sm" role="group" aria-label="Shares">
      <SimpleGrid {...columns}>
        {payers.map((key) => (
          <TextInput
            key={key}
            label={`${nameIn(choices, key)}, %`}
            inputMode="decimal"
            autoComplete="off"
            value={shares[key] ?? ""}
            error={form.errors["shares"] !== undefined}
            onChange={(event) => set(key, event.currentTarget.value)}
          />
        ))}
      </SimpleGrid>
      <p role="status" className={form.errors["shares"] ? "invoice-error" : "quiet-text"}>
        {sum === 10_000 ? "The shares make 100 %." : `The shares make ${typedRate(sum)} %, not 100 %.`}
      </p>
    </Stack>
  );
}

/** Of each line, what each pays of it. */
export function AmountShares({ form, choices, currency }: Props & { currency: string }) {
  const { payers, lines, amounts } = form.values;
  const set = (key: string, at: number, amount: string) => {
    const own = lines.map((_, index) => (index === at ? amount : (amounts[key]?.[index] ?? "")));
    form.setFieldValue("amounts", { ...amounts, [key]: own });
  };
  if (payers.length === 0) return <p className="quiet-text">Choose who pays first.</p>;
  return (
    <Stack gap="lg" role="group" aria-label="Amounts">
      {lines.map((line, at) => (
        <div key={at} role="group" aria-label={`Line ${at + 1}`}>
          <p className="split-line">
            <strong>{line.description || `Line ${at + 1}`}</strong>{" "}
            <LeftOfLine form={form} at={at} currency={currency} />
          </p>
          <SimpleGrid {...columns}>
            {payers.map((key) => (
              <AmountField
                key={key}
                label={`${nameIn(choices, key)} pays`}
                currency={currency}
                isPlain
                value={amounts[key]?.[at] ?? ""}
                error={undefined}
                onChange={(payload) => set(key, at, String(valueOf(payload)))}
              />
            ))}
          </SimpleGrid>
        </div>
      ))}
      {form.errors["amounts"] && (
        <p className="invoice-error" role="alert">
          {form.errors["amounts"]}
        </p>
      )}
    </Stack>
  );
}

function LeftOfLine({ form, at, currency }: { form: Props["form"]; at: number; currency: string }) {
  const left = leftOfLine(form.values, at, currency);
  if (left === null) return <span className="quiet-text">Enter its price first.</span>;
  if (left === 0) return <span className="quiet-text">Shared out.</span>;
  return (
    <span role="status" className="quiet-text">
      {left > 0
        ? `${moneyText(left, currency)} is not shared out yet.`
        : `${moneyText(-left, currency)} more than it comes to.`}
    </span>
  );
}
