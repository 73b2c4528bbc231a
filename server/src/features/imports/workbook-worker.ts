// Reads the first sheet of an Excel workbook in a thread of its own, where a hostile one can exhaust only itself.
import { createReadStream } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { InvalidInputError, readSheet } from "read-excel-file/node";
import { z } from "zod";
import { NoZipError, unpacksWithin } from "./zip-guard.ts";

const UNPACKED_MAX_BYTES = 150 * 1024 * 1024;
const BATCH = 1000;
// A time of day without a day: Excel counts its days from the end of 1899.
const TIME_ONLY_YEAR = 1900;

const { file } = z.object({ file: z.string() }).parse(workerData);
try {
  if (!(await unpacksWithin(file, UNPACKED_MAX_BYTES))) post({ refusal: "too-large" });
  else {
    const rows = await readSheet(createReadStream(file));
    for (let start = 0; start < rows.length; start += BATCH)
      post({ rows: rows.slice(start, start + BATCH).map((row) => row.map(cellText)) });
    post({ refusal: null });
  }
} catch (error) {
  if (!(error instanceof NoZipError || error instanceof InvalidInputError || error instanceof Error)) throw error;
  post({ refusal: "unreadable" });
}

function post(message: { rows: string[][] } | { refusal: "too-large" | "unreadable" | null }) {
  parentPort?.postMessage(message);
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
