// What the columns of a bank's list hold, and how files of banks are called. Free of zod.

export const STATEMENT_FORMATS = ["csv", "ofx", "camt053"] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
export const STATEMENT_FORMAT_NAMES = {
  csv: "CSV",
  ofx: "OFX",
  camt053: "CAMT.053",
} as const satisfies Record<StatementFormat, string>;

export const STATEMENT_MAX_BYTES = 5 * 1024 * 1024;
export const STATEMENT_ROWS_MAX = 20_000;
export const STATEMENT_LINES_MAX = 2000;
/** What is not recorded as a payment is forgotten then. */
export const STATEMENT_KEPT_DAYS = 30;
/** So many are recorded by one call; the page goes on with the next. */
export const CONFIRMED_AT_ONCE = 25;

export const BANK_COLUMNS = ["date", "text", "payer", "amount", "paidIn", "paidOut", "direction", "currency"] as const;
export type BankColumn = (typeof BANK_COLUMNS)[number];
export const BANK_COLUMN_NAMES = {
  date: "Date",
  text: "Description or reference",
  payer: "Name of the payer",
  amount: "Amount (above 0 came in)",
  paidIn: "Paid in",
  paidOut: "Paid out",
  direction: "In or out (credit or debit)",
  currency: "Currency",
} as const satisfies Record<BankColumn, string>;
/** A bank may write what a payment is for in several columns. */
const REPEATED: readonly BankColumn[] = ["text"];

/** For each column of the file what it holds; empty where it is left out. */
export type BankColumnOrNone = BankColumn | "";

/** Why a list cannot be read by these columns; empty where it can. */
export function bankColumnsProblem(columns: readonly BankColumnOrNone[]): string {
  const has = (column: BankColumn) => columns.includes(column);
  const twice = BANK_COLUMNS.find(
    (column) => !REPEATED.includes(column) && columns.filter((one) => one === column).length > 1,
  );
  if (twice) return `Two columns are “${BANK_COLUMN_NAMES[twice]}”. Choose one of them.`;
  if (!has("date")) return "Choose the column with the date.";
  if (has("amount") && has("paidIn")) return "Choose either one column for the amount, or one for what was paid in.";
  if (!has("amount") && !has("paidIn")) return "Choose the column with the amount, or with what was paid in.";
  if (!has("text") && !has("payer")) return "Choose the column with the description or reference.";
  return "";
}

/** How a line of the statement and an invoice were found to belong together. */
export const MATCH_REASONS = ["number", "bare_number", "amount", "name", "surname"] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];
export const MATCH_REASON_WORDS = {
  number: "its number is in the reference",
  bare_number: "its number, without the letters, is in the reference",
  amount: "the amount is what is due",
  name: "the name is the payer’s",
  surname: "the last name is the payer’s",
} as const satisfies Record<MatchReason, string>;

/** `sure` is what is confirmed together with others; `likely` is proposed where nothing else fits; `possible` is only named. */
export const CERTAINTIES = ["sure", "likely", "possible"] as const;
export type Certainty = (typeof CERTAINTIES)[number];
export const CERTAINTY_NAMES = { sure: "Sure", likely: "Likely", possible: "Possible" } as const satisfies Record<
  Certainty,
  string
>;

export const BANK_LINE_STATES = ["open", "recorded", "set_aside"] as const;
export type BankLineState = (typeof BANK_LINE_STATES)[number];
export const BANK_LINE_STATE_NAMES = {
  open: "To decide",
  recorded: "Already recorded",
  set_aside: "Set aside",
} as const satisfies Record<BankLineState, string>;
