// The rows of a file that somebody chose, whatever program wrote it.
import { badField } from "../../core/errors.ts";
import { csvRows, delimiterOf } from "../../core/source-csv.ts";
import { sampleOf, textOf } from "../../core/source-text.ts";
import { workbookRows } from "./source-workbook.ts";

const ZIP = Buffer.from("PK\u0003\u0004");
const OLD_EXCEL = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

export interface ImportSource {
  rows: AsyncIterable<string[]>;
  /** How it was read, in words; complete once all rows were taken. */
  readAs(): string;
}

export async function openSource(file: string): Promise<ImportSource> {
  const sample = await sampleOf(file);
  if (sample.length === 0) throw badField("file", "This file is empty. Choose a file with rows in it.");
  if (sample.subarray(0, 4).equals(OLD_EXCEL))
    throw badField("file", "This is an old Excel file. Save it as .xlsx or CSV and choose it again.");
  if (sample.subarray(0, 4).equals(ZIP))
    return { rows: workbookRows(file), readAs: () => "Excel workbook, first sheet" };
  const text = textOf(file, sample);
  let words = "";
  const rows = csvRows(text, (start) => {
    const delimiter = delimiterOf(start);
    words = delimiter.name;
    return delimiter;
  });
  return { rows, readAs: () => `CSV with ${words}, ${text.readAs()}` };
}
