import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { IMPORT_COLUMNS_MAX, IMPORT_ROW_MAX_CHARACTERS } from "@app/shared/imports";
import { badField } from "./errors.ts";
import { type SourceText } from "./source-text.ts";

const DELIMITERS = [
  { sign: ",", name: "commas" },
  { sign: ";", name: "semicolons" },
  { sign: "\t", name: "tabs" },
  { sign: "|", name: "upright strokes" },
] as const;
const SAMPLE_LINES = 20;
// Whatever comes at once is parsed at once.
const PIECE_LENGTH = 65_536;
/** The line with which Excel is told the separator; it shows no such row. */
const STATED = /^"?sep=(.)"?(?:\r\n|\n|\r)/i;
const recordSchema = z.array(z.string());

/** More than a row may have; the headings allow fewer. */
export const CELLS_MAX = 10 * IMPORT_COLUMNS_MAX;

export type Delimiter = (typeof DELIMITERS)[number];

/** The sign that stands most often outside quotation marks in the first lines. */
export function delimiterOf(sample: string): Delimiter {
  const stated = DELIMITERS.find(({ sign }) => sign === STATED.exec(sample)?.[1]);
  if (stated) return stated;
  const lines = sample.replace(/"[^"]*"/g, "").split(/\r\n|\n|\r/, SAMPLE_LINES);
  const counts = DELIMITERS.map((delimiter) => ({
    delimiter,
    count: lines.reduce((sum, line) => sum + line.split(delimiter.sign).length - 1, 0),
  }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? DELIMITERS[0];
}

/** The rows of a CSV file, the headings and empty ones included. */
export async function* csvRows({ parts }: SourceText, delimiterFor: (start: string) => Delimiter) {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  const start = first.done === true ? "" : first.value.replace(/^\uFEFF/, "");
  async function* all() {
    yield* piecesOf(start.replace(STATED, ""));
    for (let part = await iterator.next(); part.done !== true; part = await iterator.next())
      yield* piecesOf(part.value);
  }
  const delimiter = delimiterFor(start.slice(0, PIECE_LENGTH)).sign;
  const parser = Readable.from(all()).compose(
    parse({
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: IMPORT_ROW_MAX_CHARACTERS,
      // What is behind the last cell that may be is one more, delimiters and all: so the characters of a row bound its
      // cells as well, which would otherwise be as many as the file has bytes.
      ignore_last_delimiters: CELLS_MAX + 1,
    }),
  );
  try {
    for await (const record of parser) yield withoutEmptyRest(recordSchema.parse(record), delimiter);
  } catch (error) {
    if (error instanceof CsvError) throw badField("file", plainReason(error));
    throw error;
  }
}

/** A spreadsheet may end its rows with as many delimiters as it has columns. */
function withoutEmptyRest(cells: string[], delimiter: string): string[] {
  const isEmpty = cells[CELLS_MAX]?.replaceAll(delimiter, "").trim() === "";
  return isEmpty ? cells.slice(0, CELLS_MAX) : cells;
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH);
}

function plainReason(error: CsvError): string {
  const line = typeof error["lines"] === "number" ? ` near line ${error["lines"]}` : "";
  if (error.code === "CSV_QUOTE_NOT_CLOSED")
    return `A quotation mark${line} is never closed, so the rows after it cannot be told apart. Mend it and choose the file again.`;
  if (error.code === "CSV_MAX_RECORD_SIZE")
    return `A row${line} is too long. Look for a quotation mark that is not closed, mend it and choose the file again.`;
  return `The file cannot be read${line}. Save it again as CSV and choose it again.`;
}
