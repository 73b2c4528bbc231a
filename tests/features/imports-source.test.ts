import { IMPORT_FIELDS } from "@app/shared/import-fields";
import { IMPORT_KINDS } from "@app/shared/import-states";
import { IMPORT_MAX_BYTES } from "@app/shared/imports";
import fc from "fast-check";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { dirtyList, ENCODINGS } from "../support/hostile/dirty-list.ts";
import { dumpOf } from "../support/server/dump.ts";
import { checked, imported, settled, toldRows, upload, uploaded } from "../support/hostile/import-uploads.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { workbook, zip } from "../support/hostile/workbook.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

test.each(Object.keys(ENCODINGS))("imports.check: a dirty list in %s, then each row is accounted for", async (name) => {
  const list = dirtyList(1200);
  const bytes = ENCODINGS[name]?.(list) ?? Buffer.alloc(0);
  const own = await aPractice(app);
  const done = await imported(app, own, bytes);
  expect(done.counts).toMatchObject({ ...list.counts, imported: list.counts.ready });
  expect(await toldRows(own.api, done.id)).toEqual(list.told);
  const { items } = await own.api.clients.list.query({ search: "zoë" });
  expect(items[0]?.displayName).toMatch(/^Zoë Oyelaran/);
});

test.each([
  ["commas", ","],
  ["semicolons", ";"],
  ["tabs", "\t"],
  ["upright strokes", "|"],
])("imports.upload: cells between %s, then they are told apart", async (words, sign) => {
  const text = [
    ["Surname", "Forename", "Notes"],
    ["Ellery", "Maya", '"a, b; c | d"'],
  ]
    .map((cells) => cells.join(sign))
    .join("\r");
  const id = await uploaded(app, practice, text);
  expect(await practice.api.imports.get.query({ id })).toMatchObject({
    readAs: `CSV with ${words}, UTF-8`,
    columns: ["lastName", "firstName", "needs"],
    sample: [["Ellery", "Maya", "a, b; c | d"]],
  });
});

test("imports.upload: a first line that states the separator, then it counts and is no row", async () => {
  const id = await uploaded(app, practice, "sep=;\r\nSurname;Notes\r\nEllery;a, b, c, d\r\n");
  expect(await practice.api.imports.get.query({ id })).toMatchObject({
    headings: ["Surname", "Notes"],
    sample: [["Ellery", "a, b, c, d"]],
    total: 1,
  });
});

test("imports.upload: rows that end in as many commas as a sheet has columns, then the commas are left out", async () => {
  const id = await uploaded(
    app,
    practice,
    `First name,Surname${",".repeat(16_382)}\nMaya,Ellery${",".repeat(16_382)}\n`,
  );
  expect(await practice.api.imports.get.query({ id })).toMatchObject({ headings: ["First name", "Surname"] });
  expect((await checked(practice.api, id)).counts).toMatchObject({ ready: 1, bad: 0 });
});

test("imports.upload: an Excel workbook, then its days, numbers and texts are read", async () => {
  const own = await aPractice(app);
  const bytes = workbook([
    ["First name", "Surname", "DOB", "Mobile"],
    ["Maya", "Ellery", { day: 31_149 }, 447_700_900_142],
    [],
    ["Zoë", "D'Arcy", "12 April 1985", ""],
  ]);
  const done = await imported(app, own, bytes);
  expect(done).toMatchObject({ readAs: "Excel workbook, first sheet", counts: { imported: 2, empty: 1, bad: 0 } });
  const { items } = await own.api.clients.list.query({});
  const found = await Promise.all(items.map(({ id }) => own.api.clients.get.query({ id })));
  expect(found.map(({ displayName, dateOfBirth, phones }) => [displayName, dateOfBirth, phones[0]?.number])).toEqual([
    ["Zoë D'Arcy", "1985-04-12", undefined],
    ["Maya Ellery", "1985-04-12", "447700900142"],
  ]);
});

// Made before anybody signs in: a connection does not wait for a bomb to be built.
const BOMB = zip({ "xl/workbook.xml": Buffer.alloc(200 * 1024 * 1024, " "), "xl/worksheets/sheet1.xml": "<x/>" });

test.each<[string, () => string | Buffer<ArrayBuffer>, number, RegExp]>([
  ["empty", () => "", 400, /This file is empty/],
  ["headings alone", () => "First name,Surname\r\n", 400, /no rows below its headings/],
  ["a picture", () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 0, 9]), 400, /This is no table/],
  ["an old Excel file", () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 400, /Save it as .xlsx or CSV/],
  ["a zip that is no workbook", () => zip({ "a.txt": "x" }), 400, /This workbook cannot be read/],
  ["a zip cut short", () => workbook([["a"], ["b"]]).subarray(0, 300), 400, /This workbook cannot be read/],
  ["a zip bomb", () => BOMB, 400, /too large to read/],
  ["a quotation mark that stays open", () => `Surname,Notes\nEllery,"and so on\nCastell,x\n`, 400, /never closed/],
  [
    "too many columns",
    () => `${Array.from({ length: 101 }, (_, i) => `c${i}`).join(",")}\n1\n`,
    400,
    /more than 100 columns/,
  ],
  ["a cell that is too long", () => `Surname\n${"x".repeat(32_768)}\n`, 400, /Row 2 has a cell of more than 32,767/],
  ["headings that are too long", () => `${"x".repeat(32_768)}\nEllery\n`, 400, /Row 1 has a cell of more than 32,767/],
  [
    "a row that is too long",
    () => workbook([["Surname"], Array.from({ length: 7 }, () => "x".repeat(30_000))]),
    400,
    /Row 2 has more than 200,000/,
  ],
  ["too many rows", () => `Surname\n${"x\n".repeat(100_001)}`, 400, /more than 100,000 rows/],
  ["too many bytes", () => Buffer.alloc(IMPORT_MAX_BYTES + 1, "a,b\n"), 413, /larger than 20 MB/],
])(
  "imports.upload: %s, then it is refused in words and nothing is left behind",
  async (_name, content, status, words) => {
    const own = await aPractice(app);
    const answer = await upload(app, own, content());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatch(words);
    for (const name of ["imports", "import_chunks"])
      expect(await mongoose.connection.collection(name).countDocuments({ ownerId: own.ownerId })).toBe(0);
  },
);

