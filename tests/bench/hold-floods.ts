// Much of what is small, all at once: of one person, or of nobody.
import { newId } from "@app/server/core/ids";
import { MAILING_RECIPIENTS_MAX } from "@app/shared/mailings";
import { richTextOf } from "@app/shared/rich-text";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { z } from "zod";
import { upload } from "../support/hostile/import-uploads.ts";
import type { TestPractice } from "../support/server/people.ts";
import { send } from "../support/server/raw-http.ts";
import { workbook } from "../support/hostile/workbook.ts";

export interface Attacked {
  app: { url: string; close: () => Promise<void> };
  attacker: TestPractice;
  clientId: string;
  /** Of whom very much is kept. */
  recordId: string;
}
export type Attack = (attacked: Attacked) => Promise<unknown>;

// Each of four who attack at once does so much, so that sixty are under way.
const PARALLEL = 15;
const ROUNDS = 10;
const ADDRESSES = 8000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BUSY_TIMES = 4990;
/** For `startNameServer`. */
export const SILENT_ZONE = ".silent.example.net";
const BODY = JSON.stringify({ email: "a".repeat(900_000) });
const WRONG = { email: "nobody@example.org", password: "none of ours at all" };

const LEAP_SECOND = "FREQ=SECONDLY;INTERVAL=1;BYSECOND=59;BYMINUTE=59;BYHOUR=3;BYMONTH=2;BYMONTHDAY=29";
const LONG_SEARCHES = calendarOf(LEAP_SECOND, 4);
/** What takes a search longest that is not refused at its rule. */
const MANY_SEARCHES = calendarOf("FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=9", 1000);

