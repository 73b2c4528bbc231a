// What somebody could send to keep a server from everybody else: small to send, and a great deal to read.
import { aMail, aNestedMail } from "../mail/imap-mail.ts";
import { workbook, zip } from "./workbook.ts";

const MEGABYTE = 1024 * 1024;
const calendarOf = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...lines, "END:VCALENDAR", ""].join("\r\n");
const eventOf = (number: number, start: string, rule: string): string[] => [
  "BEGIN:VEVENT",
  `UID:event-${number}`,
  `DTSTART:${start}`,
  "DURATION:PT1S",
  `RRULE:${rule}`,
  "END:VEVENT",
];
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

/** Calendar files, by what they do. */
export const CALENDARS: Record<string, string> = {
  "a rule that never comes true": calendarOf(...eventOf(0, "20200101T000000Z", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30")),
  "a hundred endless rules": calendarOf(
    ...many(100, (index) => eventOf(index, "20200101T000000Z", "FREQ=MINUTELY")).flat(),
  ),
  "something every second": calendarOf(...eventOf(0, "20250101T000000Z", "FREQ=SECONDLY")),
  "something every day since the year 1": calendarOf(...eventOf(0, "00010101T000000Z", "FREQ=DAILY")),
  "nine thousand single events": calendarOf(
    ...many(9000, (index) => [
      "BEGIN:VEVENT",
      `UID:${index}`,
      `DTSTART:${soon()}`,
      "DURATION:PT1H",
      "END:VEVENT",
    ]).flat(),
  ),
};

function soon(): string {
  const stamp = new Date(Date.now() + 7 * 86_400_000).toISOString();
  return stamp.replace(/[-:]|\.\d{3}/g, "");
}

/** Layouts of mails, by what they do. */
export const LAYOUTS: Record<string, string> = {
  "elements in each other": "<div>".repeat(190_000),
  "tables in each other": "<table><tr><td>".repeat(60_000),
};

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const SHEET = "xl/worksheets/sheet1.xml";
const sheet = (rows: string): Buffer<ArrayBuffer> =>
  workbook([], { [SHEET]: `<worksheet><sheetData>${rows}</sheetData></worksheet>` });

/** A workbook that says one text, and in so many cells of so many rows that it is what stands there. */
function repeated(text: string, { cells, rows }: { cells: number; rows: number }): Buffer<ArrayBuffer> {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const one = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`;
  const row = (at: number, said: number) =>
    `<row r="${at}">${many(cells, (column) => one(`${String.fromCharCode(65 + column)}${at}`, said)).join("")}</row>`;
  const all = [row(1, 0), ...many(rows, (index) => row(index + 2, 1))].join("");
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const related = (id: number, what: string, part: string) =>
    `<Relationship Id="rId${id}" Type="${relations}/${what}" Target="${part}"/>`;
  return workbook([], {
    [SHEET]: `<worksheet ${main}><sheetData>${all}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst ${main}><si><t>Surname</t></si><si><t>${text}</t></si></sst>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related(1, "worksheet", "worksheets/sheet1.xml")}${related(2, "sharedStrings", "sharedStrings.xml")}</Relationships>`,
  });
}

/** Workbooks, by what they do. */
export const WORKBOOKS: Record<string, () => Buffer<ArrayBuffer>> = {
  "two cells far apart": () =>
    sheet(`<row r="1">${cell("XFD1", "x")}</row><row r="1048576">${cell("A1048576", "x")}</row>`),
  "a part of 200 MB": () => zip({ "xl/workbook.xml": Buffer.alloc(200 * MEGABYTE, " "), [SHEET]: "<x/>" }),
  "many parts that are large together": () =>
    zip(Object.fromEntries(many(100, (index) => [`xl/part${index}.xml`, Buffer.alloc(MEGABYTE, " ")]))),
  "a text of a megabyte in each of its cells": () => repeated("A".repeat(MEGABYTE), { cells: 20, rows: 20 }),
  "a long text in thousands of cells": () => repeated("A".repeat(30_000), { cells: 6, rows: 1000 }),
};

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (...all: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`;

/** A Word document with this body; parts that are given stand beside those that every one has. */
export function wordDocument(body: string, parts: Record<string, string | Buffer> = {}): Buffer<ArrayBuffer> {
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return zip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    "_rels/.rels": relations(`<Relationship Id="r1" Type="${RELATED}/officeDocument" Target="word/document.xml"/>`),
    "word/document.xml": `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}
const wordPara = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const nestedIn = (begin: string, end: string, depth: number) => begin.repeat(depth) + wordPara("x") + end.repeat(depth);

/** Word documents that cost more than they may, by what they do. */
export const WORD_DOCUMENTS: Record<string, () => Buffer<ArrayBuffer>> = {
  "a part of 200 MB": () => wordDocument("", { "word/styles.xml": Buffer.alloc(200 * MEGABYTE, " ") }),
  "twenty thousand parts": () =>
    wordDocument("", Object.fromEntries(many(20_000, (index) => [`word/media/${index}.png`, "x"]))),
  "a million paragraphs": () => wordDocument(wordPara("x").repeat(350_000)),
  "more paragraphs than a text has": () => wordDocument(wordPara("x").repeat(30_000)),
  "elements within each other": () =>
    wordDocument(nestedIn("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", 60_000)),
  "tables within each other": () => wordDocument(nestedIn("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 20_000)),
  "names for names for names": () =>
    wordDocument("", {
      "word/document.xml": `<!DOCTYPE w:document [${many(30, (index) => `<!ENTITY e${index + 1} "&e${index};&e${index};">`).join("")}<!ENTITY e0 "lol">]><w:document ${WORD}><w:body>${wordPara("&e30;")}</w:body></w:document>`,
    }),
  "half of a document": () => wordDocument(wordPara("x")).subarray(0, 300),
};

/** One that has pictures lie elsewhere: in a file of the server, and at an address. */
export const wordThatReachesOut = (address: string): Buffer<ArrayBuffer> => {
  const picture = (id: string) =>
    `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="x" descr="A picture"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="${RELATED}" ${id}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const related = (id: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATED}/image" Target="${target}" TargetMode="External"/>`;
  const script = `<w:p><w:hyperlink xmlns:r="${RELATED}" r:id="js"><w:r><w:t>press</w:t></w:r></w:hyperlink></w:p>`;
  return wordDocument(
    `${picture('r:link="f"')}${picture('r:link="h"')}${picture('r:embed="up"')}${script}${wordPara("Words")}`,
    {
      "word/_rels/document.xml.rels": relations(
        related("f", "file:///etc/passwd"),
        related("h", `${address}/canary.png`),
        related("up", "../../../../../../etc/passwd"),
        related("js", "javascript:alert(1)"),
      ),
    },
  );
};

/** Lists whose cells are as long as a cell may be, of very many words each. */
export const LONG_LISTS = [
  {
    kind: "cases" as const,
    csv: `Party 1,Party 2,Mediators\n${`${"a ".repeat(16_000)},Bob Ray,"${"b;".repeat(16_000)}"\n`.repeat(20)}`,
  },
  {
    kind: "meetings" as const,
    csv: `Client,Day,Starts,Mediators\n${`${"a ".repeat(16_000)},12/04/2026,09:30,"${"b;".repeat(16_000)}"\n`.repeat(20)}`,
  },
  {
    kind: "contacts" as const,
    csv: `Surname,Role,Phone\n${`${"a ".repeat(16_000)},"${"b;".repeat(16_000)}","${"1;".repeat(16_000)}"\n`.repeat(20)}`,
  },
];

/** Tables in text, by what they do. */
export const TABLES: Record<string, () => string> = {
  "rows of very many cells": () => `Surname\n${`${",".repeat(99_999)}x\n`.repeat(20)}`,
  "a row of nothing but delimiters": () => `a,b\n${",".repeat(19 * MEGABYTE)}`,
  "a row of empty quoted cells": () => `a,b\n${'"",'.repeat(6 * MEGABYTE)}`,
  "a row of single signs": () => `a,b\n${"x,".repeat(9 * MEGABYTE)}`,
  "headings of nothing but tabs": () => "\t".repeat(19 * MEGABYTE),
  "one line without an end": () => `Surname\n${"x".repeat(19 * MEGABYTE)}`,
  "lines that old programs end": () => "x\r".repeat(9 * MEGABYTE),
};

/** Statements of a bank, by what they do; each as large as one may be. */
export const STATEMENTS: Record<string, () => string> = {
  "tags in tags": () => `<OFX>${"<A>".repeat(1_500_000)}`,
  "tags that nothing closes, and ends of others": () => `<OFX>${"<STMTTRN><TRNAMT>1</B>".repeat(200_000)}`,
  "nothing but cells": () => `Date,Text,Amount\n${"x,".repeat(2_000_000)}`,
  "one text without an end": () => `<OFX><STMTTRN><MEMO>${"x".repeat(4 * MEGABYTE)}`,
};

export const deepJson = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
export const wideJson = (length: number): string => `[${"1,".repeat(length)}1]`;

/** A picture of which only its parts are many. */
export function brokenJpeg(bytes = 20 * MEGABYTE): Buffer<ArrayBuffer> {
  const picture = Buffer.alloc(bytes, Buffer.from([0xff, 0xe2, 0x00, 0x02]));
  return Buffer.concat([Buffer.from([0xff, 0xd8]), picture]);
}

interface Written {
  from?: string;
  /** The text beside its layout. */
  plain?: string;
  depth?: number;
}
const PRIYA = "priya@example.org";

/** A mail of this layout. */
export const htmlMail = (layout: string, { from = PRIYA, plain = "" }: Written = {}): string =>
  aMail({
    from,
    headers: ['Content-Type: multipart/alternative; boundary="r"'],
    text: [
      ...(plain ? [`--r\nContent-Type: text/plain; charset=utf-8\n\n${plain}`] : []),
      `--r\nContent-Type: text/html; charset=utf-8\n\n${layout.replace(/.{900}/g, "$&\n")}\n--r--`,
    ].join("\n"),
  });

/** A mail of so many attachments, so deep in its parts. */
export function mailOfParts(count: number, { from = PRIYA, depth = 5 }: Written = {}): string {
  const start = (index: number) => `--b${index}\nContent-Type: multipart/mixed; boundary="b${index + 1}"\n\n`;
  const part = `--b${depth}\nContent-Type: application/pdf; name=a.pdf\n\nx\n`;
  return aMail({
    from,
    subject: "Many parts",
    headers: ['Content-Type: multipart/mixed; boundary="b0"'],
    text: many(depth, start).join("") + part.repeat(count),
  });
}

interface Heavy {
  mail: (from: string) => string;
  /** There is more of it than anybody reads. */
  isUnreadable: boolean;
}

const addresses = (count: number): string => many(count, (index) => `n${index}@example.com`).join(",\n ");
const heavy = (from: string, fields: Parameters<typeof aMail>[0]) => aMail({ from, subject: "Heavy", ...fields });
const withParts = (from: string, count: number, name: string): string =>
  mailOfParts(count, { from }).replace("Many parts", "Heavy").replaceAll("name=a.pdf", `name="${name}"`);

/** Mails that a mail program reads for seconds, by what they have very much of. */
export const HEAVY_MAILS: Record<string, Heavy> = {
  "combining marks": {
    mail: (from) => heavy(from, { headers: [`Cc: ${"\u0301".repeat(120_000)}@example.org`] }),
    isUnreadable: false,
  },
  "marks in many addresses": {
    mail: (from) =>
      heavy(from, { headers: [`Cc: ${many(120, () => `${"\u0301".repeat(900)}@example.org`).join(", ")}`] }),
    isUnreadable: false,
  },
  "20,000 addresses": { mail: (from) => heavy(from, { to: addresses(20_000) }), isUnreadable: false },
  "150,000 addresses": { mail: (from) => heavy(from, { to: addresses(150_000) }), isUnreadable: false },
  "parts with long names": { mail: (from) => withParts(from, 9000, "n".repeat(200)), isUnreadable: true },
  "parts with names in other letters": {
    mail: (from) => withParts(from, 9000, "\u00fc".repeat(100)),
    isUnreadable: true,
  },
  "parts upon parts": { mail: (from) => withParts(from, 60_000, "a.pdf"), isUnreadable: true },
  "3,000 levels": {
    mail: (from) => aNestedMail({ levels: 3000, from }).replace("Many levels", "Heavy"),
    isUnreadable: true,
  },
  "a mail in it to 100,000": {
    mail: (from) =>
      heavy(from, {
        headers: ["Content-Type: message/rfc822"],
        text: aMail({ to: addresses(100_000) }),
      }),
    isUnreadable: true,
  },
};

/** Of a file as a certificate comes in (X.690): a tag, how long it is, and what is in it. */
function der(tag: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const said = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length % 256];
  return Buffer.concat([Buffer.from([tag, ...said]), content]);
}

const SHA_256 = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];
const DATA = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];

/** A certificate whose password is only known after two thousand million rounds (RFC 7292, appendix B). */
export function endlessCertificate(): Buffer {
  const nothing = der(0xa0, der(0x04, der(0x30)));
  const check = der(0x30, der(0x30, der(0x06, SHA_256), [0x05, 0x00]), der(0x04, Buffer.alloc(32)));
  const rounds = der(0x02, [0x7f, 0xff, 0xff, 0xff]);
  return der(
    0x30,
    der(0x02, [3]),
    der(0x30, der(0x06, DATA), nothing),
    der(0x30, check, der(0x04, Buffer.alloc(8)), rounds),
  );
}
