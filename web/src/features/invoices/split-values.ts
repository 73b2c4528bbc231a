// One set of lines in parts: as somebody types who pays how much of it.
import { invoiceTotals, netOf, type Totals } from "@app/shared/invoice-totals";
import { type Payer, PAYERS_MAX, type Shares, splitLines } from "@app/shared/payer-shares";
import { voucherFirst } from "@app/shared/vouchers";
import { readAmount } from "../../ui/amount-field.tsx";
import { readRate, typedRate } from "../prices/vat-rate.ts";
import { type LineValues, readLine } from "./invoice-lines.ts";
import { lineProblems } from "./invoice-record.ts";
import type { PayerChoice } from "./payer-choices.ts";

export const SPLIT_METHODS = { equal: "In equal parts", share_bp: "Per cent", custom: "Amounts" } as const;
export type SplitMethod = keyof typeof SPLIT_METHODS;

export interface SplitValues {
  lines: LineValues[];
  notes: string;
  /** Keys of the payers, in the order in which they are offered. */
  payers: string[];
  method: SplitMethod | "";
  /** Per cent of each payer. */
  shares: Record<string, string>;
  /** Of each payer what they pay of each line, without VAT. */
  amounts: Record<string, string[]>;
  /** Who pays what cannot be divided. */
  remainder: string;
  /** What the voucher pays of it, as far as it goes, before the rest is shared; 0 where it pays nothing. */
  voucherMinor: number;
}

const WHOLE_BP = 10_000;

/** The lines as far as they can be read; null while one cannot. */
function readWhole(lines: readonly LineValues[], currency: string) {
  const read = lines.flatMap((line) => readLine(line, currency) ?? []);
  return read.length === lines.length && read.length > 0 ? read : null;
}

/** What of them is shared, once the voucher paid its part. */
const readLines = (values: SplitValues, currency: string) => {
  const read = readWhole(values.lines, currency);
  return read && voucherFirst(read, values.voucherMinor).rest;
};

const sharesIn = ({ payers, shares }: SplitValues): (number | null)[] =>
  payers.map((key) => readRate(shares[key] ?? ""));

/** In basis points, as far as it is typed. */
export const sharesSum = (values: SplitValues): number =>
  sharesIn(values).reduce<number>((sum, share) => sum + (share ?? 0), 0);

/** Whether something is left over that somebody has to pay more than the others. */
export function hasRemainder(values: SplitValues, currency: string): boolean {
  const lines = readLines(values, currency);
  const count = values.payers.length;
  if (!lines || count < 2) return false;
  const nets = lines.map(netOf);
  if (values.method === "equal") return nets.some((net) => net % count !== 0);
  if (values.method !== "share_bp" || sharesSum(values) !== WHOLE_BP) return false;
  const shares = sharesIn(values).map((share) => share ?? 0);
  return nets.some((net) => shares.some((share) => (net * share) % WHOLE_BP !== 0));
}

/** What of a line nobody pays yet, in minor units; below nothing where they pay more than there is. */
export function leftOfLine(values: SplitValues, at: number, currency: string): number | null {
  const line = readLines(values, currency)?.[at];
  if (!line) return null;
  const paid = values.payers.map((key) => readAmount(values.amounts[key]?.[at] ?? "", currency) ?? 0);
  return netOf(line) - paid.reduce((sum, part) => sum + part, 0);
}

export type Choices = readonly PayerChoice[];
const payerOf = (key: string, choices: Choices): Payer[] =>
  choices.filter((choice) => choice.key === key).map(({ payer }) => payer);

/** With the voucher one more is enough. */
const leastPayers = ({ voucherMinor }: SplitValues): number => (voucherMinor > 0 ? 1 : 2);

/** As it is sent; null while something of it cannot be read. */
export function sharesOf(values: SplitValues, choices: Choices, currency: string): Shares | null {
  const { payers, method, amounts, lines, remainder } = values;
  const known = payers.flatMap((key) => payerOf(key, choices));
  if (known.length !== payers.length || known.length < leastPayers(values)) return null;
  const remainderAt = Math.max(0, payers.indexOf(remainder));
  if (method === "equal") return { method, remainderAt, payers: known.map((payer) => ({ payer })) };
  if (method === "share_bp") {
    const shares = sharesIn(values);
    if (shares.includes(null) || sharesSum(values) !== WHOLE_BP) return null;
    return { method, remainderAt, payers: known.map((payer, at) => ({ payer, shareBp: shares[at] ?? 0 })) };
  }
  if (method !== "custom" || values.voucherMinor > 0 || lines.some((_, at) => leftOfLine(values, at, currency) !== 0))
    return null;
  const netsOf = (key: string) => lines.map((_, at) => readAmount(amounts[key]?.[at] ?? "", currency) ?? 0);
  return {
    method,
    payers: known.map((payer, at) => ({ payer, netMinor: netsOf(payers[at] ?? "") })),
  };
}

/** What each payer's own invoice comes to; null while it cannot be said. */
export function partsOf(values: SplitValues, choices: Choices, currency: string): Totals[] | null {
  const lines = readLines(values, currency);
  const shares = sharesOf(values, choices, currency);
  if (!lines || !shares || isRemainderOpen(values, currency)) return null;
  return splitLines(lines, shares).map((part) => invoiceTotals(part.lines));
}

/** What the voucher's own invoice comes to; null where it pays nothing, or a line cannot be read. */
export function voucherPart({ lines, voucherMinor }: SplitValues, currency: string): Totals | null {
  const read = readWhole(lines, currency);
  return read && voucherMinor > 0 ? invoiceTotals(voucherFirst(read, voucherMinor).byVoucher) : null;
}

const isRemainderOpen = (values: SplitValues, currency: string): boolean =>
  hasRemainder(values, currency) && !values.payers.includes(values.remainder);

export function splitProblems(values: SplitValues, currency: string): Record<string, string> {
  const { lines, payers, method } = values;
  const problems = lineProblems(lines, currency);
  if (payers.length < leastPayers(values))
    problems["payers"] = values.voucherMinor > 0 ? "Choose who pays the rest" : "Choose at least two who pay";
  if (payers.length > PAYERS_MAX) problems["payers"] = `Choose at most ${PAYERS_MAX} who pay`;
  if (method === "") problems["method"] = "Choose how it is shared";
  if (method === "share_bp" && sharesSum(values) !== WHOLE_BP)
    problems["shares"] = `The shares make ${typedRate(sharesSum(values))} %, not 100 %`;
  if (method === "custom" && values.voucherMinor > 0)
    problems["method"] = "What the voucher leaves is shared in equal parts or per cent. Choose one of these";
  else if (method === "custom" && lines.some((_, at) => leftOfLine(values, at, currency) !== 0))
    problems["amounts"] = "Share out each line, no more and no less than it comes to";
  if (isRemainderOpen(values, currency)) problems["remainder"] = "Choose who pays what cannot be divided";
  return problems;
}