function calendarOf(rule: string, count: number): string {
  const event = (uid: number) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20250101T000000Z\r\nDURATION:PT1S\r\nRRULE:${rule}\r\nEND:VEVENT`;
  const events = Array.from({ length: count }, (_, index) => event(index));
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...events, "END:VCALENDAR", ""].join("\r\n");
}

const cell = (at: string) => `<c r="${at}" t="inlineStr"><is><t>x</t></is></c>`;
const sparseWorkbook = () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => `<row r="${at + 1}">${cell(`A${at + 1}`)}</row>`);
  rows[5] = `<row r="6">${cell("A6")}${cell("XFD6")}</row>`;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  return workbook([], {
    "xl/worksheets/sheet1.xml": `<worksheet ${main}><sheetData>${rows.join("")}</sheetData></worksheet>`,
  });
};

/** Anybody: from one address, or each time from another. */
const asking =
  (body: string, isFromMany: boolean): Attack =>
  ({ app }) =>
    rounds(() => {
      const number = Math.floor(Math.random() * ADDRESSES);
      const from = isFromMany ? `10.${number % 250}.${Math.floor(number / 250)}.7` : "10.0.0.7";
      const headers = { origin: app.url, "content-type": "application/json", "x-forwarded-for": from };
      return send(`${app.url}/trpc/auth.signIn`, { method: "POST", headers, body });
    });

/** What is refused before all of it was sent may break off: then the other side has closed. */
export async function unlessBrokenOff(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    const isClosed = error instanceof TypeError && error.cause instanceof Error;
    if (!isClosed) throw error;
  });
}

async function rounds(ask: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1)
    await Promise.all(Array.from({ length: PARALLEL }, () => ask().catch(() => undefined)));
}

/** Each of a minute, as many as one person may keep at a time. */
function fullCalendar(): string {
  const first = Math.floor(Date.now() / DAY_MS + 2) * DAY_MS;
  const stamp = (at: number) => new Date(first + at * MINUTE_MS).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const events = Array.from(
    { length: BUSY_TIMES },
    (_, at) => `BEGIN:VEVENT\r\nUID:${at}\r\nDTSTART:${stamp(2 * at)}\r\nDTEND:${stamp(2 * at + 1)}\r\nEND:VEVENT`,
  );
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...events, "END:VCALENDAR", ""].join("\r\n");
}

const freeSlots: Attack = async ({ attacker }) => {
  const ics = fullCalendar();
  for (const name of ["one", "another"]) await attacker.api.meetings.importBusy.mutate({ name, ics });
  const asked = { mediatorId: attacker.ownerId, after: new Date().toISOString(), minutes: 480 };
  await rounds(() => attacker.api.meetings.nextFree.query(asked));
};

/** Names of a zone that no name server answers for; after some of them the product refuses. */
const lookUps: Attack = ({ attacker }) =>
  rounds(() => attacker.api.mailboxes.lookUp.mutate({ email: `ada@e${newId().toLowerCase()}${SILENT_ZONE}` }));

export const FLOODS: Record<string, Attack> = {
  freeSlots,
  lookUps,
  shortLane: ({ attacker }) =>
    Promise.allSettled(
      [LONG_SEARCHES, MANY_SEARCHES, MANY_SEARCHES, MANY_SEARCHES].map((ics) =>
        attacker.api.meetings.importBusy.mutate({ name: "Home", ics }),
      ),
    ),
  longLane: ({ app, attacker }) =>
    Promise.all(Array.from({ length: 6 }, () => unlessBrokenOff(upload(app, attacker, sparseWorkbook())))),
  bodies: asking(BODY, false),
  bodiesOfMany: asking(BODY, true),
  bodiesOfOne: ({ app, attacker }) =>
    rounds(() => {
      const headers = { origin: app.url, "content-type": "application/json", cookie: attacker.cookies() };
      return send(`${app.url}/trpc/clients.create`, { method: "POST", headers, body: BODY });
    }),
  signIns: asking(JSON.stringify(WRONG), true),
};

/** Somebody who is signed in to a practice in full use, and what they know of it. */
export interface Caller {
  url: string;
  cookie: string;
  clientId: string;
}

const CALLS_OF_BATCH = 10;
const CALENDAR_DAYS = 61;
/** Each of four who attack at once. */
const CALENDAR_BATCHES = 6;
const STREAMING = 100;
const CHECKS = 300;
const SEARCHES = 32;

/** Each of four who attack at once, so that thirty are under way. */
const MAILINGS = 8;
const madeSchema = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) });

const longMailing = () => ({
  id: newId(),
  subject: "Closing days",
  body: richTextOf("We are closed until 4 January."),
  perMinute: 0,
  source: {
    kind: "csv",
    csv: `value\n${Array.from({ length: MAILING_RECIPIENTS_MAX }, (_, at) => `p${at}@list.example.net`).join("\n")}`,
  },
});

const asked = (path: string, input: unknown) => `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`;

function calendars(): string {
  const now = Date.now();
  const span = { from: new Date(now - CALENDAR_DAYS * DAY_MS).toISOString(), to: new Date(now).toISOString() };
  const all = Array.from({ length: CALLS_OF_BATCH }, () => span);
  const paths = all.map(() => "meetings.calendar").join();
  return `${asked(paths, Object.assign({}, all))}&batch=1`;
}

const someMail = ({ clientId }: Caller) =>
  JSON.stringify({
    clientId,
    caseId: null,
    to: [{ name: "Ife Oyelaran", address: "ife@example.org" }],
    cc: [],
    subject: "Our meeting",
    body: richTextOf("The meeting is at ten, as we said."),
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
  });

const EVERYBODY = {
  firstName: "Maya",
  lastName: "Oyelaran",
  knownAs: "",
  organisation: "",
  email: "",
  phones: [],
  dateOfBirth: "",
};

const many = (count: number, ask: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, () => ask().catch(() => undefined)));

/** Calls that a page of ours makes too, but never so many of them. */
export const CALL_FLOODS: Record<string, (caller: Caller) => Promise<unknown>> = {
  batches: ({ url, cookie }) => many(CALENDAR_BATCHES, () => send(url + calendars(), { headers: { cookie } })),
  streaming: ({ url, cookie }) => {
    const headers = { cookie, accept: "text/event-stream" };
    return many(STREAMING, async () => {
      for (let round = 0; round < ROUNDS; round += 1) await send(url + asked("clients.list", {}), { headers });
    });
  },
  changes: (caller) => {
    const { url, cookie } = caller;
    const headers = { origin: url, cookie, "content-type": "application/json" };
    return many(CHECKS, () => send(`${url}/trpc/compose.check`, { method: "POST", headers, body: someMail(caller) }));
  },
  mailings: async ({ url, cookie }) => {
    const headers = { origin: url, cookie, "content-type": "application/json" };
    const call = (path: string, input: unknown) =>
      send(`${url}/trpc/mailings.${path}`, { method: "POST", headers, body: JSON.stringify(input) });
    const all = Array.from({ length: MAILINGS }, longMailing);
    const [first] = await Promise.all(all.map((mailing) => call("create", mailing)));
    // Whoever waited too long asks again, as the page would.
    const text = first?.status === 200 ? first.text : (await call("create", all[0])).text;
    const made = madeSchema.safeParse(JSON.parse(text));
    if (made.success) await call("cancel", { id: made.data.result.data.id });
  },
  searches: ({ url, cookie }) => {
    const search = asked("conflicts.search", { term: EVERYBODY, exceptIds: [] });
    return many(SEARCHES, async () => {
      for (let round = 0; round < ROUNDS; round += 1) await send(url + search, { headers: { cookie } });
    });
  },
};

/** A file of some bytes, kept; fails where it is not. */
export async function keepSmallFile(app: Attacked["app"], person: TestPractice, clientId: string): Promise<void> {
  const place = { id: newId(), clientId, caseId: null, name: "note.txt", visibility: PRACTICE_ONLY };
  const reply = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(place))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: newId(),
  });
  if (reply.status !== 201) throw new Error(`a small file was not kept: ${reply.status} ${await reply.text()}`);
  await reply.text();
}
