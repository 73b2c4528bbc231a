// Whom a calendar file names: whoever opens it sees them, and their answer goes there.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { storeFile } from "@app/server/features/files/files.service";
import { forParty } from "@app/shared/visibility";
import { afterEach, expect, test, vi } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, scopeOf } from "../support/server/people.ts";

const MINUTE_MS = 60_000;
const { smtp, app, practice } = aSendingPractice();
const built = forEachTest(() => aCase(practice));
afterEach(() => vi.restoreAllMocks());

const calendarOf = (...lines: string[]): Buffer =>
  Buffer.from(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "METHOD:REQUEST",
      "BEGIN:VEVENT",
      "UID:1",
      "DTSTART:20310304T090000Z",
      ...lines,
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n"),
  );

async function sendWith(content: Buffer, name = "visit.ics") {
  const attachments = [{ mimeType: "text/calendar", name, content: content.toString("base64") }];
  const response = await sendByFunction(app, practice, INES, { to: [built.first.email], attachments });
  return `${response.status} ${await response.text()}`;
}

test.each<[string, (address: string) => Buffer]>([
  ["as who is invited", (address) => calendarOf(`ATTENDEE;CN=P:mailto:${address}`)],
  ["as who invites", (address) => calendarOf(`ORGANIZER:MAILTO:${address.toUpperCase()}`)],
  ["without a link", (address) => calendarOf(`ATTENDEE;CN=P:${address}`)],
  ["as who sends it", (address) => calendarOf(`ORGANIZER;SENT-BY="mailto:${address}":mailto:a@b.example.org`)],
  ["beside a name", (address) => calendarOf(`ATTENDEE;EMAIL=${address}:urn:uuid:1`)],
  ["escaped", (address) => calendarOf(`ATTENDEE:mailto:${address.replace("@", "%40")}`)],
  ["over two lines", (address) => calendarOf(`ATTENDEE:mailto:${address.slice(0, 5)}\r\n ${address.slice(5)}`)],
  ["with a tag", (address) => calendarOf(`ATTENDEE:mailto:${address.replace("@", "+x@")}?subject=x`)],
  ["as a name", (address) => calendarOf(`ATTENDEE;CN="${address}":mailto:room@hall.example.org`)],
  ["as whom to ask", (address) => calendarOf(`CONTACT:Owen Castell\\, ${address}`)],
  ["in its description", (address) => calendarOf(`DESCRIPTION:With ${address}.`)],
  ["in what only some read", (address) => calendarOf(`X-ALT-DESC;FMTTYPE=text/html:<b>${address}</b>`)],
  ["at the start of a line", (address) => calendarOf(`DESCRIPTION:Mail\\n${address}\\nThanks`)],
  ["in brackets", (address) => calendarOf(`COMMENT:[${address}]`)],
  ["in quotes", (address) => calendarOf(`COMMENT:Write to “${address}”!`)],
  ["in a link", (address) => calendarOf(`URL:https://example.org/?to=${address.replace("@", "%40")}`)],
  ["in signs of HTML", (address) => calendarOf(`X-ALT-DESC:<p>${address.replace("@", "&#64;")}</p>`)],
  ["with unseen signs", (address) => calendarOf(`DESCRIPTION:${address.replace("@", "\u200b@\u00ad")}`)],
  ["as its own number", (address) => calendarOf(`RELATED-TO:${address}`)],
  ["with zeros in its signs", (address) => calendarOf(`X-ALT-DESC:${address.replace("@", "&#064;")}`)],
  ["with a sign that does not end", (address) => calendarOf(`X-ALT-DESC:${address.replace("@", "&#64")}`)],
  ["escaped twice", (address) => calendarOf(`URL:https://example.org/?to=${address.replace("@", "%2540")}`)],
  ["with a dot in signs", (address) => calendarOf(`X-ALT-DESC:${address.replaceAll(".", "&period;")}`)],
  ["with a letter in signs", (address) => calendarOf(`X-ALT-DESC:${address.replace("e", "&#x65;")}`)],
  ["with an element in it", (address) => calendarOf(`X-ALT-DESC:${address.replace("@", "<b>@</b>")}`)],
  ["with a sign for joining", (address) => calendarOf(`DESCRIPTION:${address.replace("@", "\u034f@\u2800")}`)],
  ["as quoted-printable", (address) => calendarOf(`DESCRIPTION:${address.replace("@", "=40")}`)],
  ["as JSON has it", (address) => calendarOf(`DESCRIPTION:${address.replace("@", String.raw`\u0040`)}`)],
  [
    "in base64",
    (address) =>
      calendarOf(`ATTACH:${Buffer.from(`Who else: ${address}, and many others of the same case`).toString("base64")}`),
  ],
  ["behind a word", (address) => calendarOf(`DESCRIPTION:see_${address}`)],
  ["behind a number", (address) => calendarOf(`DESCRIPTION:1.${address}`)],
  ["before a word", (address) => calendarOf(`DESCRIPTION:${address}-thanks`)],
  ["before a name of more parts", (address) => calendarOf(`DESCRIPTION:${address}.com`)],
  ["among other letters", (address) => calendarOf(`DESCRIPTION:\u5199${address}\u5199`)],
  ["in UTF-16", (address) => Buffer.from(`\uFEFF${calendarOf(`ATTENDEE:mailto:${address}`).toString()}`, "utf16le")],
])(
  "S68: the other party's address %s in a calendar, when a mail to this one carries it, whatever it is called, stops it",
  async (_how, write) => {
    for (const name of ["visit.ics", "visit.txt"])
      expect(await sendWith(write(built.second.email), name)).toMatch(/^409 .*different parties/);
    expect(smtp.received).toEqual([]);
  },
);

