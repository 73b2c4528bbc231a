// A table for a spreadsheet, as a CSV file or as an Excel workbook.
import { csvLine } from "./csv.ts";
import { sendLines } from "./csv-answer.ts";
import type { AskedBy } from "./raw-route.ts";
import { sendWorkbook, type Table } from "./xlsx.ts";

export type TableFormat = "csv" | "xlsx";

const BYTE_ORDER_MARK = "\uFEFF";

export const sendTable = (asked: AskedBy, things: string, table: Table, as: TableFormat): Promise<void> =>
  as === "xlsx" ? sendWorkbook(asked, `${things}.xlsx`, table) : sendLines(asked, `${things}.csv`, linesOf(table));

/** The lines of a CSV file of its own. */
export async function* linesOf({ headings, rows }: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(headings);
  for await (const cells of rows) yield csvLine(cells);
}
