// Mail that signs people in, in a mailbox that colleagues may read, and on the pages of clients.
import { closeConnections } from "@app/server/features/inbox/connections";
import { deflateSync } from "node:zlib";
import { newId } from "@app/server/core/ids";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const TOKEN = "tdquw4nmbuuzaz8tsuumsrmsrndhofuwbk4vyldtptem";
const LINK = `https://practice.example.org/resetpassword?token=${TOKEN}`;
const INVITED = LINK.replace("resetpassword", "setup");
const html = (text: string, encoding = "7bit") =>
  aMail({ headers: ["Content-Type: text/html; charset=utf-8", `Content-Transfer-Encoding: ${encoding}`], text });
const withParts = (type: string, parts: string[]) =>
  aMail({
    headers: [`Content-Type: multipart/${type}; boundary="b"`],
    text: [...parts.map((part) => `--b\n${part}`), "--b--"].join("\n"),
  });
const base64 = (text: string) =>
  (
    Buffer.from(text)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\n");

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const escaped = (text: string) => text.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
/** After enough words that no preview shows it. */
const tracked = (path: string) =>
  html(`<p>${"word ".repeat(60)}<a href="https://track.example/${path}">Choose a new password</a></p>`);

describe.skipIf(whyNoDovecot)("mail that lets somebody in", () => {
  let reader: TestPerson;
  let email: string;
  let clientId: string;
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  afterAll(closeConnections);
  beforeEach(async () => {
    email = `shared${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    reader = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read", "documents.manage"] });
    ({ id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" })));
  });
  const lay = (mails: string[]) => layMails(dovecot, email, mails);
  const uidOf = (count: number) => ({ clientId, folder: "INBOX", uid: count });
  const get = (path: string, place: object) =>
    fetch(`${app.url}/export/mail/${path}?place=${encodeURIComponent(JSON.stringify(place))}`, {
      headers: { cookie: reader.cookies() },
    });
  /** Its place, taken from a mail beside it that may be shown. */
  async function placeOfFirst(mail: string) {
    await lay([mail, aMail({ subject: "Beside" })]);
    const { items } = await reader.api.inbox.list.query({ clientId });
    const { uidValidity = "" } = items.find(({ subject }) => subject === "Beside") ?? {};
    return { items, place: { ...uidOf(1), uidValidity } };
  }

  test.each<[string, string]>([
    ["in its subject", aMail({ subject: LINK })],
    ["in the name of who sent it", aMail({ from: `"${LINK}" <priya@example.org>` })],
    ["with its letters as numbers", html(`<a href="${LINK.replace("token", "&#116;o&#x6B;en")}">Reset</a>`)],
    ["with entities in its layout", html(`<a href="${LINK.replace("=", "&#x3D;")}">Reset</a>`)],
    ["with names for its signs", html(`<a href="${INVITED.replace("=", "&equals;").replace("?", "&quest;")}">Go</a>`)],
    [
      "with a harmless text beside its layout",
      withParts("alternative", [
        "Content-Type: text/plain\n\nHello",
        `Content-Type: text/html\n\n<a href="${LINK.replace("=", "&#61;")}">Reset</a>`,
      ]),
    ],
    ["in an address of a tracker", aMail({ text: `Go to https://t.example/?u=${encodeURIComponent(LINK)}` })],
    [
      "in an address of a tracker in another",
      aMail({ text: `${"word ".repeat(60)} https://t.example/?u=${encodeURIComponent(encodeURIComponent(LINK))}` }),
    ],
    ["with an element in the link", html(`<p>${LINK.replace("?", "?<wbr>")}</p>`)],
    [
      "with a sign in it that nobody sees",
      aMail({ text: LINK.replace("token", "to\u00ADken").replace("?", "?\u200B") }),
    ],
    ["broken over two lines", aMail({ text: `${"word ".repeat(60)}\n> ${LINK.replace("?", "?\n> ")}` })],
    ["in an address of a tracker in base64url", tracked(`c/${base64url(LINK)}`)],
    ["in base64url behind a name", tracked(`zz${base64url(LINK)}`)],
    ["in base64url in base64url", tracked(`c/${base64url(`https://u.example/l/${base64url(LINK)}`)}`)],
    [
      "in base64url of what a tracker notes",
      tracked(`c?p=${base64url(JSON.stringify({ u: 1, url: LINK }).replaceAll("/", "\\/"))}`),
    ],
    [
      "in base64url of what is packed",
      tracked(`c/${deflateSync(JSON.stringify({ h: "a1", l: LINK })).toString("base64url")}`),
    ],
    ["in hexadecimal", tracked(`h/${Buffer.from(LINK).toString("hex")}`)],
    ["escaped letter by letter", tracked(`?u=${escaped(LINK)}`)],
    ["escaped as in JSON", tracked(`?u=${LINK.replace("?", "\\u003f").replace("=", "\\x3D")}`)],
    ["in base64", html(base64(`<p>${"word ".repeat(60)}<a href="${INVITED}">Go</a></p>`), "base64")],
  ])("S73: a link %s, when the mail is looked at by any route, shows nowhere", async (_how, mail) => {
    const { items, place } = await placeOfFirst(mail);
    expect(JSON.stringify(items)).not.toContain(TOKEN);
    // A busy machine may give the layout up before it has read it, and then says so.
    const opened = await reader.api.inbox.open.query(place).catch(String);
    expect(JSON.stringify(opened)).not.toMatch(/tdquw|token/i);
    const layout = await get("message", place);
    expect([layout.ok, (await layout.text()).includes(TOKEN)]).toEqual([false, false]);
    expect(JSON.stringify(await fetched({}))).not.toContain(TOKEN);
  });

  test.each<[string, string]>([
    [
      "a mail",
      `Content-Type: message/rfc822\nContent-Disposition: attachment; filename=r.eml\n\nSubject: x\n\n${LINK}`,
    ],
    [
      "a mail whose text is encoded",
      `Content-Type: message/rfc822\nContent-Disposition: attachment; filename=r.eml\n\nSubject: x\nContent-Transfer-Encoding: base64\n\n${base64(`${"word ".repeat(60)}${LINK}`)}`,
    ],
    [
      "a mail whose lines are folded",
      `Content-Type: message/rfc822\nContent-Disposition: attachment; filename=r.eml\n\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\n${LINK.replace("=", "=3D").replace("tok", "t=\nok")}`,
    ],
    ["a text", `Content-Type: text/plain; name=l.txt\nContent-Disposition: attachment; filename=l.txt\n\n${LINK}`],
    ["a page", `Content-Type: text/html; name=l.html\n\n<a href="${LINK.replace("=", "&#x3D;")}">x</a>`],
    [
      "bytes of no type",
      `Content-Type: application/octet-stream; name=l.bin\nContent-Transfer-Encoding: base64\n\n${base64(LINK)}`,
    ],
    [
      "a text that calls itself a document",
      `Content-Type: application/pdf; name=l.pdf\nContent-Transfer-Encoding: base64\n\n${base64(LINK)}`,
    ],
    [
      "a text that calls itself a picture",
      `Content-Type: image/png; name=l.png\nContent-Transfer-Encoding: base64\n\n${base64(LINK)}`,
    ],
    [
      "a long text",
      `Content-Type: text/plain; name=l.txt\n\n${"some words of it\n".repeat(31_000)}${LINK}\n${"more\n".repeat(100)}`,
    ],
  ])("S73: a link in %s that is attached, when it is downloaded or kept, is not there", async (_what, part) => {
    const { place } = await placeOfFirst(withParts("mixed", ["Content-Type: text/plain\n\nHello", part]));
    const response = await get("attachment", { ...place, part: "2" });
    expect([response.status, (await response.text()).includes(TOKEN)]).toEqual([404, false]);
    const kept = { ...place, id: newId(), part: "2", name: "l.txt", caseId: null, visibility: PRACTICE_ONLY };
    expect((await refusal(reader.api.inbox.fileAttachment.mutate(kept))).code).toBe("NOT_FOUND");
  });

  test("S73: a mail that the list leaves out for what is attached to it, when it is opened by its place, is not there", async () => {
    const { items, place } = await placeOfFirst(
      withParts("mixed", [
        "Content-Type: text/plain\n\nHello",
        `Content-Type: message/rfc822\n\nSubject: x\n\n${LINK}`,
      ]),
    );
    expect(items.map(({ subject }) => subject)).toEqual(["Beside"]);
    expect((await refusal(reader.api.inbox.open.query(place))).code).toBe("NOT_FOUND");
  });

  test("S73: what is attached and lets nobody in, when it is downloaded, comes whole", async () => {
    const words = "reset password is a word, token another & 100 % true\n".repeat(20_000);
    const { place } = await placeOfFirst(
      withParts("mixed", ["Content-Type: text/plain\n\nHello", `Content-Type: text/plain; name=l.txt\n\n${words}`]),
    );
    const response = await get("attachment", { ...place, part: "2" });
    expect((await response.text()).replaceAll("\r", "").trimEnd()).toBe(words.trimEnd());
  });

  async function fetched(fields: object, person: TestPerson = reader) {
    const response = await fetch(`${app.url}/functions/imap-fetch`, {
      method: "POST",
      headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
      body: JSON.stringify({ userId: practice.ownerId, ...fields }),
    });
    const { emails = [] } = (await response.json()) as { emails?: { subject: string }[] };
    return { status: response.status, subjects: emails.map(({ subject }) => subject) };
  }
  const secret = aMail({
    from: "Service <service@example.net>",
    subject: "Secret",
    text: `${"word ".repeat(60)}${LINK}`,
  });
  const planted = aMail({ subject: "Planted", text: `${TOKEN} ${TOKEN.slice(0, 3)} all of it` });

  test("S73: a search with parts of the link, when a colleague asks, finds the same as if that mail were not there", async () => {
    await lay([planted, secret]);
    for (const searchQuery of [TOKEN, TOKEN.slice(0, 3), TOKEN.slice(4, 9), "word", "Secret", "service@example.net"]) {
      const isPlanted = `${TOKEN} all of it`.includes(searchQuery);
      for (const limit of [1, 2, 50])
        expect(await fetched({ searchQuery, limit })).toEqual({ status: 200, subjects: isPlanted ? ["Planted"] : [] });
      expect((await fetched({ searchQuery, limit: 1, offset: 1 })).subjects).toEqual([]);
    }
    expect((await fetched({ searchQuery: TOKEN }, practice)).subjects).toEqual(["Secret", "Planted"]);
  });

  test("S73: pages of a shared mailbox, when a colleague turns them, are full and leave that mail out", async () => {
    await lay([aMail({ subject: "1" }), secret, aMail({ subject: "2" }), secret, secret, aMail({ subject: "3" })]);
    expect((await fetched({ limit: 2 })).subjects).toEqual(["3", "2"]);
    expect((await fetched({ limit: 2, offset: 2 })).subjects).toEqual(["1"]);
    expect((await fetched({ limit: 1, offset: 3 })).subjects).toEqual([]);
  });

  test("S73: a search on a client's page with parts of the link, when it was forwarded, finds nothing", async () => {
    await lay([aMail({ subject: "Forwarded", text: `${"word ".repeat(60)}${LINK}` })]);
    for (const search of [TOKEN, TOKEN.slice(0, 5), "Forwarded"])
      expect((await reader.api.inbox.list.query({ clientId, search })).items).toEqual([]);
  });

  test("S73: whoever asks again and again, when it is more than a program needs, has to wait", async () => {
    const statuses = new Set<number>();
    for (let asked = 0; asked < 110; asked += 10) {
      const some = await Promise.all(Array.from({ length: 10 }, () => fetched({ searchQuery: `q${asked}`, limit: 1 })));
      for (const { status } of some) statuses.add(status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });
});