test("a calendar that names whoever gets it, the practice and somebody unknown, when a mail carries it, leaves", async () => {
  const content = calendarOf(
    `ORGANIZER:mailto:${INES}`,
    `ATTENDEE:mailto:${built.first.email}`,
    "ATTENDEE:mailto:room@hall.example.org",
    "DESCRIPTION:Ask help@rooms.example.org",
    "RELATED-TO:2@rooms.example.org",
  );
  expect(await sendWith(content)).toMatch(/^200 /);
  expect(smtp.received.flatMap(({ to }) => to)).toEqual([built.first.email]);
});

test.each([
  ["names very many", calendarOf(...Array.from({ length: 20_000 }, (_, at) => `ATTENDEE:mailto:n${at}@b.example.org`))],
  ["is very large", calendarOf(`DESCRIPTION:${"mailto:".repeat(300_000)}`)],
])(
  "S74: a calendar that %s, when a mail carries it, is refused in words before all of it is looked through",
  async (_what, content) => {
    expect(await sendWith(content)).toMatch(/^400 .*Export a shorter time/);
    expect(smtp.received).toEqual([]);
  },
);

test("S68: a kept calendar that names the other party, when a letter carries it, does not leave", async () => {
  const content = calendarOf(`ATTENDEE:mailto:${built.second.email}`);
  const place = { clientId: null, caseId: built.theCase.id, visibility: forParty(built.p1.partyId) };
  const file = await storeFile(scopeOf(practice.ownerId), Readable.from([content]), { ...place, name: "visit.txt" });
  const letter = aLetterTo(built.first.email, {
    clientId: built.first.id,
    caseId: built.theCase.id,
    fileIds: [file.id],
  });
  const { id } = await practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
  moveTime(MINUTE_MS);
  await deliverCaseMail(createLogger("silent"));
  const { items } = await practice.api.outbox.list.query({ clientId: built.first.id });
  expect(items.find((mail) => mail.id === id)).toMatchObject({ state: "failed" });
  expect(smtp.received).toEqual([]);
});
