// A link that signs somebody in lies in a mailbox that colleagues may read, behind a link of whoever carried it: nobody
// can recognise it, so what came since it was asked for is for the mailbox's holder alone, until it is dead.
import { configure, settings } from "@app/server/core/settings";
import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import mongoose from "mongoose";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aContact, contactFields } from "../support/access/contacts-access.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aClient, aPractice, aStaffUser, aVisitor, PASSWORD, type TestPerson } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, forgetAttempts, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const MINUTE_MS = 60_000;
const MAILER = "bounce@mailer.example";
const NEW = "velvet compass orchard tin";

describe.skipIf(whyNoDovecot)("while a link is open", () => {
  let reader: TestPerson;
  let email: string;
  let count = 0;
  const dovecot = forAllTests(startDovecot);
  const smtp = anSmtpForAll({ authOptional: true });
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  beforeEach(forgetAttempts);
  const putSettingsBack = settingsOfEachTest();
  const practice = forEachTest(() => aPractice(app));
  afterAll(closeConnections);
  beforeEach(async () => {
    email = `window${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    reader = await aStaffUser(app, practice, {
      permissions: ["mail.read", "clients.read", "clients.write", "documents.manage"],
    });
    configure({
      ...settings(),
      SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SYSTEM_MAIL_FROM: "office@example.net",
    });
  });

  /** The link of the mail that the product sent last to this address. */
  const linkTo = (address: string) =>
    vi.waitFor(
      () => {
        const mail = smtp.received.findLast(({ to }) => to.includes(address));
        const words = (mail?.source ?? "").replace(/=\r\n/g, "").replaceAll("=3D", "=");
        const found = /http\S+token=[\w-]+/.exec(words)?.[0];
        expect(found).toBeDefined();
        return found ?? "";
      },
      { timeout: 15_000, interval: 100 },
    );
  const tokenOf = (link: string) => /token=([\w-]+)/.exec(link)?.[1] ?? "";
  const lay = (mails: string[], at = new Date(), folder = "INBOX") => layMails(dovecot, email, mails, { at, folder });
  /** As a service carries it that counts who follows its links: its own sender, Message-ID and address. */
  const carried = (how: (link: string) => string, link: string) =>
    aMail({
      from: `Carrier <${MAILER}>`,
      to: email,
      subject: "Choose a new password",
      text: `${"word ".repeat(60)}\nhttps://track.example/c/${how(link)}`,
    });
  const opaque = () => "7f3k9q";
  const ask = (person = practice.email) => aVisitor(app).api.auth.requestPasswordReset.mutate({ email: person });

  async function fetched(fields: object = {}, person: TestPerson = reader) {
    const response = await fetch(`${app.url}/functions/imap-fetch`, {
      method: "POST",
      headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
      body: JSON.stringify({ userId: practice.ownerId, ...fields }),
    });
    const { emails = [] } = (await response.json()) as { emails?: { subject: string }[] };
    return emails.map(({ subject }) => subject);
  }

  test.each<[string, () => Promise<string>]>([
    [
      "for a new password to the address the holder signs in with",
      async () => {
        await ask();
        return linkTo(practice.email);
      },
    ],
    [
      "into a practice to the address of the mailbox",
      async () => {
        const other = await aPractice(app);
        await other.api.staff.invite.mutate({ id: newId(), email, firstName: "Tom", lastName: "Birch", role: 3 });
        return linkTo(email);
      },
    ],
    [
      "to a registration with the address of the mailbox in another spelling",
      async () => {
        const address = email.replace("@", "+new@");
        await aVisitor(app).api.auth.register.mutate({
          firstName: "Nora",
          lastName: "Vale",
          email: address,
          password: PASSWORD,
          practiceName: "Valebridge",
          region: "england_wales",
          mediatorType: "family",
        });
        return linkTo(address);
      },
    ],
  ])(
    "S73: a link %s, when it hides behind another, is seen by its holder alone, listed and searched",
    async (_what, made) => {
      await lay([aMail({ from: "bank@example.net", subject: "Long before" })], new Date(Date.now() - 60 * MINUTE_MS));
      const link = await made();
      await lay([
        carried(opaque, link),
        carried((one) => Buffer.from(one).toString("base64url"), link),
        aMail({ from: "bank@example.net", subject: "Later" }),
      ]);
      await lay([aMail({ from: `Ines <${email}>`, to: "x@example.net", subject: "Passed on" })], new Date(), "Sent");
      expect(await fetched()).toEqual(["Long before"]);
      for (const searchQuery of ["Choose", "7f3k9q", "track.example", MAILER])
        expect(await fetched({ searchQuery, limit: 1 })).toEqual([]);
      expect(await fetched({ folder: "Sent" })).toEqual([]);
      expect((await fetched({}, practice)).toSorted()).toEqual(
        ["Choose a new password", "Choose a new password", "Later", "Long before"].toSorted(),
      );
    },
  );

  /** The carrier's address is one that the reader entered, and the mail stands on that client's page. */
  async function carrierAsClient() {
    const { id: clientId } = await reader.api.clients.create.mutate(aClient({ email: MAILER }));
    return { clientId, list: async () => (await reader.api.inbox.list.query({ clientId })).items };
  }

  test("S73: a page that the reader made for whoever carries such links, when one comes, shows and opens nothing of it", async () => {
    const { clientId, list } = await carrierAsClient();
    await ask();
    const link = await linkTo(practice.email);
    const attached = aMail({
      from: `Carrier <${MAILER}>`,
      subject: "Attached",
      headers: ['Content-Type: multipart/mixed; boundary="b"'],
      text: `--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/plain; name=l.txt\n\ntrack.example/7f3k9q\n--b--`,
    });
    await lay([aMail({ from: MAILER, subject: "Old" })], new Date(Date.now() - 60 * MINUTE_MS));
    await lay([carried(opaque, link), attached]);
    const items = await list();
    expect(items.map(({ subject }) => subject)).toEqual(["Old"]);
    const [old] = items;
    if (!old) throw new Error("the old mail is not listed");
    for (const uid of [2, 3]) {
      const place = { clientId, folder: old.folder, uidValidity: old.uidValidity, uid };
      expect((await refusal(reader.api.inbox.open.query(place))).code).toBe("NOT_FOUND");
      for (const path of ["message", "attachment"]) {
        const query = encodeURIComponent(JSON.stringify(path === "message" ? place : { ...place, part: "2" }));
        const answer = await fetch(`${app.url}/export/mail/${path}?place=${query}`, {
          headers: { cookie: reader.cookies() },
        });
        expect(answer.status).toBe(404);
      }
      const kept = { ...place, id: newId(), part: "2", name: "l.txt", caseId: null, visibility: PRACTICE_ONLY };
      expect((await refusal(reader.api.inbox.fileAttachment.mutate(kept))).code).toBe("NOT_FOUND");
    }
  });

  test("S73: mail of clients and contacts whom the reader knows, when a link is open, is shown as ever", async () => {
    await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
    await practice.api.contacts.create.mutate(aContact({ email: "solicitor@example.org" }));
    await reader.api.clients.create.mutate(aClient({ email: MAILER }));
    await ask();
    await lay([
      aMail({ from: "Priya <Priya+x@example.org>", subject: "From Priya" }),
      aMail({ from: "solicitor@example.org", subject: "From a contact" }),
      aMail({ from: `${MAILER}, priya@example.org`, subject: "From two" }),
      aMail({ from: MAILER, subject: "From the carrier" }),
      aMail({ from: "stranger@example.net", subject: "From a stranger" }),
    ]);
    expect((await fetched()).toSorted()).toEqual(["From Priya", "From a contact"]);
  });

  test("S73: a contact whose address the reader changed, when a link is open, shows nothing of it", async () => {
    const permissions = ["mail.read", "clients.read", "clients.write"] as const;
    const person = await aStaffUserWithLink([...permissions]);
    const { id, version } = await practice.api.contacts.create.mutate(aContact({ email: "solicitor@example.org" }));
    const contact = contactFields({ email: MAILER });
    await person.api.contacts.update.mutate({ id, version, contact });
    await ask();
    await lay([aMail({ from: MAILER, subject: "From the carrier" })]);
    expect(await fetched({}, person)).toEqual([]);
  });

  /** Without a way to send, an invitation is handed on as a link. */
  async function aStaffUserWithLink(permissions: ("mail.read" | "clients.read" | "clients.write")[]) {
    const present = settings();
    putSettingsBack();
    const person = await aStaffUser(app, practice, { permissions });
    configure(present);
    return person;
  }

  test("S73: what came meanwhile, when the link was used, shows again; the carried one too, for it is dead", async () => {
    const { list } = await carrierAsClient();
    await ask();
    const link = await linkTo(practice.email);
    await lay([carried(opaque, link), aMail({ from: "bank@example.net", subject: "Later" })]);
    expect([await fetched(), await list()]).toEqual([[], []]);
    await aVisitor(app).api.auth.resetPassword.mutate({ token: tokenOf(link), password: NEW });
    expect((await fetched()).toSorted()).toEqual(["Choose a new password", "Later"]);
    expect((await list()).map(({ subject }) => subject)).toEqual(["Choose a new password"]);
  });

  test("S73: what came meanwhile, when the hour of the link is over, shows again", async () => {
    await ask();
    await lay([carried(opaque, await linkTo(practice.email))]);
    expect(await fetched()).toEqual([]);
    moveTime(61 * MINUTE_MS);
    expect(await fetched()).toEqual(["Choose a new password"]);
  });

  test("S73: a link that is asked for after a list was read, when its mail comes, is in no list after it", async () => {
    await lay([aMail({ from: "bank@example.net", subject: "Before" })], new Date(Date.now() - 20 * MINUTE_MS));
    expect(await fetched()).toEqual(["Before"]);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => fetched())),
      ask()
        .then(() => linkTo(practice.email))
        .then((link) => lay([carried(opaque, link)])),
    ]);
    expect(new Set(answers.flat())).toEqual(new Set(["Before"]));
    expect(await fetched()).toEqual(["Before"]);
  });

  test("S73: when a mail came, where its sender says otherwise, is what its own server says", async () => {
    await ask();
    const dated = (subject: string) =>
      aMail({ from: "bank@example.net", subject }).replace(/^Date: .*$/m, "Date: Thu, 01 Jan 2099 00:00:00 +0000");
    await lay([dated("Old, dated ahead")], new Date(Date.now() - 60 * MINUTE_MS));
    await lay([aMail({ from: "bank@example.net", subject: "New, dated back" })]);
    expect(await fetched()).toEqual(["Old, dated ahead"]);
  });

  test("S79: a link, when its server's clock was some minutes behind or ours an hour ahead, is seen by nobody else", async () => {
    await ask();
    await lay([carried(opaque, await linkTo(practice.email))], new Date(Date.now() - 10 * MINUTE_MS));
    expect(await fetched()).toEqual([]);
    const users = mongoose.connection.collection<{ _id: string }>("users");
    const ahead = { "password_resets.0.expires_at": new Date(Date.now() + 120 * MINUTE_MS) };
    await users.updateOne({ _id: practice.ownerId }, { $set: ahead });
    await lay([carried(opaque, "")], new Date(Date.now() - 30 * MINUTE_MS));
    expect(await fetched()).toEqual([]);
  });
});
