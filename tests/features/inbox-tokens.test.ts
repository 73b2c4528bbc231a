// The secret of a link that somebody was sent, in a mail of theirs that colleagues read: it is known by itself, in whatever
// it is wrapped, and no search tells a piece of it.
import { randomBytes } from "node:crypto";
import { deflateRawSync, deflateSync } from "node:zlib";
import { closeConnections } from "@app/server/features/inbox/connections";
import { newId } from "@app/server/core/ids";
import { z } from "zod";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { aFormLink, aPublishedForm } from "../support/server/submissions.ts";
import { makeLink } from "../support/server/booked.ts";
import { startTestApp } from "../support/server/test-app.ts";

const base64 = (text: string | Buffer) =>
  (
    Buffer.from(text)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\n");
/** An archive without its table of contents (APPNOTE 4.3.7). */
const zip = (files: Record<string, string | Buffer>) =>
  Buffer.concat(
    Object.entries(files).flatMap(([name, said]) => {
      const packed = deflateRawSync(said);
      const header = Buffer.alloc(30);
      header.write("PK\u0003\u0004", "latin1");
      header.writeUInt16LE(8, 8);
      header.writeUInt32LE(packed.length, 18);
      header.writeUInt32LE(Buffer.from(said).length, 22);
      header.writeUInt16LE(name.length, 26);
      return [header, Buffer.from(name), packed];
    }),
  );
const attached = (type: string, name: string, content: string | Buffer) =>
  [
    `Content-Type: ${type}; name="${name}"`,
    "Content-Transfer-Encoding: base64",
    `Content-Disposition: attachment; filename="${name}"`,
    "",
    base64(content),
  ].join("\n");

describe.skipIf(whyNoDovecot)("a secret of somebody's own, in mail that others read", () => {
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  let box: string;
  let reader: TestPerson;
  let token: string;
  let client: { id: string; email: string };
  afterAll(closeConnections);

  beforeEach(async () => {
    box = `box.${newId().toLowerCase()}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email: box, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    reader = await aStaffUser(app, practice, { permissions: ["mail.read", "clients.read", "documents.manage"] });
    const { first } = await aCase(practice);
    client = first;
    const form = await aPublishedForm(practice);
    token = (await aFormLink(practice, { formId: form.id, clientId: first.id })).place.userId;
  });

  const lay = (mails: string[]) => layMails(dovecot, box, mails, {});
  const said = (text: string, subject = "Hello") => aMail({ from: client.email, to: box, subject, text });
  const html = (text: string) =>
    aMail({ from: client.email, to: box, subject: "Hello", headers: ["Content-Type: text/html; charset=utf-8"], text });
  const withFile = (part: string) =>
    aMail({
      from: client.email,
      to: box,
      subject: "Hello",
      headers: ['Content-Type: multipart/mixed; boundary="b"'],
      text: ["--b\nContent-Type: text/plain\n\nSee the file", `--b\n${part}`, "--b--"].join("\n"),
    });
  const list = async (search = "") =>
    (await reader.api.inbox.list.query(search ? { clientId: client.id, search } : { clientId: client.id })).items;
  const get = (path: string, place: object) =>
    fetch(`${app.url}/export/mail/${path}?place=${encodeURIComponent(JSON.stringify(place))}`, {
      headers: { cookie: reader.cookies() },
    });

  /** All that somebody else of the practice is shown of the only mail. */
  async function shownOf(): Promise<string> {
    const items = await list();
    const [mail] = items;
    if (!mail) throw new Error("the mail is not listed");
    const { folder, uidValidity, uid } = mail;
    const place = { clientId: client.id, folder, uidValidity, uid };
    const opened = await reader.api.inbox.open.query(place);
    const frame = opened.isHtml ? await (await get("message", place)).text() : "";
    return JSON.stringify([items, opened, frame]);
  }

  test.each<[string, () => string]>([
    ["by itself", () => said(`I was given ${token} for it`)],
    ["in the subject", () => said("Hello", `Re: ${token}`)],
    ["behind another path", () => said(`https://track.example/o/${token}`)],
    ["over two quoted lines", () => said(`> ${token.slice(0, 21)}\n> ${token.slice(21)}`)],
    [
      "in the address of a tracker",
      () => html(`<p>My <a href="https://t.example/?u=%2Fo%2F${token}&amp;d=1">page</a></p>`),
    ],
    ["in a layout, broken by an element", () => html(`<p>${token.slice(0, 12)}<b>${token.slice(12)}</b></p>`)],
    ["in base64", () => said(base64(`My own page is at https://a.example.org/o/${token} and works`))],
    ["in a file's name", () => withFile(attached("image/png", `${token}.png`, "no picture"))],
  ])("inbox: a secret %s, when a colleague reads the mail, is nowhere in it", async (_where, mail) => {
    await lay([mail()]);
    const shown = await shownOf();
    for (const piece of [token, token.slice(0, 21), token.slice(21)]) expect(shown).not.toContain(piece);
    expect(shown).toContain("Hello");
  });

  test("inbox.open: what only looks like a secret, when nobody was handed it, stays", async () => {
    const other = `${newId()}${newId()}`.slice(0, 43);
    await lay([said(`Order ${other} left`)]);
    expect(await shownOf()).toContain(other);
  });

  test("inbox.open: the secret of a booking link of theirs, when a colleague reads the mail, is not in it", async () => {
    const { publicId } = await makeLink(practice, { clientId: client.id, caseId: null });
    await lay([said(`Mine is ${publicId}`)]);
    expect(await shownOf()).not.toContain(publicId);
  });

  test("inbox.list: a piece of a secret, however short, when a colleague searches for it, finds what a wrong one finds", async () => {
    await lay([said(`Unlike this Zebra it is https://a.example.org/form/${newId()}/${token}`), said("Nothing here")]);
    const found = async (search: string) => (await list(search)).map(({ subject }) => subject);
    for (const length of [5, 15, 43]) expect(await found(token.slice(0, length))).toEqual([]);
    expect(await found(token.slice(9, 18))).toEqual([]);
    expect(await found("this zebra IT")).toEqual(["Hello"]);
  });

  test("imap-fetch: a piece of a secret, when a colleague searches in a shared mailbox for it, finds nothing", async () => {
    await lay([said(`Zebra https://a.example.org/form/${newId()}/${token}`)]);
    const found = async (searchQuery: string) => {
      const body = JSON.stringify({ userId: practice.ownerId, folder: "INBOX", limit: 5, offset: 0, searchQuery });
      const headers = { cookie: reader.cookies(), "content-type": "application/json", origin: app.url };
      const answer = await fetch(`${app.url}/functions/imap-fetch`, { method: "POST", headers, body });
      return z.object({ emails: z.array(z.object({ preview: z.string() })) }).parse(await answer.json()).emails.length;
    };
    expect([await found("zebra"), await found(token.slice(0, 6)), await found(token)]).toEqual([1, 0, 0]);
  });

  test.each<[string, () => string]>([
    ["a text", () => attached("text/plain", "letter.txt", `It is ${token}`)],
    ["an archive", () => attached("application/zip", "all.zip", zip({ "a/letter.txt": `It is ${token}` }))],
    [
      "an archive in an archive that is called a picture",
      () => attached("image/png", "x.png", zip({ "in.zip": zip({ "letter.txt": `${"word ".repeat(99)}${token}` }) })),
    ],
    [
      "a document of Office",
      () => {
        const words = `<w:t>https://a.example.org/o/${token.slice(0, 9)}</w:t></w:r><w:r><w:t>${token.slice(9)}</w:t>`;
        const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        return attached(type, "x.docx", zip({ "word/document.xml": `<w:r>${words}</w:r>` }));
      },
    ],
    [
      "a PDF",
      () => {
        const stream = deflateSync(`<</A<</URI(https://a.example.org/o/${token})>>>>`);
        const pdf = [
          Buffer.from("%PDF-1.7\n1 0 obj<</Filter/FlateDecode>>stream\r\n"),
          stream,
          Buffer.from("\nendstream"),
        ];
        return attached("application/pdf", "x.pdf", Buffer.concat(pdf));
      },
    ],
    ["a mail", () => attached("message/rfc822", "letter.eml", `Subject: x\n\nhttps://t.example/o/${token}`)],
  ])("attachment: %s with a secret, when a colleague asks for it, is not given", async (_what, part) => {
    await lay([withFile(part())]);
    const [mail] = await list();
    const [file] = mail?.attachments ?? [];
    const { folder = "", uidValidity = "", uid = 0 } = mail ?? {};
    const answer = await get("attachment", { clientId: client.id, folder, uidValidity, uid, part: file?.part });
    expect([answer.status, (await answer.text()).includes(token)]).toEqual([404, false]);
  });

  test("attachment: an archive without a secret, when a colleague asks for it, is given", async () => {
    const content = zip({
      "letter.txt": "Nothing of anybody's own",
      "photo.bin": randomBytes(900_000).toString("base64"),
    });
    await lay([withFile(attached("application/zip", "all.zip", content))]);
    const [mail] = await list();
    const [file] = mail?.attachments ?? [];
    const { folder = "", uidValidity = "", uid = 0 } = mail ?? {};
    const answer = await get("attachment", { clientId: client.id, folder, uidValidity, uid, part: file?.part });
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), content)).toBe(0);
  });
});
