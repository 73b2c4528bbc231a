// A bank's table as CSV: what it is asked of, and what came in by it.
import {
  bankColumnsProblem,
  type BankColumn,
  type BankColumnOrNone,
  STATEMENT_ROWS_MAX,
} from "@app/shared/bank-columns";
import type { BankTable } from "@app/shared/bank-statements";
import { fractionDigits } from "@app/shared/currency-digits";
import { cutText } from "@app/shared/cut-text";
import { IMPORT_COLUMNS_MAX } from "@app/shared/imports";
import { cleanCell } from "../../core/cell-values.ts";
import { badField } from "../../core/errors.ts";
import { csvRows, delimiterOf } from "../../core/source-csv.ts";
import type { SourceText } from "../../core/source-text.ts";
import {
  type LeftOut,
  noteUnreadable,
  nothingLeftOut,
  PAYER_NAME_MAX_LENGTH,
  type ReadLine,
  TEXT_MAX_LENGTH,
} from "./bank-line.ts";
import { bankAmount, bankDay, dateOrderIn, decimalSignIn, isIncoming } from "./bank-values.ts";
import { headedBy } from "./csv-columns.ts";

/** So far down the headings are looked for. */
const HEAD_ROWS = 25;
const SAMPLE_ROWS = 3;
const SAMPLE_CELL_LENGTH = 60;

export interface Said {
  columns: BankColumnOrNone[] | null;
  dateOrder: BankTable["dateOrder"] | null;
  /** Of the practice, for what names none, and for days that can be read in two ways. */
  currency: string;
  usualOrder: BankTable["dateOrder"];
}

export interface CsvStatement {
  table: BankTable;
  /** Nothing as long as the columns are asked. */
  lines: ReadLine[];
  leftOut: LeftOut;
}

export async function readCsv(text: SourceText, said: Said): Promise<CsvStatement> {
  const rows = await rowsOf(text);
  const { headings, columns: guessed, skipped } = headedBy(rows.slice(0, HEAD_ROWS));
  if (headings.length === 0 || headings.length > IMPORT_COLUMNS_MAX || rows.length <= skipped)
    throw badField("file", "This file has no transactions below its headings. Choose another file.");
  const below = rows.slice(skipped);
  const columns = said.columns ?? guessed;
  if (columns.length !== headings.length) throw badField("columns", "Say for each column of the file what it holds.");
  const found = dateOrderIn(cellsOf(below, columns, "date"));
  const table = {
    headings: headings.map((heading) => cutText(heading, SAMPLE_CELL_LENGTH)),
    sample: below
      .filter((cells) => cells.some((cell) => cell !== ""))
      .slice(0, SAMPLE_ROWS)
      .map((cells) => headings.map((_, index) => cutText(cells[index] ?? "", SAMPLE_CELL_LENGTH))),
    columns,
    dateOrder: said.dateOrder ?? found ?? said.usualOrder,
    isDateOrderSure: found !== null,
    rows: below.length,
    readAs: text.readAs(),
  };
  if (said.columns === null) return { table, lines: [], leftOut: nothingLeftOut() };
  const problem = bankColumnsProblem(columns);
  if (problem) throw badField("columns", problem);
  return { table, ...linesOf(below, { columns, dateOrder: table.dateOrder, currency: said.currency, skipped }) };
}

async function rowsOf(text: SourceText): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const cells of csvRows(text, delimiterOf)) {
    if (rows.length >= STATEMENT_ROWS_MAX)
      throw badField("file", "This file has more than 20,000 rows. Choose a shorter period and export it again.");
    rows.push(cells.slice(0, IMPORT_COLUMNS_MAX + 1).map((cell) => cleanCell(cutText(cell, TEXT_MAX_LENGTH))));
  }
  return rows;
}

const cellsOf = (rows: readonly string[][], columns: readonly BankColumnOrNone[], column: BankColumn): string[] => {
  const at = columns.indexOf(column);
  return at < 0 ? [] : rows.map((cells) => cells[at] ?? "").filter((cell) => cell !== "");
};

interface Read {
  columns: readonly BankColumnOrNone[];
  dateOrder: BankTable["dateOrder"];
  currency: string;
  skipped: number;
}

function linesOf(rows: readonly string[][], { columns, dateOrder, currency, skipped }: Read) {
  const leftOut = nothingLeftOut();
  const lines: ReadLine[] = [];
  const money = columns.includes("paidIn") ? "paidIn" : "amount";
  const decimal = decimalSignIn([...cellsOf(rows, columns, money), ...cellsOf(rows, columns, "paidOut")]);
  rows.forEach((cells, index) => {
    if (cells.every((cell) => cell === "")) return;
    const one = (column: BankColumn) => cells[columns.indexOf(column)] ?? "";
    const named = one("currency").toUpperCase();
    const of = /^[A-Z]{3}$/.test(named) ? named : currency;
    const amountMinor = incoming(
      { cell: one(money), direction: one("direction"), isOut: one("paidOut") !== "" },
      (cell) => bankAmount(cell, decimal, fractionDigits(of)),
    );
    const on = bankDay(one("date"), dateOrder);
    if (amountMinor === null || (amountMinor > 0 && on === null)) return noteUnreadable(leftOut, skipped + index + 1);
    if (amountMinor <= 0 || on === null) return void (leftOut.paidOut += 1);
    const text = cells.filter((cell, at) => columns[at] === "text" && cell !== "").join(" ");
    lines.push({
      on,
      amountMinor,
      currency: of,
      payerName: cutText(one("payer"), PAYER_NAME_MAX_LENGTH),
      text: cutText(text, TEXT_MAX_LENGTH),
      account: "",
    });
  });
  return { lines, leftOut };
}

interface Cells {
  cell: string;
  direction: string;
  /** Something stands where it says what went out. */
  isOut: boolean;
}

/** What came in, nothing where it went out, null where nobody can tell. */
function incoming({ cell, direction, isOut }: Cells, read: (cell: string) => number | null): number | null {
  if (cell === "") return isOut ? 0 : null;
  const amountMinor = read(cell);
  if (amountMinor === null || direction === "") return amountMinor;
  const isIn = isIncoming(direction);
  return isIn === null ? null : isIn ? Math.abs(amountMinor) : 0;
}
