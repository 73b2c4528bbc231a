// What somebody who must be reached discreetly gets: nothing on the outside of a mail tells who wrote it or why.
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";
import { aLetterTo } from "../support/mail/letters.ts";
import { aClient } from "../support/server/people.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";

const RITA = "rita@example.org";
const TELLING = /mediat|heron|m1am|miam|quillfeather|owen/i;

const { smtp, app, practice } = aSendingPractice();
beforeEach(async () => {
  const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord: "harbour" };
  await practice.api.clients.create.mutate(aClient({ email: RITA, safeContact }));
});

interface Sent {
  toName?: string;
  body?: string;
  files?: { mimeType: string; name: string; content: string | Buffer }[];
  headers?: Record<string, string>;
}

async function send({ toName = "", body = "Hello", files = [], headers = {} }: Sent) {
  const message = {
    from: { name: "Heron Mediation", address: INES },
    to: [{ name: toName, address: RITA }],
    subject: "Mediation at Heron",
    body,
    attachments: files.map(({ content, ...file }) => ({ ...file, content: Buffer.from(content).toString("base64") })),
    headers,
  };
  const response = await fetch(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
    body: JSON.stringify({ userId: practice.ownerId, message }),
  });
  return { status: response.status, answer: await response.text() };
}

/** Sends it, and gives what arrived. */
async function arrived(sent: Sent) {
  expect(await send(sent)).toMatchObject({ status: 200 });
  const source = smtp.received.find(({ to }) => to.includes(RITA))?.source ?? "";
  return PostalMime.parse(source, { attachmentEncoding: "utf8" });
}

const textOf = (content: unknown): string => (typeof content === "string" ? content : "");

const aCalendar = (lines: string[] = [], start = "DTSTART:20310304T090000Z") =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1@x", start, ...lines, "END:VEVENT", "END:VCALENDAR"].join(
    "\r\n",
  );
const asFile = (content: string | Buffer, mimeType = "text/calendar", name = "invite.ics") => [
  { mimeType, name, content },
];

test("S68: a name beside the address, when it tells, is left out", async () => {
  const { to, from } = await arrived({ toName: "Mediation client of Blue Heron" });
  expect(to).toEqual([{ name: "", address: RITA }]);
  expect(from?.name).not.toMatch(TELLING);
});

test("S68: what its sender says of the list it is from, which may tell, is left out", async () => {
  const link = "<https://heron-mediation.example.org/stop>";
  const headers = { "List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  const mail = await arrived({ headers });
  expect(mail.headers.map(({ key }) => key).filter((key) => key.startsWith("list-"))).toEqual([]);
});

test.each([
  "MIAM_form.pdf",
  "M1AM.pdf",
  "M3d1ation.pdf",
  "Heron.miam",
  "case Owen Canr.docx",
  "Med\u00ADiation.txt",
  "\u041Cediation.pdf",
])("S68: a file called %j, when it is attached, arrives under a number", async (name) => {
  const { attachments } = await arrived({
    files: [{ mimeType: "application/pdf; name=Mediation.pdf", name, content: "PDF" }],
  });
  expect(attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/^attachment-1(\.\w+)?$/)]);
  expect(smtp.received[0]?.source).not.toMatch(/\bMediation\.pdf|miam/i);
});

