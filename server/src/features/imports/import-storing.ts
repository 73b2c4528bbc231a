// A file on its way into the database, piece by piece.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { cutText } from "@app/shared/cut-text";
import { IMPORT_COLUMNS_MAX, IMPORT_MAX_BYTES, IMPORT_ROWS_MAX } from "@app/shared/imports";
import { TRPCError } from "@trpc/server";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import { spool, TooLargeError } from "../files/blobs.ts";
import { cleanCell } from "./cell-values.ts";
import { openSource } from "./import-source.ts";
import { ImportChunkModel } from "./imports.model.ts";

const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 1_000_000;
const SAMPLE_ROWS = 3;
const SAMPLE_CELL_LENGTH = 60;
const LETTERS = 26;

export interface StoredSource {
  /** What tells this file from another one. */
  hash: string;
  headings: string[];
  sample: string[][];
  firstRow: number;
  total: number;
  readAs: string;
}

/** Stores the rows of a file that arrives. A file that breaks off or cannot be read throws. */
export async function storeSource(ownerId: string, importId: string, arriving: Readable): Promise<StoredSource> {
  const file = await spooled(arriving);
  try {
    const hash = await hashOf(file);
    return { hash, ...(await storeRows(ownerId, importId, file)) };
  } finally {
    await rm(file, { force: true });
  }
}

async function spooled(arriving: Readable): Promise<string> {
  try {
    return (await spool(arriving, IMPORT_MAX_BYTES)).file;
  } catch (error) {
    throw error instanceof TooLargeError ? tooLargeImport() : error;
  }
}

export const tooLargeImport = () =>
  new TRPCError({
    code: "PAYLOAD_TOO_LARGE",
    message: "This file is larger than 20 MB. Divide it into several files, and leave out columns that are not needed.",
  });

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("base64url");
}

async function storeRows(ownerId: string, importId: string, file: string): Promise<Omit<StoredSource, "hash">> {
  const source = await openSource(file);
  const chunks = chunkWriter(ownerId, importId);
  let headings: string[] = [];
  const sample: string[][] = [];
  let row = 0;
  let firstRow = 0;
  for await (const cells of source.rows) {
    row += 1;
    if (headings.length === 0) {
      headings = headingsOf(cells);
      firstRow = row + 1;
      continue;
    }
    if (row - firstRow >= IMPORT_ROWS_MAX)
      throw badField("file", "This file has more than 100,000 rows. Divide it into several files.");
    if (sample.length < SAMPLE_ROWS && cells.some((cell) => cell.trim()))
      sample.push(headings.map((_, index) => cutText(cells[index] ?? "", SAMPLE_CELL_LENGTH)));
    await chunks.add(row, cells);
  }
  await chunks.flush();
  if (headings.length === 0 || row < firstRow)
    throw badField("file", "This file has no rows below its headings. Choose another file.");
  return { headings, sample, firstRow, total: row - firstRow + 1, readAs: source.readAs() };
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

function chunkWriter(ownerId: string, importId: string) {
  let from = 0;
  let rows: string[][] = [];
  let characters = 0;

  async function flush(): Promise<void> {
    if (rows.length === 0) return;
    await ImportChunkModel.create([
      { ownerId, importId, from, count: rows.length, rows: JSON.stringify(rows), keptFrom: now() },
    ]);
    rows = [];
    characters = 0;
  }

  return {
    flush,
    async add(row: number, cells: string[]): Promise<void> {
      if (rows.length === 0) from = row;
      const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
      rows.push(filled);
      characters += filled.reduce((sum, cell) => sum + cell.length, 0);
      if (rows.length >= CHUNK_ROWS || characters >= CHUNK_CHARACTERS) await flush();
    },
  };
}
