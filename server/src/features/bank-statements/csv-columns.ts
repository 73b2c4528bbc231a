// Which column of a bank's table holds what, by its heading and by what stands in it.
import type { BankColumn, BankColumnOrNone } from "@app/shared/bank-columns";
import { foldText } from "@app/shared/text";
import { bankAmount, bankDay } from "./bank-values.ts";

/** The surest words first; each is looked for as a whole heading, then as a part of one. */
const WORDS: readonly (readonly [BankColumn, RegExp])[] = [
  [
    "date",
    /^(transaction |booking |posting |posted |value |completed |started )?date( \(utc\)| posted| completed)?$|^buchungstag$|^datum$/,
  ],
  ["paidIn", /^(paid in|money in|credit|credits|credit amount|in|deposits?|received|receipts)( \(?[a-z£€$]{1,3}\)?)?$/],
  ["paidOut", /^(paid out|money out|debit|debits|debit amount|out|withdrawals?|payments)( \(?[a-z£€$]{1,3}\)?)?$/],
  ["amount", /^(amount|transaction amount|value|betrag|montant|net amount|total)( \(?[a-z£€$]{1,3}\)?)?$/],
  ["direction", /^(credit\/debit|debit\/credit|cr\/dr|dr\/cr|credit or debit|direction|indicator)$/],
  ["currency", /^(currency|ccy|transaction currency|wahrung|devise)$/],
  ["payer", /^(name|payer|payer name|counter ?party( name)?|from|paid by|sender|merchant)$/],
  [
    "text",
    /(description|reference|narrative|details|memo|particulars|notes|verwendungszweck|libelle|transaction text)/,
  ],
];

/** A table whose first row says what the columns are, or is a transaction by itself. */
export interface Headed {
  headings: string[];
  columns: BankColumnOrNone[];
  /** How many rows stand before the first transaction. */
  skipped: number;
}

/** Banks write names, account numbers and empty rows over their table. */
export function headedBy(rows: readonly (readonly string[])[]): Headed {
  const at = rows.findIndex((cells) => isHeading(guessByHeadings(cells)));
  const heading = rows[at];
  if (heading) return { headings: named(heading), columns: guessByHeadings(heading), skipped: at + 1 };
  const first = rows.findIndex((cells) => isTransaction(guessByContent(cells)));
  const transaction = rows[first];
  if (transaction)
    return {
      headings: transaction.map((_, index) => `Column ${index + 1}`),
      columns: guessByContent(transaction),
      skipped: first,
    };
  const filled = rows.findIndex((cells) => cells.filter((cell) => cell.trim() !== "").length > 1);
  const top = rows[Math.max(filled, 0)] ?? [];
  return { headings: named(top), columns: guessByHeadings(top), skipped: Math.max(filled, 0) + 1 };
}

const named = (cells: readonly string[]): string[] => cells.map((cell, index) => cell.trim() || `Column ${index + 1}`);

const isHeading = (columns: readonly BankColumnOrNone[]): boolean =>
  columns.includes("date") && (columns.includes("amount") || columns.includes("paidIn"));

const isTransaction = (columns: readonly BankColumnOrNone[]): boolean =>
  columns.includes("date") && columns.includes("amount");

function guessByHeadings(cells: readonly string[]): BankColumnOrNone[] {
  const used = new Set<BankColumn>();
  const guessed = cells.map((cell): BankColumnOrNone => {
    const text = foldText(cell);
    const found = WORDS.find(([column, words]) => words.test(text) && (column === "text" || !used.has(column)))?.[0];
    if (found) used.add(found);
    return found ?? "";
  });
  // Where what came in has its own column, another amount is a sum or a balance.
  return guessed.map((column) => (column === "amount" && used.has("paidIn") ? "" : column));
}

function guessByContent(cells: readonly string[]): BankColumnOrNone[] {
  const used = new Set<BankColumn>();
  return cells.map((cell): BankColumnOrNone => {
    const once = (column: BankColumn) => {
      if (used.has(column)) return "";
      used.add(column);
      return column;
    };
    if (bankDay(cell, "dmy") ?? bankDay(cell, "mdy")) return once("date");
    if (/\d/.test(cell) && bankAmount(cell, ".", 2) !== null) return /[.,]\d\d\D*$/.test(cell) ? once("amount") : "";
    return /\p{L}{2}/u.test(cell) ? "text" : "";
  });
}