test.each([
  ["signs that nobody sees", '<p><a href="https://x.example">Med\u00ADiation at He\u200Bron</a></p>'],
  ["joiners", '<p><a href="https://x.example">Medi\u2060ation</a> and <a href="https://y.example">He\u200Dron</a></p>'],
  ["digits for letters", '<p><a href="https://x.example">M3d1ation</a></p>'],
  ["letters of another script", '<p><a href="https://x.example">\u041Ced\u0456ation</a></p>'],
  ["a title", '<p><a href="https://x.example" title="Mediation">See</a></p>'],
  ["a label", '<p><a href="https://x.example" aria-label="Heron">See</a></p>'],
  ["a picture", '<p><a href="https://x.example"><img src="https://x.example/a.png" alt="Mediation"></a></p>'],
  ["an area", '<p><map><area href="https://x.example" alt="Mediation at Heron"></map>Hello</p>'],
  ["no end", '<p><a href="https://x.example">Mediation at Heron</p><p>Hello</p>'],
  ["no end and a block in it", '<div><a href="https://x.example">Mediation <p>Hello</p></div>'],
  ["an end of another sort", '<p><A HREF="https://x.example">Mediation</A\n></p><p>Hello</p>'],
  ["entities", '<p><a href="https://x.example">&#77;ediation &#x48;eron</a></p>'],
])("S68: a link with %s, when the mail arrives, says nothing", async (_what, body) => {
  const { html = "" } = await arrived({ body });
  expect(html.normalize("NFKC").replace(/[\u00AD\u200B-\u200D\u2060]/g, "")).not.toMatch(TELLING);
  expect(html).not.toMatch(/M3d1|\u041Ced|title=|alt=|aria-/i);
  for (const [, says] of html.matchAll(/<a\b[^>]*>([^<]*)</g)) expect(says).toBe("Open the link");
  if (body.includes("Hello")) expect(html).toContain("Hello");
});

test("S68: the words of the mail and where its links lead, when it is made neutral, stay", async () => {
  const { html, text } = await arrived({
    body: '<h1>Hello Rita</h1><p>Line one<br>line two &amp; <b>three</b></p><ul><li>a</li></ul><p><a href="https://x.example/?a=1&amp;b=2">x</a></p>',
  });
  expect(html).toContain('<a href="https://x.example/?a=1&#38;b=2">Open the link</a>');
  expect(text).toMatch(
    /Hello Rita\s+Line one\s+line two & three\s+\* a\s+Open the link: https:\/\/x\.example\/\?a=1&b=2/,
  );
});

async function callOwner(firstName: string, lastName: string) {
  const { version } = await practice.api.users.profile.query();
  const accreditation = { isAccredited: false, accreditationNumber: "" };
  await practice.api.users.updateProfile.mutate({ firstName, lastName, ...accreditation, version });
}

test.each([
  ["like the practice", "Quillfeather", "Mediation"],
  ["in part like the practice", "Ines", "Qu\u00ADillfeather"],
  ["like what it does", "Family", "Mediators"],
])("S68: somebody called %s, when they write, is not named", async (_what, firstName, lastName) => {
  await callOwner(firstName, lastName);
  const files = asFile(aCalendar(["ORGANIZER;CN=Heron:mailto:ines@practice.example.org"]));
  const { from, subject, attachments } = await arrived({ files });
  expect({ from, subject }).toEqual({ from: { name: "", address: INES }, subject: "A message for you" });
  const entry = textOf(attachments[0]?.content).replace(/\r?\n[ \t]/g, "");
  // Whose it is stands in the mail alone: an attached one would name the practice where the mail does not.
  expect(entry).not.toContain("ORGANIZER");
  expect(smtp.received[0]?.source).not.toMatch(TELLING);
});

test("S68: somebody called like the practice, when they look at a letter before they send it, sees that it names nobody", async () => {
  await callOwner("Quillfeather", "Mediation");
  const { items } = await practice.api.clients.list.query({ search: RITA });
  const letter = aLetterTo(RITA, { clientId: items[0]?.id ?? "" });
  expect(await practice.api.compose.check.mutate(letter)).toMatchObject({
    isNeutral: true,
    subject: "A message for you",
  });
});

test("S68: somebody called by a name of their own, when they write, is named", async () => {
  const { from, subject } = await arrived({});
  expect({ from, subject }).toEqual({
    from: { name: "Ines Marchbank", address: INES },
    subject: "A message from Ines Marchbank",
  });
});

