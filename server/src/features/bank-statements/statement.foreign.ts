// What came in by the file of a bank: its kind by what stands in it, whatever it is called.
import { readFile } from "node:fs/promises";
import { BANK_COLUMNS, STATEMENT_FORMATS, STATEMENT_LINES_MAX } from "@app/shared/bank-columns";
import { bankTableSchema } from "@app/shared/bank-statements";
import { DATE_ORDERS } from "@app/shared/imports";
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { foreignWork } from "../../core/foreign-work.ts";
import { sampleOf, textOf } from "../../core/source-text.ts";
import { leftOutSchema, readLineSchema } from "./bank-line.ts";
import { readCamt } from "./camt-statement.ts";
import { readCsv } from "./csv-statement.ts";
import { readOfx } from "./ofx-statement.ts";

const inputSchema = z.object({
  file: z.string(),
  columns: z.array(z.enum(["", ...BANK_COLUMNS])).nullable(),
  dateOrder: z.enum(DATE_ORDERS).nullable(),
  currency: z.string(),
  usualOrder: z.enum(DATE_ORDERS),
});

export const readStatementSchema = z.object({
  format: z.enum(STATEMENT_FORMATS),
  /** Of CSV alone. */
  table: bankTableSchema.nullable(),
  lines: z.array(readLineSchema),
  leftOut: leftOutSchema,
});
type ReadStatement = z.infer<typeof readStatementSchema>;

export const work = foreignWork(inputSchema, async (given): Promise<ReadStatement> => {
  const read = await readAny(given);
  if (read.lines.length > STATEMENT_LINES_MAX)
    throw badField(
      "file",
      "More than 2,000 amounts came in by this file. Choose a shorter period and export it again.",
    );
  return read;
});

async function readAny({ file, ...said }: z.infer<typeof inputSchema>): Promise<ReadStatement> {
  const sample = await sampleOf(file);
  if (sample.length === 0) throw badField("file", "This file is empty. Choose a file with transactions in it.");
  const start = sample.subarray(0, 4096).toString("latin1");
  if (/<(?:\w+:)?BkToCstmrStmt[\s>]|camt\.053/.test(start))
    return { format: "camt053", table: null, ...assertSome(readCamt(await wholeText(file))) };
  if (/OFXHEADER|<OFX>/i.test(start))
    return { format: "ofx", table: null, ...assertSome(readOfx(await wholeText(file), said.currency)) };
  if (/^(?:\uFEFF|ï»¿)?\s*<|^%PDF|^PK/.test(start))
    throw badField("file", "This is no bank statement that can be read. Choose one as CSV, OFX or CAMT.053.");
  return { format: "csv", ...(await readCsv(textOf(file, sample), said)) };
}

function assertSome<Read extends Pick<ReadStatement, "lines" | "leftOut">>(read: Read): Read {
  const { paidOut, notBooked, unreadableCount } = read.leftOut;
  if (read.lines.length + paidOut + notBooked + unreadableCount === 0)
    throw badField("file", "This file has no transactions. Choose another one.");
  return read;
}

/** Of a file that is not large, and may be one long line. */
async function wholeText(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder("windows-1252").decode(bytes);
    throw error;
  }
}
