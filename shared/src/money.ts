import { z } from "zod";

/** Integer minor units and an ISO 4217 code, so that no sum is ever rounded twice. */
export const moneySchema = z.strictObject({
  amountMinor: z.number().int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Money = z.infer<typeof moneySchema>;

/** How many digits a currency has after the point: GBP 2, JPY 0, KWD 3. */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

export function formatMoney(money: Money, locale: string): string {
  const amount = money.amountMinor / 10 ** fractionDigits(money.currency);
  return new Intl.NumberFormat(locale, { style: "currency", currency: money.currency }).format(amount);
}
