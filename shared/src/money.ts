// How amounts are written. Free of zod, because the page on which people come back from paying loads it.
import { fractionDigits } from "./currency-digits.ts";
import type { Money } from "./money-schema.ts";

export function formatMoney(money: Money, locale: string): string {
  const amount = money.amountMinor / 10 ** fractionDigits(money.currency);
  return new Intl.NumberFormat(locale, { style: "currency", currency: money.currency }).format(amount);
}
