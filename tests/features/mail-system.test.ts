import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { queueSystemMail } from "@app/server/features/mail/system-mail-delivery.service";
import { HttpResponse } from "msw";
import mongoose from "mongoose";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { freePort } from "../support/server/free-port.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aMailNetworkForAll, anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");
let count = 0;
let tom: string;
const network = aMailNetworkForAll();
const own = anSmtpForAll();
const installation = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
const putSettingsBack = settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
beforeEach(() => {
  tom = `tom${(count += 1)}@example.org`;
});

const INES = "ines@practice.example.org";
const connect = async (smtpPort = own.port, email = practice.email) =>
  connectMailbox(practice.ownerId, { email, smtpPort, imapPort: await freePort() });
const useInstallation = (port = installation.port) =>
  configure({ ...settings(), SYSTEM_SMTP_URL: `smtp://127.0.0.1:${port}`, SYSTEM_MAIL_FROM: "office@example.org" });
const useEmailJs = () => configure({ ...settings(), ...EMAILJS_SETTINGS, EMAILJS_THROTTLE_MS: 0 });
const invite = () =>
  practice.api.staff.invite.mutate({ id: newId(), email: tom, firstName: "Tom", lastName: "Birch", role: 3 });
const gotBy = (server: TestSmtp) => server.received.filter(({ to }) => to.includes(tom)).map(({ from }) => from);
const stored = () => mongoose.connection.collection("system_mails").findOne({ to: tom });

test("S73: a mail that lets somebody in goes by nobody's mailbox but theirs, and leaves no copy there for others", async () => {
  await connect();
  expect(await invite()).toMatchObject({ isMailSent: false, link: expect.any(String) });
  expect(gotBy(own)).toEqual([]);
  useInstallation();
  useEmailJs();
  tom = `tom${(count += 1)}@example.org`;
  expect(await invite()).toMatchObject({ isMailSent: true });
  expect([gotBy(own), gotBy(installation), network.asked]).toEqual([[], ["office@example.org"], []]);
});

test.each([
  "Evenhand Security",
  "Even hand — sign in at https://evil.example/login",
  "Sign in at evil.example now",
  "[Quillfeather",
])(
  "S73: an invitation, when the practice is called “%s”, then it names the address that its owner proved instead",
  async (practiceName) => {
    const { currency: _shown, ...rest } = await practice.api.practices.get.query();
    await practice.api.practices.update.mutate({ ...rest, practiceName });
    useInstallation();
    expect(await invite()).toMatchObject({ isMailSent: true });
    const { subject, text } = await PostalMime.parse(
      installation.received.find(({ to }) => to.includes(tom))?.source ?? "",
    );
    const address = practice.email.replaceAll(".", ". ").replace("@", " at ");
    expect(subject).toBe(`[Evenhand] Your account at ${address} (Evenhand)`);
    expect(text).toContain(`invites you to work in ${address} as caseworker.`);
    expect(`${subject}${text}`).not.toContain("evil");
  },
);

test("S74: a mail to somebody with an account, when very many to addresses without one keep the server waiting, then it leaves at once", async () => {
  const slow = await startSmtp({
    authOptional: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith("stall")) done();
    },
  });
  useInstallation(slow.port);
  const words = { subject: "Choose a new password", text: "Here.", hasLink: true };
  for (let index = 0; index < 30; index += 1)
    await queueSystemMail({ ...words, ownerId: null, to: `stall${index}@evil${index}.example.net` }, log);
  await queueSystemMail({ ...words, ownerId: practice.ownerId, to: tom }, log);
  await vi.waitFor(() => expect(gotBy(slow)).toHaveLength(1), { timeout: 4000, interval: 50 });
  await slow.close();
});

test("a mail of the product leaves by the installation's server where the mailbox fails or there is none", async () => {
  await connect(await freePort());
  useInstallation();
  useEmailJs();
  expect(await invite()).toMatchObject({ isMailSent: true });
  expect([gotBy(installation), network.asked]).toEqual([["office@example.org"], []]);
});

test("a mail of the product leaves by the fallback service where there is nothing else", async () => {
  useEmailJs();
  expect(await invite()).toMatchObject({ isMailSent: true });
  expect(JSON.parse(network.asked[0]?.text ?? "")).toMatchObject({
    template_id: "template_plain",
    template_params: { to_email: tom, from_name: "Evenhand", message: expect.stringContaining("/setup?token=") },
  });
});

test("a mail of the product stands in the owner's outbox where there is no way, and is not said to be sent", async () => {
  expect(await invite()).toMatchObject({ isMailSent: false, link: expect.any(String) });
  const { items } = await practice.api.mail.listUnsent.query({});
  expect(items).toMatchObject([{ to: tom, state: "unsent", reason: expect.stringContaining("no way to send it") }]);
});

test("a mail of the product that failed every way says what each of them said", async () => {
  useInstallation(await freePort());
  useEmailJs();
  network.answers.emailJs = () => new HttpResponse("The Service ID not found", { status: 404 });
  expect(await invite()).toEqual({ isMailSent: false, triedUntil: expect.any(String), link: null });
  expect(await stored()).toMatchObject({
    state: "queued",
    reason: expect.stringMatching(
      /^127\.0\.0\.1: The mail server could not be reached.+EmailJS: The Service ID not found$/,
    ),
  });
});

