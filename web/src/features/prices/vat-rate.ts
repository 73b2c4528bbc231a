// Rates of VAT as they stand in a form: per cent, with up to two digits after the point.
import { amountIn } from "@app/shared/typed-amounts";

const PERCENT_BP = 100;

export const typedRate = (rateBp: number): string => String(rateBp / PERCENT_BP);

/** In basis points; null for what is no rate. */
export function readRate(typed: string): number | null {
  const text = typed.replace("%", "").trim();
  const rate = amountIn(text, 2);
  return text === "" || rate === null ? null : Math.round(rate * PERCENT_BP);
}

export const rateProblem = (typed: string): string =>
  readRate(typed) === null ? "Enter the rate in per cent, such as 20 or 0" : "";

export const rateText = (rateBp: number): string => `${typedRate(rateBp)} %`;
