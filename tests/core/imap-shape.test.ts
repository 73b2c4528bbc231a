// Which lines of a mail server get to the library's parser.
import { readableLines } from "@app/server/core/imap-shape";
import { describe, expect, test } from "vitest";

const KB = 1024;
const read = (line: string) => readableLines(Buffer.from(line));
const textsOf = (line: string) => read(line)?.lines.map(String);
const structureOf = (parts: number) =>
  `* 7 FETCH (UID 7 BODYSTRUCTURE (${'("application" "pdf" ("name" "a.pdf") NIL NIL "7bit" 2 NIL NIL NIL NIL)'.repeat(parts)} "mixed"))`;

describe("the lines of a mail server", () => {
  test.each([
    '* LIST (\\HasNoChildren \\Sent) "/" "Sent Items"',
    "* OK [PERMANENTFLAGS (\\Answered \\Flagged $Junk \\*)] Limited",
    `* CAPABILITY ${"IMAP4rev1 IDLE ESEARCH ".repeat(200)}`,
    `* 7 FETCH (UID 7 FLAGS (\\Seen) X "${"A[".repeat(50 * KB)}")`,
    `* 7 FETCH (UID 7 X "\\"${"A[".repeat(50 * KB)}")`,
    structureOf(5000),
  ])("S74: %.60s, when it is what any server says, is read as it is", (line) => {
    expect(textsOf(line)).toEqual([line]);
  });

  test.each([
    `* LIST (\\A) "/" ${"A[".repeat(KB)}`,
    `* LIST (\\A) "/" "${"A[".repeat(KB)}"`,
    `* LIST (${"\\A ".repeat(20 * KB)}) "/" x`,
    `* OK [X (A"${"[".repeat(3 * KB)}`,
    `A7 OK [X ${"1,".repeat(2 * KB)}`,
    `* ESEARCH UID ALL ${"1,A,".repeat(20 * KB)}`,
    `* ESEARCH UID ALL ${"1 ".repeat(20 * KB)}`,
    `* SEARCH ${"1 ".repeat(3000 * KB)}`,
    `* SEARCH 1 ${"1,".repeat(20 * KB)}`,
  ])("S74: %.40s, when it goes on like that, ends the connection", (line) => {
    expect(read(line)).toBeNull();
  });

  test.each([
    `* 7 FETCH (UID 7 X ${"A[".repeat(2 * KB)})`,
    `* 7 FETCH (UID 7 X A"${"[".repeat(3 * KB)})`,
    `* 7 FETCH (UID 7 BODY[]<${"1".repeat(3 * KB)}> NIL)`,
    `* 7 FETCH (UID 7 X "\\\\" ${"1,".repeat(2 * KB)})`,
    structureOf(20_000),
  ])("S74: %.40s of one mail, when it goes on like that, is left out, and the others are read", (line) => {
    expect(read(line)).toEqual({ lines: [Buffer.from("* OK left out\r\n")], isLeftOut: true });
  });

  test("S74: numbers of half a million mails, when they come in one line, are read in short ones", () => {
    const numbers = Array.from({ length: 500_000 }, (_, index) => String(index + 1));
    const lines = textsOf(`* SEARCH ${numbers.join(" ")}`) ?? [];
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(9 * KB);
    expect(lines.flatMap((line) => line.replace("* SEARCH ", "").split(" "))).toEqual(numbers);
  });

  test("S74: ranges of very many mails, when they come in one word, are read as a string", () => {
    const ranges = "1:3,5,".repeat(40 * KB);
    expect(textsOf(`* ESEARCH (TAG "A7") UID ALL ${ranges}9`)).toEqual([`* ESEARCH (TAG "A7") UID ALL "${ranges}9"`]);
  });
});
