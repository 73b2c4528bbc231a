// What comes from outside can cost nobody but whoever asked for it to be opened.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import type { ClientMail } from "@app/shared/inbox";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import {
  brokenJpeg,
  CALENDARS,
  deepJson,
  endlessCertificate,
  htmlMail,
  LAYOUTS,
  LONG_LISTS,
  mailOfParts,
  TABLES,
  wideJson,
  WORD_DOCUMENTS,
  WORKBOOKS,
} from "../support/hostile/hostile.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { checked, upload, uploaded } from "../support/hostile/import-uploads.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { sendWord } from "../support/documents/uploads.ts";
import { aCase, aCaseInput, aClient, aPractice, type TestPractice } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { workbook } from "../support/hostile/workbook.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

// Made before anybody signs in: a connection does not wait for a bomb to be built.
const HOSTILE_WORDS = Object.entries(WORD_DOCUMENTS).map(([what, make]) => ({ what, bytes: make() }));
const HOSTILE_BOOKS = Object.entries(WORKBOOKS).map(([what, make]) => ({ what, bytes: make() }));

let other: TestPractice;
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const practice = forAllTests(() => aPractice(app));
beforeAll(async () => {
  other = await aPractice(app);
});

const post = (path: string, body: string) =>
  fetch(`${app.url}${path}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
    body,
  });

test.each(Object.keys(CALENDARS))(
  "S74 meetings.importBusy: %s, then it is refused at its field and nothing is taken",
  async (what) => {
    const taken = refusal(practice.api.meetings.importBusy.mutate({ name: "Home", ics: CALENDARS[what] ?? "" }));
    // Meanwhile nobody else waits for it.
    expect((await other.api.clients.list.query({})).total).toBe(0);
    const { code, fields } = await taken;
    expect([code, fields["ics"]]).toEqual([
      "BAD_REQUEST",
      expect.stringMatching(/holds more than can be taken in.*Export/),
    ]);
    expect((await practice.api.meetings.listBusy.query()).items).toEqual([]);
  },
);

test("S74 meetings.importBusy: a zone whose clocks change by the minute, then its event is taken at once", async () => {
  const own = await aPractice(app);
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
  const ics = [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/London\r\nBEGIN:STANDARD",
    "DTSTART:19010101T000000\r\nRRULE:FREQ=MINUTELY\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD",
    `END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:swim\r\nDTSTART;TZID=Europe/London:${day}T090000\r\nDURATION:PT1H`,
    "END:VEVENT\r\nEND:VCALENDAR\r\n",
  ].join("\r\n");
  const { items } = await own.api.meetings.importBusy.mutate({ name: "Home", ics });
  expect(items).toMatchObject([{ name: "Home", count: 1 }]);
});

test("S74 meetings.importBusy: an old series that goes on, then it is taken within the time that is planned", async () => {
  const own = await aPractice(app);
  const ics = [
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:swim\r\nDTSTART:19900101T090000Z\r\nDURATION:PT1H",
    "RRULE:FREQ=DAILY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
  ].join("\r\n");
  const { items } = await own.api.meetings.importBusy.mutate({ name: "Home", ics });
  // A week back and four hundred days on; the one that begins or ends at this hour may be in or out.
  expect([407, 408]).toContain(items[0]?.count);
});

test.each(HOSTILE_BOOKS)(
  "S74 imports.upload: a workbook with $what, then it is refused in words",
  async ({ bytes }) => {
    const { status, body } = await upload(app, practice, bytes);
    expect([status, body]).toEqual([
      400,
      expect.stringMatching(/too large to read|a cell of more than 32,767 characters|more text than can be taken in/),
    ]);
    for (const name of ["imports", "import_chunks"])
      expect(await mongoose.connection.collection(name).countDocuments({ ownerId: practice.ownerId })).toBe(0);
  },
);

test.each(HOSTILE_WORDS)(
  "S74 POST /word-imports: a Word document with $what, then it is refused in words, and nobody waits for it",
  async ({ bytes }) => {
    const own = await aPractice(app);
    const { id: textId } = await own.api.documentTemplates.create.mutate({ id: newId(), name: "Word", kind: "letter" });
    const sent = sendWord(app, own, { textId, body: bytes });
    expect((await other.api.clients.list.query({})).total).toBe(0);
    const reply = await sent;
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringMatching(/holds more than one text can|cannot be read|is something else inside|takes too much/),
    ]);
    expect(await mongoose.connection.collection("document_pictures").countDocuments({ ownerId: own.ownerId })).toBe(0);
  },
);

test.each(LONG_LISTS)(
  "S74 imports.check: $kind with cells of thousands of words, then each such row is told and nobody waits",
  async ({ kind, csv }) => {
    const own = await aPractice(app);
    const id = await uploaded(app, own, csv, { kind });
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    const { counts, status } = await checked(own.api, id);
    loop.disable();
    expect([status, counts]).toMatchObject(["checked", { bad: 20, ready: 0 }]);
    const { items } = await own.api.imports.listProblems.query({ id });
    expect(items.map(({ message }) => message)).toContainEqual(expect.stringMatching(/more than 5,000 characters/));
    expect(loop.max / 1e6).toBeLessThan(2000);
  },
);

test.each([
  ["words", "a ".repeat(120), "There is no client"],
  ["signs", "a".repeat(300), "This is too long for a name or an email address"],
])(
  "S74 imports.check: five hundred parties of very many %s, then nobody waits for it",
  async (_what, name, message) => {
    const own = await aPractice(app);
    const id = await uploaded(app, own, `Party 1\n${`${name}\n`.repeat(500)}`, { kind: "cases" });
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    expect((await checked(own.api, id)).counts).toMatchObject({ bad: 500 });
    loop.disable();
    const { items } = await own.api.imports.listProblems.query({ id });
    expect(items[0]?.message).toContain(message);
    expect(loop.max / 1e6).toBeLessThan(2000);
  },
);

test("S74 imports.upload: four hostile workbooks at once, then each is refused and one of another practice is read", async () => {
  const bytes = WORKBOOKS["two cells far apart"]?.() ?? Buffer.alloc(0);
  const hostile = [1, 2, 3, 4].map(() => upload(app, practice, bytes));
  const good = await upload(app, other, workbook([["Surname"], ["Ellery"]]));
  expect(good.status).toBe(201);
  expect((await Promise.all(hostile)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
}, 90_000);

test("S74 imports.upload: thirty at once of one person, then each is taken in or told to try again, and none is lost", async () => {
  const own = await aPractice(app);
  const uploads = Array.from({ length: 30 }, () => upload(app, own, "Surname\nEllery\n"));
  const answers = await Promise.all(uploads);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, body } of refused) expect([status, body]).toEqual([503, expect.stringMatching(/Try again/)]);
  expect((await own.api.imports.list.query({})).total).toBe(answers.length - refused.length);
});

test.each([
  ["rows of very many cells", /Row 2 has more than 1000 cells/],
  ["a row of nothing but delimiters", /is too long/],
  ["a row of empty quoted cells", /is too long/],
  ["a row of single signs", /is too long/],
  ["headings of nothing but tabs", /is too long/],
  ["one line without an end", /is too long/],
  ["lines that old programs end", /more than 100,000 rows/],
])("S74 imports.upload: a table with %s, then it is refused in words", async (what, words) => {
  const { status, body } = await upload(app, practice, TABLES[what]?.() ?? "");
  expect([status, body]).toEqual([400, expect.stringMatching(words)]);
});

test("S74 mailings.create: a list of very many lines, then it is refused as one that is too long", async () => {
  const csv = "a@example.org\n".repeat(60_000);
  const source = { kind: "csv" as const, csv };
  const { code, message } = await refusal(
    practice.api.mailings.create.mutate({
      id: newId(),
      subject: "Hello",
      body: richTextOf("Hello"),
      source,
      perMinute: 60,
    }),
  );
  expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(/more than 20,000 people/)]);
});

test("S74 mailings.create: a list of nothing but commas, then it is refused in words", async () => {
  const source = { kind: "csv" as const, csv: `a@example.org${",".repeat(800_000)}` };
  const mailing = { id: newId(), subject: "Hello", body: richTextOf("Hello"), source, perMinute: 60 };
  const { code, message } = await refusal(practice.api.mailings.create.mutate(mailing));
  expect([code, message]).toEqual(["BAD_REQUEST", expect.stringMatching(/cannot be read/)]);
});

test("S74 signatures.certificate.add: one that takes for ever to open, then it is refused and nobody waits", async () => {
  const file = endlessCertificate().toString("base64");
  const taken = refusal(practice.api.signatures.certificate.add.mutate({ file, password: "x" }));
  expect((await other.api.clients.list.query({})).total).toBeGreaterThanOrEqual(0);
  const { code, fields } = await taken;
  expect([code, fields["file"]]).toEqual(["BAD_REQUEST", expect.stringMatching(/cannot be read.*Export/)]);
});

test("S74 files: a picture of millions of parts, then it is refused as damaged", async () => {
  const client = await practice.api.clients.create.mutate(aClient());
  const place = { id: newId(), clientId: client.id, caseId: null, name: "photo.jpg", visibility: PRACTICE_ONLY };
  const reply = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(place))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
    body: brokenJpeg(),
  });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(/damaged|something else inside/)]);
});

test("S74 export: a record of hundreds of pages, when it is asked for four times, then it is refused in words and nobody waits", async () => {
  const own = await aPractice(app);
  const { theCase, first } = await aCase(own);
  const body = richTextOf("The boiler was to be mended first. ".repeat(1371));
  const note = { clientId: null, kind: "file_note" as const, visibility: SHARED, body };
  const others = [1, 2, 3].map(() => own.api.casework.create.mutate(aCaseInput([first.id])));
  // As much as is shown of one case, in each of four.
  for (const { id: caseId } of [theCase, ...(await Promise.all(others))])
    for (let count = 0; count < 11; count += 1) await own.api.notes.create.mutate({ id: newId(), ...note, caseId });
  const record = () => fetch(`${app.url}/export/clients/${first.id}.pdf`, { headers: { cookie: own.cookies() } });
  const loop = monitorEventLoopDelay({ resolution: 5 });
  const answers = Promise.all([1, 2, 3, 4].map(record));
  // What one practice draws takes the turn of no file of another.
  expect(await upload(app, other, "Surname\nEllery\n")).toMatchObject({ status: 201 });
  loop.enable();
  for (const answer of await answers)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringMatching(/too long.*What each party sees/),
    ]);
  expect(loop.max / 1e6).toBeLessThan(1000);
});

test.each([
  ["/trpc/clients.create", deepJson(200)],
  ["/trpc/clients.create", wideJson(300_000)],
  ["/functions/imap-send", deepJson(1_000_000)],
  ["/functions/imap-send", wideJson(5_000_000)],
  [
    "/trpc/users.updateProfile",
    JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 1]))),
  ],
])("S74 %s: JSON that is deep or of very many things, then it is refused before it is parsed", async (path, body) => {
  const reply = await post(path, body);
  expect([reply.status, await reply.text()]).toEqual([413, expect.stringMatching(/too large to send at once/)]);
});

test("S74 /trpc: quotation marks and brackets within texts, then they count for nothing", async () => {
  const notes = `${'[{"'.repeat(2000)}\\`;
  const client = await practice.api.clients.create.mutate(aClient({ needs: notes.slice(0, 300) }));
  expect((await practice.api.clients.get.query({ id: client.id })).needs).toBe(notes.slice(0, 300));
});

describe.skipIf(whyNoDovecot)("mails", () => {
  const email = "box@practice.example.org";
  let dovecot: Dovecot;
  let clientId: string;
  beforeAll(async () => {
    dovecot = await startDovecot();
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    clientId = (await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }))).id;
  });
  afterAll(closeConnections);

  const placeOf = ({ folder, uidValidity, uid }: ClientMail) => ({ clientId, folder, uidValidity, uid });
  async function laid(mail: string): Promise<ReturnType<typeof placeOf>> {
    await layMails(dovecot, email, [mail]);
    const [newest] = (await practice.api.inbox.list.query({ clientId })).items;
    if (!newest) throw new Error("the mail is missing");
    return placeOf(newest);
  }
  test.each(Object.keys(LAYOUTS))(
    "S74 inbox.open: a layout of %s, then its words are shown, or why not",
    async (what) => {
      const layout = LAYOUTS[what] ?? "";
      const place = await laid(htmlMail(layout, { plain: "See you on Tuesday" }));
      const opened = await practice.api.inbox.open.query(place);
      expect(opened).toMatchObject({ isHtml: false, text: expect.stringContaining("See you on Tuesday") });
      const alone = await practice.api.inbox.open.query(await laid(htmlMail(layout)));
      expect(alone).toMatchObject({
        isHtml: false,
        text: expect.stringMatching(/takes too much to show.*mail program/),
      });
      const frame = await fetch(`${app.url}/export/mail/message?place=${encodeURIComponent(JSON.stringify(place))}`, {
        headers: { cookie: practice.cookies() },
      });
      expect([frame.status, await frame.text()]).toEqual([422, expect.stringMatching(/takes too much to show/)]);
    },
  );

  test("S74 inbox.open: a megabyte of blanks in quoted-printable, then it is opened", async () => {
    const mail = aMail({
      headers: ["Content-Type: text/plain", "Content-Transfer-Encoding: quoted-printable"],
      text: `Hello${" ".repeat(900_000)}x`,
    });
    expect((await practice.api.inbox.open.query(await laid(mail))).text).toMatch(/^Hello/);
  });

  test("S74 inbox.list: thousands of parts, then the mail is opened and two hundred are shown", async () => {
    const opened = await practice.api.inbox.open.query(await laid(mailOfParts(5000)));
    expect([opened.mail.subject, opened.mail.attachments.length]).toEqual(["Many parts", 200]);
  });

  test("S74 inbox.list: parts in parts in parts, then the other mails are listed", async () => {
    await laid(aMail({ subject: "Before" }));
    await layMails(dovecot, email, [mailOfParts(10, { depth: 300 }), aMail({ subject: "Behind" })]);
    const { items } = await practice.api.inbox.list.query({ clientId });
    expect(items.map(({ subject }) => subject)).toEqual(expect.arrayContaining(["Before", "Behind"]));
  });
});
