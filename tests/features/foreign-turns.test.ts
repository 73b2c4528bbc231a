// Whoever floods the workers for foreign content waits for themselves alone.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { withCaller } from "@app/server/core/caller";
import { TooMuch } from "@app/server/core/foreign-work";
import { newId } from "@app/server/core/ids";
import { isBearableSheet } from "@app/server/features/imports/sheet-bounds";
import { work as busyTimesIn } from "@app/server/features/meetings/busy-times.foreign";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import express from "express";
import { beforeAll, expect, test } from "vitest";
import { WORKBOOKS } from "../support/hostile/hostile.ts";
import { upload } from "../support/hostile/import-uploads.ts";
import { aClient, aPractice, aStaffUser, type TestPerson, type TestPractice } from "../support/server/people.ts";
import { readFilesSlowly, readSlowly } from "../support/hostile/slow-content.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { workbook } from "../support/hostile/workbook.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const SLOW_MS = 700;

let other: TestPractice;
let colleague: TestPerson;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  other = await aPractice(app);
  colleague = await aStaffUser(app, practice, {
    permissions: ["clients.read", "clients.write", "documents.manage", "data.export"],
  });
});

const flooding = () => ({ group: practice.ownerId, one: practice.ownerId });

/** A file of five bytes, kept by this person; gives the answer's status. */
async function keepSmallFile(person: TestPerson, clientId: string): Promise<number> {
  const place = { id: newId(), clientId, caseId: null, name: "note.txt", visibility: PRACTICE_ONLY };
  const reply = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(place))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: `n${Math.random()}`.slice(0, 5),
  });
  await reply.text();
  return reply.status;
}

test("S74: somebody who floods, when others of the practice and elsewhere send small files, has them wait for none of it", async () => {
  const ofColleague = (await colleague.api.clients.create.mutate(aClient())).id;
  const ofOther = (await other.api.clients.create.mutate(aClient())).id;
  const flood = Array.from({ length: 24 }, () =>
    readSlowly(flooding(), SLOW_MS).then(
      () => "read",
      (error: unknown) => String(error),
    ),
  );
  let isOver = false;
  const all = Promise.all(flood).finally(() => (isOver = true));
  const statuses: number[] = [];
  while (!isOver && statuses.length < 40)
    statuses.push(await keepSmallFile(colleague, ofColleague), await keepSmallFile(other, ofOther));
  expect(new Set(statuses)).toEqual(new Set([201]));
  // The flood waited for itself: one after the other, and what was too much was refused.
  const answers = await all;
  expect(statuses.length).toBeGreaterThan(2);
  expect(answers.filter((answer) => answer === "read")).toHaveLength(9);
  expect(answers.filter((answer) => /still busy/.test(answer))).toHaveLength(15);
});

test("S74: people who never sent anything before, when they all send what takes long at once, keep nobody waiting for it", async () => {
  let read = 0;
  const flood = Array.from({ length: 8 }, (_, at) =>
    readSlowly({ group: `new ${at}`, one: "" }, 3000).then(() => (read += 1)),
  );
  for (let calls = 0; calls < 3; calls += 1) expect(await readSlowly({ group: "in a hurry", one: "" }, 1)).toBe(1);
  expect(read).toBeLessThan(4);
  await Promise.all(flood);
  expect(read).toBe(8);
}, 90_000);

test("S74: several practices, when they send whole files that take long to read, keep nobody else's short list waiting for them", async () => {
  let read = 0;
  const flood = [1, 2, 3].map((at) => readFilesSlowly({ group: `heavy ${at}`, one: "" }, 6000).then(() => (read += 1)));
  for (let calls = 0; calls < 3; calls += 1) expect(await readFilesSlowly({ group: "in need", one: "" }, 1)).toBe(1);
  expect(read).toBeLessThan(2);
  await Promise.all(flood);
  expect(read).toBe(3);
}, 90_000);

test("S74: whoever asked, when they hang up, leaves the queue, and what was under way for them is ended", async () => {
  const asker = { group: "gone", one: "" };
  const asked = express();
  asked.use(withCaller);
  asked.get("/", async (_req, res) => void res.json(await readSlowly(asker, 20_000)));
  const server = createServer(asked);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
  const hangUp = new AbortController();
  const calls = [1, 2, 3].map(() => fetch(url, { signal: hangUp.signal }).catch(() => undefined));
  await sleep(500);
  hangUp.abort();
  await Promise.all(calls);
  expect(await readSlowly(asker, 1)).toBe(1);
  server.close();
}, 15_000);

