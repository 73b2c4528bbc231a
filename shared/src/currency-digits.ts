/** How many digits a currency has after the point: GBP 2, JPY 0, KWD 3. Free of zod. */
export function fractionDigits(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
