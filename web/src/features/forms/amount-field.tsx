import { MONEY_MAX_MINOR, NUMBER_MAX } from "@app/shared/form-limits";
import { fractionDigits } from "@app/shared/currency-digits";
import { NumberInput } from "@mantine/core";

interface Props {
  label?: string;
  "aria-label"?: string;
  description?: string;
  size?: "xs" | "sm";
  /** Amounts of money are shown in whole units and kept in the smallest. */
  currency: string | null;
  isWhole?: boolean;
  min?: number;
  max?: number;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** A number that may be left out. */
export function AmountField({ currency, isWhole = false, value, onChange, size = "sm", min, max, ...names }: Props) {
  const digits = currency === null ? 0 : fractionDigits(currency);
  const scale = 10 ** digits;
  const limit = currency === null ? NUMBER_MAX : MONEY_MAX_MINOR / scale;
  return (
    <NumberInput
      {...names}
      size={size}
      min={min ?? -limit}
      max={max ?? limit}
      clampBehavior="strict"
      decimalScale={currency === null ? (isWhole ? 0 : 4) : digits}
      hideControls
      value={value === null ? "" : value / scale}
      onChange={(typed) => {
        const amount = typed === "" ? null : Number(typed);
        if (amount === null || Number.isFinite(amount))
          onChange(amount === null ? null : currency === null ? amount : Math.round(amount * scale));
      }}
    />
  );
}