test("S74 imports.upload: a column that is only formatted far out, then the rows are read", async () => {
  const rows = Array.from(
    { length: 2000 },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>Ellery</t></is></c><c r="XFD${at + 1}" s="1"/></row>`,
  );
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const sheet = `<worksheet ${main}><sheetData>${rows.join("")}</sheetData></worksheet>`;
  const { status, body } = await upload(app, practice, workbook([], { "xl/worksheets/sheet1.xml": sheet }));
  expect([status, body]).toEqual([201, expect.stringContaining('"total":1999')]);
});

test("S74 imports.upload: one person's hostile workbooks, when a colleague sends one line, keep neither waiting for all", async () => {
  const bytes = WORKBOOKS["two cells far apart"]?.() ?? Buffer.alloc(0);
  const flood = Array.from({ length: 8 }, () => upload(app, practice, bytes));
  const good = await upload(app, colleague, "Surname\nEllery\n");
  expect(good.status).toBe(201);
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 400));
}, 60_000);

const SHEET = "<worksheet><sheetData>";
test.each([
  [
    "a cell far out in a long sheet",
    `${SHEET}<row r="1"><c r="XFD1"><v>1</v></c></row><row><c r="A60000"><v>1</v></c>`,
  ],
  ["the same under another prefix", `<x:worksheet><x:sheetData><x:c r="XFD1"></x:c><x:c r="A60000"></x:c>`],
  ["a place that has to be worked out", `${SHEET}<row><c r="&#88;FD1"><v>1</v></c></row>`],
  ["a row without end", `${SHEET}<row r="1e9"></row>`],
  ["a cell without a place", `${SHEET}<row><c a=">" r="XFD1"></c></row>`],
])("S74 workbooks: %s, then it is refused before it is filled up", (_what, xml) => {
  expect(isBearableSheet(Buffer.from(xml))).toBe(false);
});

const RULES: Record<string, string> = {
  "a second of a leap day": "FREQ=SECONDLY;BYSECOND=59;BYMINUTE=59;BYHOUR=3;BYMONTH=2;BYMONTHDAY=29",
  "an hour of a leap day": "FREQ=HOURLY;BYHOUR=3;BYMONTH=2;BYMONTHDAY=29",
  "a Monday that no month has": "FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=9",
  "weeks until the year 9999": "FREQ=YEARLY;BYDAY=53MO;UNTIL=99991231T000000Z",
};

test.each(Object.entries(RULES))(
  "S74 busy times: a thousand rules that look for %s, then the search ends after so many steps",
  async (_what, rule) => {
    const event = (uid: number) =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:19000101T000000Z\r\nDURATION:PT1S\r\nRRULE:${rule}\r\nEND:VEVENT`;
    const events = Array.from({ length: 1000 }, (_, index) => event(index));
    const ics = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...events, "END:VCALENDAR", ""].join("\r\n");
    const asked = { timeZone: "Europe/London", from: new Date("2027-01-01"), to: new Date("2028-01-01") };
    await expect(busyTimesIn({ ics, ...asked })).rejects.toBeInstanceOf(TooMuch);
  },
  60_000,
);

test("S74 busy times: what people have in their calendars for decades, then it is read", async () => {
  const event = (uid: number, start: string, rule: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${start}\r\nDURATION:PT1H\r\nRRULE:${rule}\r\nEND:VEVENT`;
  const events = [
    // What an address book without years of birth exports.
    ...Array.from({ length: 50 }, (_, at) => event(at, "16040305T000000Z", "FREQ=YEARLY")),
    event(60, "19700305T090000Z", "FREQ=MONTHLY;BYDAY=2TU"),
    event(61, "19900305T090000Z", "FREQ=WEEKLY;BYDAY=MO,WE,FR"),
    event(62, "20200305T090000Z", "FREQ=HOURLY;INTERVAL=8"),
  ];
  const ics = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...events, "END:VCALENDAR", ""].join("\r\n");
  const asked = { timeZone: "Europe/London", from: new Date("2027-01-01"), to: new Date("2028-01-01") };
  const spans = await busyTimesIn({ ics, ...asked });
  // What is at the same time is one: nearly all of it stands within three hours a day.
  expect(spans.length).toBeGreaterThan(3 * 365);
});
