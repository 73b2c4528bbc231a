// Which lines of a mail server's answers the library reads, and in what pieces. Its parser looks at a whole word again at
// each `[`, `,`, `:` and `\` in it: 32 kB of `A[A[` take 50 ms, 128 kB 0.7 s, 512 kB a minute and a half. Pure.

// No flag, folder, number or name of a field is as long; what is longer comes in quotes or counted, and is read once.
const WORD_MAX_BYTES = 2000;
// Folders with their flags, keywords, capabilities. All of them that were looked at are below 4 kB.
const LINE_MAX_BYTES = 32 * 1024;
// The structure of a mail of 5,000 parts. Read in half a second, without the literals in it.
const MAIL_MAX_BYTES = 512 * 1024;
// The numbers of half a million mails, one by one or as ranges.
const NUMBERS_MAX_BYTES = 4 * 1024 * 1024;
const RANGES_MAX_BYTES = 1024 * 1024;
const NUMBERS_AT_ONCE_BYTES = 8 * 1024;
const WORDS_MAX = 50;

const FETCHED = /^\* \d{1,10} FETCH /i;
const NUMBERS = /^\* SEARCH /i;
const RANGES = /^\* ESEARCH /i;
const LEFT_OUT = Buffer.from("* OK left out\r\n");

const [SPACE, QUOTE, BACKSLASH, ...ENDS] = Buffer.from(' "\\()\r\n');

/** What the library reads in place of this line, without its literals; null where the connection has to end over it. */
export function readableLines(line: Buffer): { lines: Buffer[]; isLeftOut: boolean } | null {
  const start = line.toString("latin1", 0, 20);
  const asIs = { lines: [line], isLeftOut: false };
  if (FETCHED.test(start)) {
    const isFit = line.length <= MAIL_MAX_BYTES && !hasLongWord(line);
    return isFit ? asIs : { lines: [LEFT_OUT], isLeftOut: true };
  }
  if (line.length <= LINE_MAX_BYTES && !hasLongRun(line)) return asIs;
  const lines = NUMBERS.test(start) ? someNumbers(line) : RANGES.test(start) ? quotedRanges(line) : null;
  return lines && { ...asIs, lines };
}

/** Whether it has a word outside of strings that is too long. Within a word a quote is none, and ends the reading. */
function hasLongWord(line: Buffer): boolean {
  let length = 0;
  let isInString = false;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE && length === 0) {
      isInString = true;
    } else if (byte === SPACE || ENDS.includes(byte)) {
      length = 0;
    } else if ((length += 1) > WORD_MAX_BYTES) {
      return true;
    }
  }
  return false;
}

/** The same where nobody knows what a quote or a bracket means. */
function hasLongRun(line: Buffer): boolean {
  for (let start = 0; line.length - start > WORD_MAX_BYTES;) {
    const space = line.lastIndexOf(SPACE ?? 0, start + WORD_MAX_BYTES);
    if (space < start) return true;
    start = space + 1;
  }
  return false;
}

/** A long answer as several short ones, which say the same (RFC 3501, section 7.2.5). */
function someNumbers(line: Buffer): Buffer[] | null {
  if (line.length > NUMBERS_MAX_BYTES) return null;
  const pieces: Buffer[] = [];
  const name = "* SEARCH ";
  for (let start = name.length; start < line.length;) {
    const rest = line.subarray(start, start + NUMBERS_AT_ONCE_BYTES);
    const space = start + rest.length < line.length ? rest.lastIndexOf(SPACE ?? 0) : rest.length;
    const piece = space > 0 ? rest.subarray(0, space) : rest;
    if (hasLongRun(piece)) return null;
    pieces.push(Buffer.concat([Buffer.from(name), piece]));
    start += piece.length + 1;
  }
  return pieces;
}

/** Ranges as a string, which the library reads once. */
function quotedRanges(line: Buffer): Buffer[] | null {
  if (line.length > RANGES_MAX_BYTES) return null;
  const words = line.toString("latin1").split(" ", WORDS_MAX + 1);
  if (words.length > WORDS_MAX) return null;
  const quoted = words.map((word) => (word.length > WORD_MAX_BYTES && /^[\d:,*]+$/.test(word) ? `"${word}"` : word));
  if (quoted.some((word) => word.length > WORD_MAX_BYTES && !word.startsWith('"'))) return null;
  return [Buffer.from(quoted.join(" "), "latin1")];
}
