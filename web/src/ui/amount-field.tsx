import { moneyText } from "@app/shared/answer-texts";
import { fractionDigits } from "@app/shared/currency-digits";
import { amountHint, amountIn, signOf } from "@app/shared/typed-amounts";
import { TextInput } from "@mantine/core";

/** An amount as it stands in a form: what is typed, until it can be read in one way only. */
export const typedAmount = (amountMinor: number | null, currency: string): string => {
  if (amountMinor === null) return "";
  const digits = fractionDigits(currency);
  return (amountMinor / 10 ** digits).toFixed(digits);
};

/** In minor units; null where nothing is typed, or what is typed is no amount. */
export function readAmount(typed: string, currency: string): number | null {
  const digits = fractionDigits(currency);
  const amount = amountIn(typed, digits, currency);
  return typed.trim() === "" || amount === null ? null : Math.round(amount * 10 ** digits);
}

/** What to do about a text that is no amount; nothing where it is one, or is left empty. */
export const amountProblem = (typed: string, currency: string): string =>
  typed.trim() !== "" && readAmount(typed, currency) === null
    ? amountHint(typed, fractionDigits(currency), currency)
    : "";

interface Props {
  label: string;
  description?: string;
  currency: string;
  /** Without what was understood beside it, where there is no room. */
  isPlain?: boolean;
  value: string;
  error: string | undefined;
  onChange: (payload: unknown) => void;
}

export function AmountField({ label, description, currency, isPlain = false, value, error, onChange }: Props) {
  const understood = readAmount(value, currency);
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="decimal"
      autoComplete="off"
      leftSection={<span aria-hidden>{signOf(currency)}</span>}
      {...(isPlain
        ? {}
        : {
            rightSection: understood !== null && (
              <span className="quiet-text nowrap">{moneyText(understood, currency)}</span>
            ),
            rightSectionWidth: 120,
          })}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
