// What somebody typed as an amount, as far as it can be read in one way only. Free of zod.
import { asciiDigits } from "./typed-digits.ts";

const AROUND = /[£$€]/g;
const LENGTH_MAX = 40;
const PLAIN = /^-?\d+(?:\.\d*)?$|^-?\.\d+$/;
/** 1,250.00 and 1 250.00 */
const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$|^-?\d{1,3}(?: \d{3})+(?:\.\d*)?$/;
/** 12,50 and 1.250,00 and 1 250,00 */
const WITH_COMMA = /^-?(?:\d+|\d{1,3}(?:[. ]\d{3})+),(\d+)$/;

/**
 * Null for what is no amount, or could be two: as 1.250 is, with two digits after the point, for a thousand and for one.
 * A comma is read as a point only before just as many digits as the currency has.
 */
export function amountIn(typed: string, digits: number | null, currency: string | null = null): number | null {
  if (typed.length > LENGTH_MAX || isForeign(typed, currency)) return null;
  const text = asciiDigits(typed).replace(/\s/g, " ").replace(AROUND, "").trim();
  if (GROUPED.test(text)) return within(Number(text.replace(/[, ]/g, "")), text, digits);
  if (PLAIN.test(text)) return within(Number(text), text, digits);
  const cents = WITH_COMMA.exec(text)?.[1];
  if (cents === undefined || digits !== cents.length || digits === 0 || digits === 3) return null;
  return Number(text.replace(/[. ]/g, "").replace(",", "."));
}

/** With the sign of another currency, which is no amount of this one. */
const isForeign = (typed: string, currency: string | null): boolean =>
  currency !== null && (typed.match(/\p{Sc}/gu) ?? []).some((sign) => sign !== signOf(currency));

export const signOf = (currency: string): string => partIn(currency, "narrowSymbol");
const partIn = (currency: string, currencyDisplay: "narrowSymbol" | "name"): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency, currencyDisplay })
    .formatToParts(2)
    .find(({ type }) => type === "currency")?.value ?? currency;

/** More digits than there are pence are no pence. */
const within = (amount: number, text: string, digits: number | null): number | null =>
  digits !== null && (text.split(".")[1] ?? "").length > digits ? null : amount;

/** What to do about a text that is no amount. */
export function amountHint(typed: unknown, digits: number | null, currency: string | null = null): string {
  if (currency !== null && typeof typed === "string" && isForeign(typed, currency))
    return `Enter the amount in ${partIn(currency, "name")}, not in another currency`;
  const what = digits === null ? "a number" : "an amount";
  if (typeof typed !== "string" || !/[\d][.,]/.test(asciiDigits(typed)))
    return `Enter ${what} in figures, such as 1250`;
  if (digits === null) return "Use a point for decimals, such as 12.5, and no commas but between thousands";
  if (digits === 0) return "Enter a whole amount, such as 1250";
  return `Use a point for pence, such as ${(12.5).toFixed(digits)}, and a comma only between thousands, such as 1,250`;
}
