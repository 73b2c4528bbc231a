// The first sheet of an Excel workbook.
import { readFile } from "node:fs/promises";
import { unzipSync, zipSync } from "fflate";
import { readSheet } from "read-excel-file/universal";
import { badField } from "../../core/errors.ts";
import { TooMuch } from "../../core/foreign-work.ts";
import { isBearableSheet } from "./sheet-bounds.ts";

const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;
// A time of day without a day: Excel counts its days from the end of 1899.
const TIME_ONLY_YEAR = 1900;

/** Its rows, the headings and empty ones included. */
export async function* workbookRows(file: string): AsyncGenerator<string[]> {
  for (const row of await sheetOf(file)) yield row.map(cellText);
}

async function sheetOf(file: string): Promise<unknown[][]> {
  const { parts, isWhole } = bearable(await partsIn(file));
  try {
    // Packed anew without compression: the reader would unpack each large part in a thread of its own, without limits.
    return await readSheet(zipSync(parts, { level: 0 }).buffer);
  } catch {
    if (!isWhole) throw new TooMuch("mostly gaps");
    throw unreadable();
  }
}

const unreadable = () =>
  badField("file", "This workbook cannot be read. Save it again as .xlsx or as CSV and choose it again.");

async function partsIn(file: string) {
  try {
    return partsOf(await readFile(file));
  } catch (error) {
    throw error instanceof TooMuch ? error : unreadable();
  }
}

/** No part gets more room than the archive says that it takes, so that no reader with bounds of its own is needed. */
function partsOf(archive: Uint8Array) {
  let left = UNPACKED_MAX_BYTES;
  return unzipSync(archive, {
    filter({ name, originalSize }) {
      if (!/\.xml(\.rels)?$/.test(name)) return false;
      left -= originalSize;
      if (left < 0) throw new TooMuch();
      return true;
    },
  });
}

/** Whatever cannot be borne is left out, because the first sheet may be another one. */
function bearable(parts: Record<string, Uint8Array>) {
  const kept = Object.entries(parts).filter(([, part]) => isBearableSheet(part));
  return { parts: Object.fromEntries(kept), isWhole: kept.length === Object.keys(parts).length };
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return typeof cell === "string" || typeof cell === "number" ? String(cell) : "";
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const [day = "", time = ""] = date.toISOString().split("T");
  const clock = time.slice(0, 5);
  if (date.getUTCFullYear() < TIME_ONLY_YEAR) return clock;
  return clock === "00:00" ? day : `${day} ${clock}`;
}
