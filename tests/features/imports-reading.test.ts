import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSource } from "@app/server/features/imports/import-source";
import { dayOf, timeOf } from "@app/server/core/cell-values";
import { IMPORT_FIELDS, suggestColumns } from "@app/shared/import-fields";
import { IMPORT_KINDS } from "@app/shared/import-states";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";

const dir = mkdtempSync(path.join(tmpdir(), "evenhand-reading-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ENCODERS: Record<string, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text),
  utf8Marked: (text) => Buffer.from(`\uFEFF${text}`),
  utf16le: (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  utf16be: (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
};

// Whatever a cell may hold: letters of any script, signs, quotation marks, separators and line ends.
const cell = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("", "Zoë", "a;b", "a,b", 'say "no"', "two\nlines", "Ωmega", "日本", "€ 5"),
);
const table = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }));
const isPlain = (rows: string[][]) => rows.flat().every((text) => !/[\0\r\uFEFF\uFFFD\p{Cs}]/u.test(text));

async function readBack(bytes: Buffer): Promise<string[][]> {
  const file = path.join(dir, "list");
  writeFileSync(file, bytes);
  const rows: string[][] = [];
  for await (const row of (await openSource(file)).rows) rows.push(row);
  return rows;
}

test("imports: any table in any encoding, with any separator and line end, then every cell is read as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(
      table.filter(isPlain),
      fc.constantFrom(...Object.keys(ENCODERS)),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n"),
      async (rows, encoding, separator, end) => {
        const headings = rows[0]?.map((_, index) => `Heading ${index}`) ?? [];
        const all = [headings, ...rows];
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = all.map((row) => row.map(quoted).join(separator) + end).join("");
        // Quotation marks hide the separators from whoever counts them, but for those between the cells.
        expect(await readBack(ENCODERS[encoding]?.(text) ?? Buffer.alloc(0))).toEqual(all);
      },
    ),
    { numRuns: 150 },
  );
});

test("imports: each line in UTF-8 or Windows-1252 at random, then each is read as it was written", async () => {
  const line = fc.record({
    text: fc.constantFrom("Zoë", "Çelik", "Müller", "Ångström", "plain"),
    isWindows: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
      const bytes = lines.map(({ text, isWindows }) => Buffer.from(`${text},x\n`, isWindows ? "latin1" : "utf8"));
      const rows = await readBack(Buffer.concat([Buffer.from("Name,Other\n"), ...bytes]));
      expect(rows.slice(1).map(([name]) => name)).toEqual(lines.map(({ text }) => text));
    }),
    { numRuns: 100 },
  );
});

const day = fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

test("imports: any day in any usual form, then it is that day, and what is no day is none", () => {
  fc.assert(
    fc.property(day, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [y, m, d] = iso.split("-").map(Number);
      const name = MONTHS[(m ?? 1) - 1] ?? "";
      for (const text of [
        iso,
        `${d}/${m}/${y}`,
        `${d}.${m}.${y}`,
        `${d} ${name} ${y}`,
        `${name} ${d}, ${y}`,
        `${d}-${name.slice(0, 3)}-${y}`,
      ])
        expect([text, dayOf(text, "dmy")]).toEqual([text, iso]);
      expect(dayOf(`${m}/${d}/${y}`, "mdy")).toBe(iso);
    }),
  );
  for (const text of [
    "31/02/2024",
    "29/02/2023",
    "0/1/2024",
    "12/13/2024",
    "1985",
    "yesterday",
    "2024-02-30",
    "1 Foo 2020",
  ])
    expect([text, dayOf(text, "dmy")]).toEqual([text, null]);
});

test("imports: a time in any usual form, then it is that time", () => {
  const times = {
    "9:30": "09:30",
    "09.30": "09:30",
    "9.30 am": "09:30",
    "2pm": "14:00",
    "12 am": "00:00",
    "12:15 p.m.": "12:15",
    "23:59:00": "23:59",
  };
  for (const [text, time] of Object.entries(times)) expect([text, timeOf(text)]).toEqual([text, time]);
  for (const text of ["24:00", "13pm", "noon", "9:75", ""]) expect([text, timeOf(text)]).toEqual([text, null]);
});

test.each(IMPORT_KINDS)("imports: %s headed by the fields' own names or words, then each column is found", (kind) => {
  const names = IMPORT_FIELDS[kind].map(({ name }) => name);
  expect(
    suggestColumns(
      kind,
      IMPORT_FIELDS[kind].map(({ label }) => label.toUpperCase()),
    ),
  ).toEqual(names);
  expect(suggestColumns(kind, names)).toEqual(names);
});

test("imports: the headings of our own export, then its columns are found", () => {
  const headings = [
    "Name",
    "Kind",
    "Email",
    "Phone",
    "Postcode",
    "May email",
    "May leave voicemail",
    "Tags",
    "Status",
    "Added",
  ];
  expect(suggestColumns("clients", headings)).toEqual([
    "fullName",
    "kind",
    "email",
    "phone",
    "postcode",
    "mayEmail",
    "mayLeaveVoicemail",
    "tags",
    "",
    "",
  ]);
});
