import { askForMailboxCheck } from "@app/server/features/mailboxes/mailbox-health.service";
import { emailConnectionOf } from "@app/server/features/users/email-connection.service";
import type { ConnectMailbox } from "@app/shared/mailboxes";
import mongoose from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aPractice, aStaffUser } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { SMTP_PASSWORD, startSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";
import { serversOf } from "../support/mail/mailbox.ts";

describe.skipIf(whyNoDovecot)("mailboxes", () => {
  const dovecot = forAllTests(startDovecot);
  const smtp = anSmtpForAll();
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));

  const input = (email: string): ConnectMailbox => ({
    email,
    password: SMTP_PASSWORD,
    ca: dovecot.ca,
    servers: serversOf(email, dovecot, smtp),
  });
  const storedOf = (userId: string) =>
    mongoose.connection
      .collection<{ _id: string; [field: string]: unknown }>("email_credentials")
      .findOne({ _id: userId });

  test("mailboxes.connect: where reading and sending work, the mailbox is connected and its secrets are sealed", async () => {
    const { api, ownerId } = await aPractice(app);
    expect(await api.mailboxes.connect.mutate(input("ines@example.org"))).toEqual({ problems: [] });
    const { connected } = await api.mailboxes.get.query();
    expect(connected).toMatchObject({ email: "ines@example.org", kind: "own", isActive: true, lastError: "" });
    expect(connected?.servers?.imap).toEqual({
      host: "localhost",
      port: dovecot.tlsPort,
      secure: true,
      user: "ines@example.org",
    });
    expect(await emailConnectionOf(ownerId)).toEqual({
      connected: true,
      active: true,
      serviceType: "IMAP",
      email: "ines@example.org",
    });
    const stored = JSON.stringify(await storedOf(ownerId));
    expect(stored).toMatch(/"secret_enc":"v\d\./);
    expect(stored).not.toContain(`"${SMTP_PASSWORD}"`);
    expect(smtp.received).toEqual([]);
  });

  test("mailboxes: the password is never given back, by any call", async () => {
    const { api } = await aPractice(app);
    const email = "write-only@example.org";
    const answers = [
      await api.mailboxes.connect.mutate(input(email)),
      await api.mailboxes.get.query(),
      await api.mailboxes.check.mutate(),
      await api.auth.status.query(),
      await api.mailboxes.disconnect.mutate(),
    ];
    expect(JSON.stringify(answers)).not.toMatch(/secret|password_|_enc/);
  });

  test("mailboxes.connect: another server without the password is refused, and the mailbox stays as it was", async () => {
    const { api, ownerId } = await aPractice(app);
    await api.mailboxes.connect.mutate(input("kept@example.org"));
    const before = await storedOf(ownerId);
    const { password: _left, ...rest } = input("kept@example.org");
    const moved = { ...rest, servers: { ...rest.servers, smtp: { ...rest.servers.smtp, host: "127.0.0.1" } } };
    const { code, fields } = await refusal(api.mailboxes.connect.mutate({ ...moved, password: "" }));
    expect({ code, fields }).toEqual({
      code: "BAD_REQUEST",
      fields: { password: "Enter the password of the mailbox" },
    });
    const { problems } = await api.mailboxes.connect.mutate({ ...moved, password: "wrong" });
    expect(problems).toHaveLength(1);
    expect(await storedOf(ownerId)).toEqual(before);
  });

  test.each<[string, (connected: ConnectMailbox) => ConnectMailbox]>([
    ["by a number for its server", (box) => withImap(box, { host: "127.0.0.1", port: dovecot.port, secure: false })],
    ["by another port", (box) => withImap(box, { port: dovecot.port, secure: false })],
    ["by a server in capitals", (box) => withImap(box, { host: "LOCALHOST" })],
    ["with the user in capitals", (box) => withImap(box, { user: box.servers.imap.user.toUpperCase() })],
    [
      "with the user alone",
      (box) => withImap(box, { host: "127.0.0.1", port: dovecot.port, secure: false, user: "olga" }),
    ],
  ])("S67: a mailbox that somebody connected, when a colleague connects it %s, is refused", async (_how, spelled) => {
    const practice = await aPractice(app);
    const { api } = practice;
    const box = input("olga@example.org");
    expect(await api.mailboxes.connect.mutate(box)).toEqual({ problems: [] });
    const colleague = await aStaffUser(app, practice);
    const connected = colleague.api.mailboxes.connect.mutate(spelled({ ...box, email: "ms@example.org" }));
    expect((await refusal(connected)).fields).toMatchObject({
      email: expect.stringContaining("connected this mailbox already"),
    });
    await api.mailboxes.disconnect.mutate();
  });

  test("S67: two colleagues, when they connect one mailbox at once, then one of them has it", async () => {
    const practice = await aPractice(app);
    const colleague = await aStaffUser(app, practice);
    const box = input("both@example.org");
    const outcomes = await Promise.all(
      ["one@example.org", "two@example.org"].map((email, index) =>
        (index === 0 ? practice : colleague).api.mailboxes.connect.mutate({ ...box, email }).catch(() => null),
      ),
    );
    expect(outcomes.filter(Boolean)).toEqual([{ problems: [] }]);
  });

  test.each<[string, (box: ConnectMailbox) => ConnectMailbox]>([
    ["its address", (box) => ({ ...withImap(box, { host: "127.0.0.1" }), email: "vera@example.org" })],
    ["its address with a plus sign", (box) => ({ ...box, email: "vera+x@example.org" })],
    ["the name that it signs in with", (box) => withImap(box, { user: "vera@example.org" })],
  ])(
    "S67: a mailbox, when another practice claims %s, is told to neither and stays its holder's to connect",
    async (_what, claim) => {
      const stranger = await aPractice(app);
      const holder = await aPractice(app);
      const plain = { host: "127.0.0.1", port: dovecot.port, secure: false };
      const claimed = claim(withImap({ ...input("eve@example.org"), email: "eve@example.net" }, plain));
      expect(await stranger.api.mailboxes.connect.mutate(claimed)).toEqual({ problems: [] });
      expect(await holder.api.mailboxes.connect.mutate(input("vera@example.org"))).toEqual({ problems: [] });
      // Nor does it show that somebody holds it now.
      expect(await stranger.api.mailboxes.connect.mutate(claimed)).toEqual({ problems: [] });
      expect((await holder.api.mailboxes.get.query()).connected).toMatchObject({
        email: "vera@example.org",
        isActive: true,
      });
      await Promise.all([stranger, holder].map(({ api }) => api.mailboxes.disconnect.mutate()));
    },
  );
  const withImap = (box: ConnectMailbox, imap: Partial<ConnectMailbox["servers"]["imap"]>): ConnectMailbox => ({
    ...box,
    servers: { ...box.servers, imap: { ...box.servers.imap, ...imap } },
  });

  test("mailboxes.disconnect: nothing of the mailbox is kept", async () => {
    const { api, ownerId } = await aPractice(app);
    await api.mailboxes.connect.mutate(input("gone@example.org"));
    expect((await api.mailboxes.disconnect.mutate()).connected).toBeNull();
    expect(await storedOf(ownerId)).toBeNull();
    expect(await emailConnectionOf(ownerId)).toBeNull();
  });

  test("mailboxes.check: a password that was changed elsewhere is told, and mail no longer goes that way", async () => {
    const { api, ownerId } = await aPractice(app);
    await api.mailboxes.connect.mutate(input("changed@example.org"));
    const changed = await startSmtp({ onAuth: (_auth, _session, done) => done(refused()) });
    await mongoose.connection
      .collection<{ _id: string }>("email_credentials")
      .updateOne({ _id: ownerId }, { $set: { "smtp.port": changed.port } });
    const { connected } = await api.mailboxes.check.mutate();
    expect(connected).toMatchObject({
      isActive: false,
      lastError: expect.stringContaining("localhost did not accept this user name and password"),
    });
    expect(await emailConnectionOf(ownerId)).toMatchObject({ connected: true, active: false });
    await changed.close();
    const { connected: away } = await api.mailboxes.check.mutate();
    expect(away).toMatchObject({ isActive: true, lastError: expect.stringContaining("Nothing answers at localhost") });
  });

  test("askForMailboxCheck: after a failed delivery the mailbox is looked at by itself", async () => {
    const { api, ownerId } = await aPractice(app);
    await api.mailboxes.connect.mutate(input("asked@example.org"));
    const before = (await api.mailboxes.get.query()).connected?.checkedAt;
    await askForMailboxCheck(ownerId);
    await vi.waitFor(async () => expect((await api.mailboxes.get.query()).connected?.checkedAt).not.toBe(before), {
      timeout: 8000,
      interval: 100,
    });
  });

  test("mailboxes: everybody has their own; the owner does not see that of staff, nor staff the owner's", async () => {
    const practice = await aPractice(app);
    const staff = await aStaffUser(app, practice);
    await staff.api.mailboxes.connect.mutate(input("tom@example.org"));
    expect((await practice.api.mailboxes.get.query()).connected).toBeNull();
    await practice.api.mailboxes.connect.mutate(input("owner@example.org"));
    expect((await staff.api.mailboxes.get.query()).connected?.email).toBe("tom@example.org");
    await practice.api.mailboxes.disconnect.mutate();
    expect((await staff.api.mailboxes.get.query()).connected?.email).toBe("tom@example.org");
  });

  test("mailboxes.connect: after ten tries there is a pause", async () => {
    const { api } = await aPractice(app);
    const wrong = { ...input("pause@example.org"), servers: { imap: nowhere, smtp: nowhere } };
    for (let round = 0; round < 10; round += 1) await api.mailboxes.connect.mutate(wrong);
    const { message, code } = await refusal(api.mailboxes.connect.mutate(wrong));
    expect({ message, code }).toEqual({
      message: expect.stringContaining("Wait 5 minutes"),
      code: "TOO_MANY_REQUESTS",
    });
  });

  test.each([
    ["a host with a path", { host: "mail.example.org/x" }, "host"],
    ["a port that is none", { port: 70_000 }, "port"],
    ["a user name of two lines", { user: "ines\r\nX: y" }, "user"],
  ])("mailboxes.connect: %s is refused at its field", async (_what, change, field) => {
    const { api } = await aPractice(app);
    const bad = input("bad@example.org");
    const { code, fields } = await refusal(
      api.mailboxes.connect.mutate({ ...bad, servers: { ...bad.servers, imap: { ...bad.servers.imap, ...change } } }),
    );
    expect(code).toBe("BAD_REQUEST");
    expect(Object.keys(fields)).toEqual([`servers.imap.${field}`]);
  });
});

const nowhere = { host: "nowhere.invalid", port: 993, secure: true, user: "x" };
const refused = () => Object.assign(new Error("5.7.8 Username and password not accepted"), { responseCode: 535 });

test("mailboxes.lookUp: when the provider is known, then its servers are told, and thirty times a while are enough", async () => {
  const app = await startTestApp();
  try {
    const { api } = await aPractice(app);
    const look = () => api.mailboxes.lookUp.mutate({ email: "ines@gmail.com" });
    expect(await look()).toMatchObject({
      source: "known",
      providerName: "Gmail",
      servers: { imap: { host: "imap.gmail.com", port: 993, secure: true, user: "ines@gmail.com" } },
    });
    expect(await api.mailboxes.get.query()).toMatchObject({ connected: null });
    for (let times = 1; times < 30; times += 1) await look();
    expect(await refusal(look())).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect((await refusal(api.mailboxes.lookUp.mutate({ email: "nobody" }))).fields).toHaveProperty("email");
    expect((await (await aPractice(app)).api.mailboxes.lookUp.mutate({ email: "x@gmail.com" })).source).toBe("known");
  } finally {
    await app.close();
  }
});
