// A table as an Excel workbook. Every cell is a text: whatever it begins with, no spreadsheet takes it for a formula.
import writeXlsxFile from "write-excel-file/node";
import { z } from "zod";
import { foreignWork } from "./foreign-work.ts";

const HEADING_ROWS = 1;

const tableSchema = z.strictObject({ headings: z.array(z.string()), rows: z.array(z.array(z.string())) });

export const work = foreignWork(tableSchema, async ({ headings, rows }): Promise<Uint8Array> => {
  const cell = (value: string) => ({ value, type: String });
  const heading = (value: string) => ({ ...cell(value), fontWeight: "bold" as const });
  const table = [headings.map(heading), ...rows.map((row) => row.map(cell))];
  return writeXlsxFile(table, { stickyRowsCount: HEADING_ROWS }).toBuffer();
});