test.each([
  ["=1+1", "Ellery", "", "This cell holds a formula. Put its result there instead, as plain text."],
  ["Maya", '"El\nlery"', "", /several lines/],
  ["Maya", "Ellery", "03/04/85", "Write the year with four digits, such as 12/04/1985."],
  ["Maya", "Ellery", "04/23/1985", "There is no such day. The day comes before the month in this import."],
  ["Maya", "Ellery", "soon", "There is no such day. Write it as 12/04/1985 or 1985-04-12."],
  ["Maya", "Ellery", "01/01/2999", "This date is in the future"],
  ["Maya1!", "Ellery", "", "Use letters, spaces, hyphens and apostrophes"],
  ["Maya", `${"x".repeat(31)}`, "", "Use at most 30 characters"],
  ["Maya", "Ellery", ",,,surplus", /more cells than there are headings/],
])("imports.check: a row with %s, %s, %s, then it is told what is wrong", async (first, last, born, message) => {
  const id = await uploaded(app, practice, `First name,Surname,DOB,Email\n${first},${last},${born}\n`);
  expect((await checked(practice.api, id)).counts).toMatchObject({ bad: 1, ready: 0 });
  const { items } = await practice.api.imports.listProblems.query({ id });
  expect(items).toHaveLength(1);
  expect(items[0]?.message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

test.each([
  ["12/04/1985", "dmy"],
  ["04/12/1985", "mdy"],
  ["1985-04-12", "mdy"],
  ["12.4.1985", "dmy"],
  ["12 Apr 1985", "dmy"],
  ["12th April, 1985", "mdy"],
  ["April 12, 1985", "dmy"],
] as const)("imports.check: born on %s with the order %s, then that is 12 April 1985", async (born, dateOrder) => {
  const own = await aPractice(app);
  await imported(app, own, `Full name,DOB\n"Ellery, Maya","${born}"\n`, { dateOrder });
  const { items } = await own.api.clients.list.query({});
  const found = await own.api.clients.get.query({ id: items[0]?.id ?? "" });
  expect([found.displayName, found.dateOfBirth]).toEqual(["Maya Ellery", "1985-04-12"]);
});

const WORDS = [
  "",
  "yes",
  "no",
  "12/04/1985",
  "31/02/1985",
  "9:30",
  "25:00",
  "99999",
  "-1",
  "=1+1",
  "Maya Ellery",
  "Ellery, Maya",
];
const MORE = [
  "maya@example.org",
  "@",
  "07700 900142",
  "Family",
  "Ready",
  "MIAM",
  "Call",
  "organisation",
  "a;b;c",
  "x".repeat(600),
];
const anyCell = fc.oneof(fc.constantFrom(...WORDS, ...MORE), fc.string({ unit: "grapheme", maxLength: 40 }));

test.each(IMPORT_KINDS)(
  "imports: %s out of any cells whatever, then each row is accounted for and all is undone",
  async (kind) => {
    const own = await aPractice(app);
    await own.api.clients.create.mutate(aClient());
    const before = await dumpOf(own.ownerId);
    const fields = IMPORT_FIELDS[kind].map(({ label }) => label);
    const rows = fc.sample(fc.array(anyCell, { minLength: 0, maxLength: fields.length + 1 }), 400);
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const text = [fields, ...rows].map((row) => row.map(quoted).join(",")).join("\n");
    const { id, status, total, counts } = await imported(app, own, text, { kind });
    expect(status).toBe("imported");
    expect(counts.imported + counts.duplicates + counts.bad + counts.empty).toBe(total);
    await own.api.imports.undo.mutate({ id, keepsChanged: false });
    expect((await settled(own.api, id)).status).toBe("undone");
    expect(await dumpOf(own.ownerId)).toEqual(before);
  },
);

test("imports.upload: a column called ownerId, then it is left out and the client belongs to the practice", async () => {
  const [own, other] = [await aPractice(app), await aPractice(app)];
  const done = await imported(app, own, `First name,Surname,ownerId,_id\nMaya,Ellery,${other.ownerId},x\n`);
  expect(done.columns).toEqual(["firstName", "lastName", "", ""]);
  expect((await own.api.clients.list.query({})).total).toBe(1);
  expect((await other.api.clients.list.query({})).total).toBe(0);
  await expect(
    own.api.imports.check.mutate({
      id: done.id,
      columns: ["firstName", "lastName", "ownerId", ""],
      duplicates: "skip",
      dateOrder: "dmy",
    }),
  ).rejects.toThrow("Choose fields from the list.");
});