describe("a calendar", () => {
  const told = [
    "SUMMARY:Mediation",
    'ORGANIZER;CN="Heron Mediation";SENT-BY="mailto:heron@example.org":mailto:ines@practice.example.org',
    'ATTENDEE;CN="Mediation case Heron: Owen";ROLE=REQ-PARTICIPANT;X-CASE=mediation:mailto:rita@example.org',
    "ATTENDEE;CN=Owen:mailto:owen@example.org",
    "CATEGORIES:Med\u00ADiation",
    "DESCRIPTION:He\u200Bron",
    "X-ALT-DESC:mediation",
    "STATUS;X-WHY=mediation:CONFIRMED",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "TRIGGER:-PT15M",
    "DESCRIPTION:Mediation",
    "END:VALARM",
  ];

  test.each<[string, string | Buffer, string?, string?]>([
    ["with names in its parameters", aCalendar(told)],
    ["whose id tells", aCalendar(told).replace("UID:1@x", "UID:u-mediation-heron")],
    [
      "with a zone of a telling name",
      aCalendar(told, "DTSTART;TZID=Heron:20310304T090000").replace(
        "BEGIN:VEVENT",
        "BEGIN:VTIMEZONE\r\nTZID:Heron\r\nX-LIC-LOCATION:Mediation\r\nBEGIN:STANDARD\r\nDTSTART:19701025T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nTZNAME:Mediation\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT",
      ),
    ],
    ["that stands twice in a file", `${aCalendar(told)}\r\n${aCalendar(told)}`],
    ["with a byte order mark and no type", `\uFEFF${aCalendar(told)}`, "application/octet-stream", "x"],
    ["in UTF-16 and with no type", Buffer.from(`\uFEFF${aCalendar(told)}`, "utf16le"), "application/octet-stream", "x"],
    ["with a folded first line", aCalendar(told).replace("VCALENDAR", "VCAL\r\n ENDAR"), "application/x", "x.bin"],
  ])("S68: %s, when it arrives, has the time and nothing that tells", async (_what, content, mime, name) => {
    const { attachments } = await arrived({ files: asFile(content, mime, name) });
    const [file] = attachments;
    const text = textOf(file?.content).replace(/\r?\n[ \t]/g, "");
    expect(text).toMatch(/DTSTART[^:]*:20310304T090000/);
    expect(text).toContain("SUMMARY:Appointment");
    expect(text).toContain("ATTENDEE;ROLE=REQ-PARTICIPANT:mailto:rita@example.org");
    expect(text.normalize("NFKC").replace(/[\u00AD\u200B]/g, "")).not.toMatch(TELLING);
    expect(text).not.toMatch(/categories|description|alarm|x-/i);
    expect([file?.filename, file?.mimeType]).toEqual(["attachment-1.ics", "text/calendar"]);
  });

  test("S68: what repeats, when it arrives, repeats as it did", async () => {
    const lines = [
      "DTEND:20310304T100000Z",
      "RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU",
      "EXDATE:20310311T090000Z",
      "SEQUENCE:2",
    ];
    const { attachments } = await arrived({ files: asFile(aCalendar([...lines, "STATUS:CONFIRMED"])) });
    for (const line of lines) expect(textOf(attachments[0]?.content)).toContain(line);
  });

  test.each([
    ["that breaks off", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Mediation"],
    ["without a time", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR"],
    ["without an appointment", "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Mediation\r\nEND:VCALENDAR"],
    ["with words for a time", aCalendar([], "DTSTART;VALUE=TEXT:Mediation")],
    ["with words for a rule", aCalendar(["RRULE:FREQ=MEDIATION"])],
    ["in a zone that nobody knows", aCalendar([], "DTSTART;TZID=Mediation:20310304T090000")],
    ["that is none", "Mediation at Heron"],
    ["of no bytes", ""],
  ])("S68: one %s, when it is sent, is refused in words", async (_what, content) => {
    const { status, answer } = await send({ files: asFile(content) });
    expect(status).toBe(409);
    expect(answer).toContain("The calendar file cannot be read.");
    expect(answer).not.toMatch(/property|undefined|function|error":""/);
    expect(smtp.received).toEqual([]);
  });
});
