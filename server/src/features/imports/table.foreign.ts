// The rows of a file that somebody imports, read and written down again as they will be stored.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { cutText } from "@app/shared/cut-text";
import {
  IMPORT_CELL_MAX_CHARACTERS,
  IMPORT_COLUMNS_MAX,
  IMPORT_MAX_CHARACTERS,
  IMPORT_ROW_MAX_CHARACTERS,
  IMPORT_ROWS_MAX,
} from "@app/shared/imports";
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { foreignWork } from "../../core/foreign-work.ts";
import { cleanCell } from "../../core/cell-values.ts";
import type { Chunk } from "./import-chunk.ts";
import { openSource } from "./import-source.ts";
import { CELLS_MAX } from "../../core/source-csv.ts";

const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 1_000_000;
const SAMPLE_ROWS = 3;
const SAMPLE_CELL_LENGTH = 60;
const LETTERS = 26;

interface Table {
  headings: string[];
  sample: string[][];
  firstRow: number;
  total: number;
  readAs: string;
}

const inputSchema = z.object({
  file: z.string(),
  /** Where the rows are written to. */
  chunksFile: z.string(),
});

export const work = foreignWork(inputSchema, async ({ file, chunksFile }): Promise<Table> => {
  const source = await openSource(file);
  const found = { headings: [], sample: [], firstRow: 0, rows: 0 };
  const lines = linesOf(chunksOf(rowsBelowHeadings(source.rows, found)));
  await pipeline(Readable.from(lines), createWriteStream(chunksFile, { mode: 0o600, flags: "wx" }));
  const { headings, sample, firstRow, rows } = found;
  if (headings.length === 0 || rows < firstRow)
    throw badField("file", "This file has no rows below its headings. Choose another file.");
  return { headings, sample, firstRow, total: rows - firstRow + 1, readAs: source.readAs() };
});

interface Found extends Pick<Table, "headings" | "sample" | "firstRow"> {
  /** How many were read, the headings and empty ones before them included. */
  rows: number;
}

interface Row {
  row: number;
  cells: string[];
}

async function* rowsBelowHeadings(source: AsyncIterable<string[]>, found: Found): AsyncGenerator<Row> {
  for await (const all of source) {
    found.rows += 1;
    const row = found.rows;
    const cells = all.slice(0, all.findLastIndex((cell) => cell.trim() !== "") + 1);
    if (cells.length > CELLS_MAX)
      throw badField("file", `Row ${row} has more than ${CELLS_MAX} cells. Correct or leave out this row.`);
    assertBearable(row, cells);
    if (found.headings.length === 0) {
      found.headings = headingsOf(cells);
      found.firstRow = row + 1;
      continue;
    }
    if (row - found.firstRow >= IMPORT_ROWS_MAX)
      throw badField("file", "This file has more than 100,000 rows. Divide it into several files.");
    if (found.sample.length < SAMPLE_ROWS && cells.length > 0)
      found.sample.push(found.headings.map((_, index) => cutText(cells[index] ?? "", SAMPLE_CELL_LENGTH)));
    yield { row, cells };
  }
}

/** Whatever wrote the file: what one cell costs is read, checked and stored with each of its rows. */
function assertBearable(row: number, cells: readonly string[]): void {
  const count = (max: number) => max.toLocaleString("en-GB");
  if (cells.some(({ length }) => length > IMPORT_CELL_MAX_CHARACTERS))
    throw badField(
      "file",
      `Row ${row} has a cell of more than ${count(IMPORT_CELL_MAX_CHARACTERS)} characters. Shorten it, or leave out this row.`,
    );
  if (cells.reduce((sum, { length }) => sum + length, 0) > IMPORT_ROW_MAX_CHARACTERS)
    throw badField(
      "file",
      `Row ${row} has more than ${count(IMPORT_ROW_MAX_CHARACTERS)} characters. Shorten it, or leave out this row.`,
    );
}

async function* chunksOf(source: AsyncIterable<Row>): AsyncGenerator<Chunk> {
  let from = 0;
  let rows: string[] = [];
  let characters = 0;
  let left = IMPORT_MAX_CHARACTERS;
  const chunk = () => ({ from, count: rows.length, rows: `[${rows.join(",")}]` });
  for await (const { row, cells } of source) {
    const written = JSON.stringify(cells);
    left -= written.length;
    if (left < 0)
      throw badField("file", "This file holds more text than can be taken in at once. Divide it into several files.");
    if (rows.length === 0) from = row;
    rows.push(written);
    characters += written.length;
    if (rows.length < CHUNK_ROWS && characters < CHUNK_CHARACTERS) continue;
    yield chunk();
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield chunk();
}

async function* linesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<string> {
  for await (const chunk of chunks)
    // These two end a line as well for whoever reads lines, and JSON leaves them as they are.
    yield `${JSON.stringify(chunk).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}

/** The first row that holds anything; a column without a heading is called as a spreadsheet calls it. */
function headingsOf(cells: string[]): string[] {
  const texts = cells.map((cell) => cutText(cleanCell(cell).replace(/\s+/g, " "), SAMPLE_CELL_LENGTH));
  const width = texts.findLastIndex(Boolean) + 1;
  if (width > IMPORT_COLUMNS_MAX)
    throw badField(
      "file",
      `This file has more than ${IMPORT_COLUMNS_MAX} columns. Leave out those that are not needed.`,
    );
  return texts.slice(0, width).map((text, index) => text || `Column ${columnLetters(index)}`);
}

const columnLetters = (index: number): string =>
  (index >= LETTERS ? columnLetters(Math.floor(index / LETTERS) - 1) : "") +
  String.fromCharCode("A".charCodeAt(0) + (index % LETTERS));
