// Which invoices a line may be for: by the number in its reference, or by exactly what is due and the payer's name.
import type { Certainty, MatchReason } from "@app/shared/bank-columns";
import type { MatchedInvoice } from "@app/shared/bank-statements";
import { foldText } from "@app/shared/text";
import type { InvoiceToMatch } from "../invoices/invoice-matching.service.ts";
import type { BankLineDoc } from "./bank-statements.model.ts";

export type Words = Pick<BankLineDoc, "payerName" | "text">;
type Line = Words & Pick<BankLineDoc, "amountMinor" | "currency">;

const LETTERED = /(?<![A-Z0-9])([A-Z]{1,4})[\s\-/.#]{0,2}(\d{4,8})(?!\d)/g;
const DIGITS = /(?<![A-Z0-9])(\d{4,8})(?![A-Z0-9])/g;
const AFTER_INVOICE = /(?<![A-Z])INV(?:OICE)?[\s.:#-]{0,3}(?:NO|NR|NUMBER)?[\s.:#-]{0,3}(\d{1,8})(?![A-Z0-9])/g;
const DIGITS_OF_NUMBER = 4;
const NUMBERS_MAX = 12;

export interface Named {
  number: string;
  /** It was written without the letters that the practice's numbers begin with. */
  isBare: boolean;
}

/** The numbers of invoices that these words may name. */
export function numbersIn({ payerName, text }: Words, prefix: string): Named[] {
  const words = `${payerName} ${text}`.toUpperCase();
  const found = new Map<string, Named>();
  const add = (number: string, isBare: boolean) => {
    if (!found.has(number)) found.set(number, { number, isBare });
  };
  for (const [, letters = "", digits = ""] of words.matchAll(LETTERED)) add(`${letters}-${digits}`, false);
  const bare = [...words.matchAll(DIGITS), ...words.matchAll(AFTER_INVOICE)];
  for (const [, digits = ""] of bare) {
    const padded = digits.padStart(DIGITS_OF_NUMBER, "0");
    add(prefix === "" ? padded : `${prefix}-${padded}`, prefix !== "");
  }
  return [...found.values()].slice(0, NUMBERS_MAX);
}

/** By the words of a name that a line has: all of them, or only the last. */
function nameReason(payerName: string, words: ReadonlySet<string>): MatchReason | null {
  const names = wordsIn(payerName).filter((word) => word.length > 1);
  const last = names.at(-1);
  if (last === undefined || !words.has(last)) return null;
  if (names.length > 1 && names.every((name) => words.has(name))) return "name";
  return last.length > 2 ? "surname" : null;
}

const wordsIn = (text: string): string[] => foldText(text).match(/\p{L}+/gu) ?? [];

interface Against {
  invoices: readonly InvoiceToMatch[];
  prefix: string;
  /** It may have been recorded by hand: then nothing is sure. */
  isDoubtful: boolean;
}

/** The surest first. Nothing is sure beside another that fits. */
export function matchesOf(line: Line, { invoices, prefix, isDoubtful }: Against): MatchedInvoice[] {
  const named = new Map(numbersIn(line, prefix).map(({ number, isBare }) => [number, isBare]));
  const words = new Set(wordsIn(`${line.payerName} ${line.text}`));
  const found = invoices.flatMap((invoice): MatchedInvoice[] => {
    if (invoice.dueMinor === 0 || invoice.currency !== line.currency) return [];
    const isBare = named.get(invoice.number);
    const name = nameReason(invoice.payerName, words);
    const isExact = invoice.dueMinor === line.amountMinor;
    // Half of the practice's invoices come to the same: an amount alone says nothing.
    if (isBare === undefined && !(isExact && name)) return [];
    const reasons: MatchReason[] = [
      ...(isBare === undefined ? [] : [isBare ? ("bare_number" as const) : ("number" as const)]),
      ...(isExact ? ["amount" as const] : []),
      ...(name ? [name] : []),
    ];
    const { id: invoiceId, number, state, payerName, dueMinor, currency } = invoice;
    return [{ invoiceId, number, state, payerName, dueMinor, currency, reasons, certainty: certaintyOf(reasons) }];
  });
  const isAlone = found.length === 1 && !isDoubtful;
  return found
    .map((match): MatchedInvoice =>
      match.certainty === "sure" && !isAlone ? { ...match, certainty: "likely" } : match,
    )
    .toSorted((one, other) => RANK[one.certainty] - RANK[other.certainty] || (one.number < other.number ? -1 : 1));
}

const RANK = { sure: 0, likely: 1, possible: 2 } as const satisfies Record<Certainty, number>;

function certaintyOf(reasons: readonly MatchReason[]): Certainty {
  const has = (reason: MatchReason) => reasons.includes(reason);
  if (has("number")) return has("amount") ? "sure" : "likely";
  if (has("bare_number")) return has("amount") || has("name") ? "likely" : "possible";
  return has("name") ? "likely" : "possible";
}

/** The only one that fits, where it is more than possible. */
export function proposedOf(matches: readonly MatchedInvoice[]): string | null {
  const [only] = matches;
  return only && matches.length === 1 && only.certainty !== "possible" ? only.invoiceId : null;
}
