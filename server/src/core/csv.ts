const FORMULA_START = /^[\s]*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * One line of a CSV file (RFC 4180), ended by CRLF. A cell that a spreadsheet would take for a formula gets an
 * apostrophe in front (OWASP, CSV injection).
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
