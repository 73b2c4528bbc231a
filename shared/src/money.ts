import { z } from "zod";
import { fractionDigits } from "./currency-digits.ts";

/** Integer minor units and an ISO 4217 code, so that no sum is ever rounded twice. */
export const moneySchema = z.strictObject({
  amountMinor: z.number().int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Money = z.infer<typeof moneySchema>;

export function formatMoney(money: Money, locale: string): string {
  const amount = money.amountMinor / 10 ** fractionDigits(money.currency);
  return new Intl.NumberFormat(locale, { style: "currency", currency: money.currency }).format(amount);
}
