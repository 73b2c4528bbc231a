// What colleagues may do with somebody's mailbox: for which mailbox it was said, who can take it back, and whose it is.
import { closeConnections } from "@app/server/features/inbox/connections";
import { loginsOfMailboxes } from "@app/server/features/mailboxes/mailboxes.migration";
import type { ConnectMailbox } from "@app/shared/mailboxes";
import type { Permission } from "@app/shared/access";
import mongoose from "mongoose";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { connectMailbox, serversOf } from "../support/mail/mailbox.ts";
import { SMTP_PASSWORD } from "../support/mail/smtp-server.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser, setPermissions, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const MAIL_RIGHTS: Permission[] = ["mail.send", "mail.read", "clients.read", "clients.write"];

describe.skipIf(whyNoDovecot)("a connected mailbox", () => {
  const dovecot = forAllTests(startDovecot);
  const smtp = anSmtpForAll();
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  let hugh: TestPerson;
  let count = 0;
  let at = "";
  beforeEach(async () => {
    hugh = await aStaffUser(app, practice, { permissions: MAIL_RIGHTS });
    at = `@lent${(count += 1)}.example.org`;
  });
  afterAll(closeConnections);

  const box = (name: string, logins: { imap?: string; smtp?: string } = {}): ConnectMailbox => {
    const email = `${name}${at}`;
    const { imap, smtp: submission } = serversOf(email, dovecot, smtp);
    return {
      email,
      password: SMTP_PASSWORD,
      ca: dovecot.ca,
      servers: {
        imap: { ...imap, user: logins.imap ?? email },
        smtp: { ...submission, user: logins.smtp ?? email },
      },
    };
  };
  const connect = (person: Pick<TestPerson, "api">, input: ConnectMailbox) =>
    person.api.mailboxes.connect.mutate(input);
  const sharingOf = async ({ api }: Pick<TestPerson, "api">) => (await api.mailboxes.get.query()).connected?.sharing;
  const idOf = async ({ email }: TestPerson) =>
    (await practice.api.staff.list.query()).items.find((one) => one.email === email)?.id ?? "";
  const posted = async (path: string, person: TestPerson, body: object) =>
    (
      await fetch(`${app.url}/functions/${path}`, {
        method: "POST",
        headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).status;

  test.each<[string, () => ConnectMailbox]>([
    ["another address", () => box("private")],
    ["the same address with another login to read by", () => box("hugh", { imap: `private${at}` })],
    ["the same address with another login to send by", () => box("hugh", { smtp: `private${at}` })],
    ["the same address with a login that is none", () => box("hugh", { smtp: "private" })],
  ])(
    "S71: a mailbox that others may use, when %s is connected in its place, then it is nobody else's",
    async (_what, other) => {
      await connect(hugh, box("hugh"));
      await hugh.api.mailboxes.share.mutate({ maySend: true, mayRead: true });
      expect(await connect(hugh, other())).toEqual({ problems: [] });
      expect(await sharingOf(hugh)).toEqual({ maySend: false, mayRead: false });
      expect(await posted("imap-fetch", practice, { userId: await idOf(hugh) })).toBe(403);
    },
  );

  test("mailboxes.connect: what colleagues may do, when the same mailbox is connected again, then stays", async () => {
    await connect(practice, box("ines"));
    await practice.api.mailboxes.share.mutate({ maySend: false, mayRead: true });
    await connect(practice, box("ines", { imap: `INES${at}` }));
    expect(await sharingOf(practice)).toEqual({ maySend: false, mayRead: true });
    await practice.api.mailboxes.check.mutate();
    await connect(practice, box("ines"));
    expect(await sharingOf(practice)).toEqual({ maySend: false, mayRead: true });
  });

  describe("whose holder may not send mail any more", () => {
    beforeEach(async () => {
      await connect(hugh, box("hugh"));
      await hugh.api.mailboxes.share.mutate({ maySend: true, mayRead: true });
      await layMails(dovecot, `hugh${at}`, [aMail({ subject: "Beside" })]);
    });
    const read = async () => posted("imap-fetch", practice, { userId: await idOf(hugh) });
    const send = async () =>
      posted("imap-send", practice, {
        userId: await idOf(hugh),
        message: {
          from: { name: "", address: `hugh${at}` },
          to: [{ address: "own@example.net" }],
          cc: [],
          subject: "Your papers",
          body: "Hello",
          attachments: [],
        },
      });

    test("S71: when a colleague reads or sends by it, then they are refused, until its holder may send again", async () => {
      expect([await read(), await send()]).toEqual([200, 200]);
      await setPermissions(practice, hugh, ["mail.read", "clients.read"]);
      expect([await read(), await send()]).toEqual([403, 403]);
      await setPermissions(practice, hugh, MAIL_RIGHTS);
      expect([await read(), await send()]).toEqual([200, 200]);
    });

    test("S71: when its holder is suspended, then nobody reads or sends by it", async () => {
      await practice.api.staff.suspend.mutate({ id: await idOf(hugh) });
      expect([await read(), await send()]).toEqual([403, 403]);
    });

    test("S71: mailboxes.share: when they take back what others may do, then it is taken back, and nothing is given", async () => {
      await setPermissions(practice, hugh, []);
      expect(await sharingOf(hugh)).toEqual({ maySend: true, mayRead: true });
      await hugh.api.mailboxes.share.mutate({ maySend: true, mayRead: false });
      const given = hugh.api.mailboxes.share.mutate({ maySend: true, mayRead: true });
      expect((await refusal(given)).code).toBe("FORBIDDEN");
      await hugh.api.mailboxes.share.mutate({ maySend: false, mayRead: false });
      expect((await refusal(hugh.api.mailboxes.share.mutate({ maySend: true, mayRead: false }))).code).toBe(
        "FORBIDDEN",
      );
      await setPermissions(practice, hugh, MAIL_RIGHTS);
      expect([await read(), await send()]).toEqual([403, 403]);
    });

    test("S71: mailboxes.disconnect: when they disconnect it, then nothing of it is kept", async () => {
      await setPermissions(practice, hugh, []);
      expect((await hugh.api.mailboxes.disconnect.mutate()).connected).toBeNull();
      expect(await mongoose.connection.collection("email_credentials").findOne({ email: `hugh${at}` })).toBeNull();
    });
  });

  describe("with a login that is another address", () => {
    const refused = async (outcome: Promise<unknown>) => (await refusal(outcome)).fields["email"] ?? "";

    test("mailboxes.connect: two colleagues, when both send through one account of a relay, then each has their own mailbox", async () => {
      await connect(practice, box("ines", { smtp: `relay${at}` }));
      await connect(hugh, box("hugh", { smtp: `relay${at}` }));
      expect((await hugh.api.mailboxes.get.query()).connected?.email).toBe(`hugh${at}`);
    });

    test.each(["imap", "smtp"] as const)(
      "S73: clients.create: when the address is the %s login of somebody's mailbox, then it is refused as theirs",
      async (side) => {
        const email = `boss.private${at}`;
        await connect(practice, box("office", { [side]: `BOSS.private${at}` }));
        expect(await refused(hugh.api.clients.create.mutate(aClient({ email })))).toContain("works here");
        expect(await refused(hugh.api.clients.create.mutate(aClient({ email: `office${at}` })))).toContain(
          "works here",
        );
      },
    );

    test.each(["imap", "smtp"] as const)(
      "S73: mailboxes.connect: when the %s login is a client's address, then it is refused",
      async (side) => {
        await practice.api.clients.create.mutate(aClient({ email: `priya${at}` }));
        expect(await refused(connect(hugh, box("hugh", { [side]: `priya${at}` })))).toContain(
          "belongs to somebody else",
        );
        expect((await hugh.api.mailboxes.get.query()).connected).toBeNull();
      },
    );

    test("S73: mailboxes.connect: when it is read by a login that is a colleague's, then it is refused", async () => {
      await connect(practice, box("office", { imap: `ines${at}` }));
      expect(await refused(connect(hugh, box("hugh", { imap: `ines${at}` })))).toContain("connected this mailbox");
      expect(await refused(connect(hugh, box("hugh", { imap: practice.email })))).toContain("colleague’s");
      expect(await refused(connect(hugh, box("ines")))).toContain("colleague’s");
      expect((await hugh.api.mailboxes.get.query()).connected).toBeNull();
    });

    test("S73: inbox.list: when a client's address was that login before logins were kept, then no mail of it shows", async () => {
      const login = `boss.private${at}`;
      const { id: clientId } = await hugh.api.clients.create.mutate(aClient({ email: login }));
      await connectMailbox(practice.ownerId, {
        email: `office${at}`,
        smtpPort: smtp.port,
        imapPort: dovecot.port,
        ca: dovecot.ca,
      });
      const users = mongoose.connection.collection<{ _id: string }>("users");
      const stored = mongoose.connection.collection<{ _id: string }>("email_credentials");
      await users.updateOne({ _id: practice.ownerId }, { $unset: { "emailConnection.logins": "" } });
      await stored.updateOne({ _id: practice.ownerId }, { $set: { "imap.user": login } });
      await layMails(dovecot, login, [aMail({ from: login, to: login, subject: "To myself" })]);
      const shown = async () => (await practice.api.inbox.list.query({ clientId })).items.map(({ subject }) => subject);
      expect(await shown()).toEqual(["To myself"]);
      await loginsOfMailboxes();
      await loginsOfMailboxes();
      expect(await shown()).toEqual([]);
    });
  });
});