test("a mail of the product that may have arrived is not sent again by itself", async () => {
  useEmailJs();
  network.answers.emailJs = () => HttpResponse.error();
  expect(await invite()).toEqual({ isMailSent: false, triedUntil: null, link: null });
  expect(await stored()).toMatchObject({ state: "failed", attempts: 1 });
});

describe("auth.requestPasswordReset: for whom mail leaves is true, and the same for every address", () => {
  const answers = async () => {
    const asked = [practice.email, (await aPractice(app)).email, "nobody@example.org"].map((email) =>
      aVisitor(app).api.auth.requestPasswordReset.mutate({ email }),
    );
    return new Set((await Promise.all(asked)).map(({ mailLeavesFor }) => mailLeavesFor));
  };
  const users = () => mongoose.connection.collection<{ _id: string; email_address: string }>("users");
  beforeEach(() => users().updateMany({}, { $unset: { emailConnection: "" } }));

  test("where there is no way at all", async () => {
    expect(await answers()).toEqual(new Set(["nobody"]));
  });

  test("by the installation's server, and by the fallback service", async () => {
    useInstallation();
    expect(await answers()).toEqual(new Set(["everybody"]));
    putSettingsBack();
    useEmailJs();
    expect(await answers()).toEqual(new Set(["everybody"]));
  });

  test("by the mailbox of one owner of several, of every owner, and of one that does not work", async () => {
    await connect();
    expect(await answers()).toEqual(new Set(["some"]));
    const owners = await users().find({}).toArray();
    for (const { _id, email_address: email } of owners)
      await users().updateOne({ _id }, { $set: { emailConnection: { connected: true, active: true, email } } });
    const { mailLeavesFor } = await aVisitor(app).api.auth.requestPasswordReset.mutate({ email: "n@example.org" });
    expect(mailLeavesFor).toBe("everybody");
    await users().updateMany({}, { $set: { "emailConnection.active": false } });
    expect(await answers()).toEqual(new Set(["nobody"]));
  });

  const gotLink = () => own.received.some(({ to }) => to.includes(practice.email));
  const askForLink = () => aVisitor(app).api.auth.requestPasswordReset.mutate({ email: practice.email });

  test("S73: a link leaves by its addressee's own mailbox, as long as nobody else may read that", async () => {
    await connect();
    await askForLink();
    await vi.waitFor(() => expect(gotLink()).toBe(true), { timeout: 15_000 });
  });

  const unsent = async () => (await practice.api.mail.listUnsent.query({})).items.map(({ to, state }) => [to, state]);
  const staysUnsent = () =>
    vi.waitFor(async () => expect(await unsent()).toEqual([[practice.email, "unsent"]]), { timeout: 15_000 });

  test("S73: it goes by no mailbox of another address", async () => {
    await connect(own.port, INES);
    expect(await askForLink()).toEqual({ mailLeavesFor: "nobody" });
    await staysUnsent();
    expect(gotLink()).toBe(false);
  });

  test("S73: it goes by no mailbox that a colleague connected too", async () => {
    await connect();
    const { api } = await aStaffUser(app, practice);
    const { user } = await api.auth.status.query();
    await connectMailbox(user?.userId ?? "", { email: practice.email, smtpPort: own.port, imapPort: await freePort() });
    await askForLink();
    await vi.waitFor(async () => expect(await unsent()).toContainEqual([practice.email, "unsent"]), {
      timeout: 15_000,
    });
    expect(gotLink()).toBe(false);
  });

  test("S73: where another practice claims the mailbox, by servers of its own, the link leaves by it all the same", async () => {
    await connect();
    const other = await aPractice(app);
    const host = "localhost";
    await connectMailbox(other.ownerId, {
      email: practice.email,
      smtpPort: own.port,
      imapPort: await freePort(),
      host,
    });
    await askForLink();
    await vi.waitFor(() => expect(gotLink()).toBe(true), { timeout: 15_000 });
  });

  test("S73: where the installation has a way of its own, a link leaves by that, whatever mailbox is connected", async () => {
    await connect();
    useInstallation();
    await askForLink();
    await vi.waitFor(() => expect(installation.received.some(({ to }) => to.includes(practice.email))).toBe(true), {
      timeout: 15_000,
    });
    expect(gotLink()).toBe(false);
  });

  test("S73: where others may read the mailbox, the link does not go there", async () => {
    await connect();
    await practice.api.mailboxes.share.mutate({ maySend: true, mayRead: true });
    expect(await askForLink()).toEqual({ mailLeavesFor: "nobody" });
    await vi.waitFor(async () => {
      const { items } = await practice.api.mail.listUnsent.query({});
      expect(items).toMatchObject([{ to: practice.email, state: "unsent" }]);
    });
    expect(gotLink()).toBe(false);
  });
});

test("support.reportError: where its own mail cannot be sent, there is no report of that, and one mail per cause", async () => {
  configure({ ...settings(), SUPPORT_EMAIL: "support@example.org" });
  useEmailJs();
  network.answers.emailJs = () => new HttpResponse("Quota exceeded", { status: 500 });
  const report = { component: "Router", message: `The check failed ${tom}` };
  await Promise.all(Array.from({ length: 20 }, () => practice.api.support.reportError.mutate(report)));
  const reports = () => mongoose.connection.collection("system_mails").find({ to: "support@example.org" }).toArray();
  await vi.waitFor(async () => expect(await reports()).toMatchObject([{ attempts: 1, state: "queued" }]), {
    timeout: 10_000,
  });
  expect(network.asked).toHaveLength(1);
});
