// A list of clients as practices bring it along: most of it good, and a little of everything that goes wrong.
import type { ImportCounts } from "@app/shared/imports";

export interface DirtyList {
  /** Its lines; those in Windows-1252 are marked, the others are Unicode. */
  lines: { text: string; isWindows: boolean }[];
  counts: Pick<ImportCounts, "ready" | "duplicates" | "bad" | "empty">;
  /** The row numbers that the report must name. */
  told: number[];
}

const HEADINGS = "First name,Surname,E-mail,Mobile,Date of birth,Address,Postcode,May email,Notes";
const KINDS = ["badDate", "duplicate", "formula", "windows", "empty", "noSurname", "surplus", "badEmail"] as const;
type Dirt = (typeof KINDS)[number] | "none";

/** Every sixth row has something to it, each kind in turn. */
const dirtOf = (index: number): Dirt =>
  index % 6 === 5 ? (KINDS[Math.floor(index / 6) % KINDS.length] ?? "none") : "none";

function lineOf(index: number, dirt: Dirt): string {
  const number = String(index).padStart(6, "0");
  const day = `${String((index % 28) + 1).padStart(2, "0")}/${String((index % 12) + 1).padStart(2, "0")}/${1950 + (index % 50)}`;
  const cells = {
    first: dirt === "windows" ? "Zoë" : `Ife${letters(index)}`,
    last: dirt === "noSurname" ? "" : `Oyelaran${letters(index)}`,
    email: dirt === "badEmail" ? "nobody at example" : `ife${dirt === "duplicate" ? "000000" : number}@example.org`,
    phone: `0770${number}0`,
    born: dirt === "badDate" ? "31/02/1985" : day,
  };
  if (dirt === "empty") return index % 2 === 0 ? ",,,,,,,," : "";
  const notes = dirt === "formula" ? `"=HYPERLINK(""https://example.org"",""x"")"` : `"Needs a ramp, ""wide"" one"`;
  return [
    cells.first,
    cells.last,
    cells.email,
    cells.phone,
    cells.born,
    `${index % 200} Kiln Row`,
    "LS6 2QX",
    "yes",
    notes,
  ]
    .concat(dirt === "surplus" ? ["one too many"] : [])
    .join(",");
}

/** Letters, because a name takes no digits. */
const letters = (index: number): string => String(index).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");

const BAD: readonly Dirt[] = ["badDate", "formula", "noSurname", "surplus", "badEmail"];

export function dirtyList(rows: number): DirtyList {
  const counts = { ready: 0, duplicates: 0, bad: 0, empty: 0 };
  const lines = [{ text: HEADINGS, isWindows: false }];
  const told: number[] = [];
  for (let index = 0; index < rows; index++) {
    const dirt = dirtOf(index);
    lines.push({ text: lineOf(index, dirt), isWindows: dirt === "windows" });
    if (BAD.includes(dirt)) counts.bad += 1;
    else if (dirt === "duplicate") counts.duplicates += 1;
    else if (dirt === "empty") counts.empty += 1;
    else counts.ready += 1;
    if (BAD.includes(dirt) || dirt === "duplicate") told.push(index + 2);
  }
  return { lines, counts, told };
}

/** In one file, each line in its own encoding. */
export const mixedBytes = ({ lines }: Pick<DirtyList, "lines">): Buffer<ArrayBuffer> =>
  Buffer.concat(lines.map(({ text, isWindows }) => Buffer.from(`${text}\r\n`, isWindows ? "latin1" : "utf8")));

const textOf = ({ lines }: Pick<DirtyList, "lines">) => lines.map(({ text }) => `${text}\r\n`).join("");

/** The whole list in each encoding that a spreadsheet may choose. */
export const ENCODINGS: Record<string, (list: Pick<DirtyList, "lines">) => Buffer<ArrayBuffer>> = {
  "UTF-8": (list) => Buffer.from(textOf(list)),
  "UTF-8 with a byte order mark": (list) => Buffer.from(`\uFEFF${textOf(list)}`),
  "Windows-1252": (list) => Buffer.from(textOf(list), "latin1"),
  "UTF-8 and Windows-1252 by turns": mixedBytes,
  "UTF-16LE with a byte order mark": (list) => Buffer.from(`\uFEFF${textOf(list)}`, "utf16le"),
  "UTF-16BE with a byte order mark": (list) => Buffer.from(`\uFEFF${textOf(list)}`, "utf16le").swap16(),
  "UTF-16LE without a mark": (list) => Buffer.from(textOf(list), "utf16le"),
};
