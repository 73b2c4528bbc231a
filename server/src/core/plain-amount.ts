import { fractionDigits } from "@app/shared/currency-digits";

/** For a spreadsheet: digits and a point, and nothing that depends on a place. */
export function plainAmount(minor: number, currency: string): string {
  const digits = fractionDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const sign = minor < 0 ? "-" : "";
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
