// How large a sheet of a workbook is once it is read: the reader fills every gap, so a single cell far out would cost as
// much as a sheet that is full up to it.

const CELLS_MAX = 5_000_000;
// How a sheet is written (ISO/IEC 29500-1, 18.3.1.4 and 18.3.1.73); a name may have a prefix.
const OPENING_TAG = /<(?:[\w.-]+:)?(row|c)(?=[\s/>])([^<>]*)>/g;
const PLACE = /\sr\s*=\s*["']([^"']*)["']/;
const OF_ROW = /^\d{1,7}$/;
const OF_CELL = /^([A-Z]{1,3})(\d{1,7})$/;
const LETTERS = 26;

/** Whether what is no more than a part of a workbook can be read: no sheet, or one that is not mostly gaps. */
export function isBearableSheet(part: Uint8Array): boolean {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (!xml.includes("sheetData")) return true;
  let [rows, columns] = [0, 0];
  for (const [, tag, attributes = ""] of xml.toString("latin1").matchAll(OPENING_TAG)) {
    const place = PLACE.exec(attributes)?.[1];
    if (tag === "row") {
      if (place !== undefined && !OF_ROW.test(place)) return false;
      continue;
    }
    const [, letters, row] = OF_CELL.exec(place ?? "") ?? [];
    if (!letters) return false;
    // Formatted, and empty.
    if (attributes.endsWith("/")) continue;
    rows = Math.max(rows, Number(row));
    columns = Math.max(columns, columnOf(letters));
    if (rows * columns > CELLS_MAX) return false;
  }
  return true;
}

const columnOf = (letters: string): number =>
  Array.from(letters).reduce((column, letter) => LETTERS * column + letter.charCodeAt(0) - "A".charCodeAt(0) + 1, 0);
