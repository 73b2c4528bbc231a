// S71: whoever is suspended is no sender, and nobody signs in to their mailbox: at once, in every process.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { whileCalling } from "@app/server/core/caller";
import { MINUTE_MS } from "@app/server/core/clock";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { closeConnections, openConnections, withMailbox } from "@app/server/features/inbox/connections";
import { readAutomatedMails } from "@app/server/features/inbox/automated-mails.service";
import { closeWatches, openWatches, watchMail } from "@app/server/features/inbox/mail-watch";
import { mailboxFor } from "@app/server/features/mail/mail-from.service";
import { canSend, wasSentByMailbox } from "@app/server/features/mail/mail.service";
import { mailboxOf, providerAccountOf, usableMailboxes } from "@app/server/features/mailboxes/mailbox-access.service";
import { checkMailbox } from "@app/server/features/mailboxes/mailbox-health.service";
import { EmailCredentialsModel } from "@app/server/features/mailboxes/mailboxes.model";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import mongoose from "mongoose";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, scopeOf, type TestPerson } from "../support/server/people.ts";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const log = createLogger("silent");

let built: Awaited<ReturnType<typeof aCase>>;
let isBusy = false;
let count = 0;
let tom: TestPerson;
let tomId = "";
let tomsBox = "";
let ownersBox = "";
const smtp = anSmtpForAll({
  onRcptTo(_address, _session, done) {
    if (isBusy) done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
    else done();
  },
});
const installation = anSmtpForAll({ authOptional: true });
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
settingsOfEachTest();
const practice = forEachTest(() => aPractice(app));
// Nobody else delivers here.
beforeAll(stopJobs);
beforeEach(async () => {
  tom = await aStaffUser(app, practice, { role: 2 });
  const { items } = await practice.api.staff.list.query();
  tomId = items.find(({ email }) => email === tom.email)?.id ?? "";
  built = await aCase(practice, { mediators: [{ userId: tomId, isLead: true }] });
  count += 1;
  tomsBox = `gone${count}@practice.example.org`;
  ownersBox = `owner${count}@practice.example.org`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await OutboxModel.deleteMany({}).setOptions({ anyOwner: true });
});
afterAll(() => {
  closeWatches();
  closeConnections();
});

const suspend = () => practice.api.staff.suspend.mutate({ id: tomId });
const connect = (userId: string, email: string) => connectMailbox(userId, { email, smtpPort: smtp.port, imapPort: 1 });

describe("S71: a notice of somebody who is suspended while it waits", () => {
  /** Tom books, the mail server puts the invitation off, he is suspended, and it takes mail again. */
  async function afterSuspension(): Promise<void> {
    await connect(tomId, tomsBox);
    isBusy = true;
    const place = { caseId: built.theCase.id, partyIds: [built.p1.partyId], isInvitationSent: true };
    await tom.api.meetings.create.mutate(aMeetingInput(tomId, place));
    await deliverCaseMail(log);
    isBusy = false;
    await suspend();
    moveTime(2 * MINUTE_MS);
    await deliverCaseMail(log);
    vi.restoreAllMocks();
  }

  const organiserIn = async (source = "") => {
    const { from, attachments } = await PostalMime.parse(source, { attachmentEncoding: "utf8" });
    const ics = attachments.map(({ content }) => (typeof content === "string" ? content : "")).join();
    return { from: from?.address, organiser: /ORGANIZER;[^:]*:mailto:(\S+)/.exec(ics.replace(/\r?\n /g, ""))?.[1] };
  };

  test("when the owner has a mailbox, then it leaves by that one, which is its organiser", async () => {
    await connect(practice.ownerId, ownersBox);
    await afterSuspension();
    expect(smtp.received.map(({ from, to }) => [from, to])).toEqual([[ownersBox, [built.first.email]]]);
    expect(await organiserIn(smtp.received[0]?.source)).toEqual({ from: ownersBox, organiser: ownersBox });
  });

  test("when nobody else has one, then it leaves by the installation's server", async () => {
    const office = "office@evenhand.example.org";
    configure({
      ...settings(),
      SYSTEM_SMTP_URL: `smtp://127.0.0.1:${installation.port}`,
      SYSTEM_MAIL_FROM: office,
    });
    const place = { caseId: built.theCase.id, partyIds: [built.p1.partyId], isInvitationSent: true };
    await connect(tomId, tomsBox);
    await tom.api.meetings.create.mutate(aMeetingInput(tomId, place));
    await suspend();
    await deliverCaseMail(log);
    expect(smtp.received).toEqual([]);
    expect(installation.received).toHaveLength(1);
    expect(await organiserIn(installation.received[0]?.source)).toEqual({ from: office, organiser: office });
  });

  test("when there is no other way, then it waits, until they work here again", async () => {
    await afterSuspension();
    expect(smtp.received).toEqual([]);
    expect(await OutboxModel.findOne({ ownerId: practice.ownerId }).lean()).toMatchObject({
      state: "queued",
      reason: expect.stringMatching(/^Waiting: no mailbox/),
    });
    await practice.api.staff.reactivate.mutate({ id: tomId });
    moveTime(10 * MINUTE_MS);
    await deliverCaseMail(log);
    expect(smtp.received.map(({ from }) => from)).toEqual([tomsBox]);
  });

  test("when their mailbox was shared with all, then nobody else's letter leaves by it either", async () => {
    await connect(tomId, tomsBox);
    await mongoose.connection
      .collection<{ _id: string }>("users")
      .updateOne({ _id: tomId }, { $set: { mailbox_sharing: { may_send: true, may_read: true } } });
    await suspend();
    expect(await mailboxFor({ userId: practice.ownerId, ownerId: practice.ownerId })).toBeNull();
    expect(await mailboxFor({ userId: tomId, ownerId: practice.ownerId })).toBeNull();
  });
});

test("S71: the account at another provider of somebody who is suspended, when it is asked for, is none", async () => {
  await mongoose.connection.collection<{ _id: string }>("email_tokens").insertOne({ _id: tomId });
  await suspend();
  expect(await providerAccountOf(tomId)).toBeNull();
});

describe.skipIf(whyNoDovecot)("S71: the mailbox of somebody who is suspended", () => {
  const dovecot = forAllTests(startDovecot);
  beforeEach(() =>
    connectMailbox(tomId, { email: tomsBox, smtpPort: smtp.port, imapPort: dovecot.port, ca: dovecot.ca }),
  );

  /** How often somebody has signed in there. */
  async function signIns(): Promise<number> {
    const lines = await readFile(path.join(dovecot.mailDir, "../log"), "utf8");
    return lines.split("\n").filter((line) => line.includes("Login: user=") && line.includes(tomsBox)).length;
  }
  const read = () => withMailbox(tomId, (client) => client.status("INBOX"));

  test("when it would be read, watched, checked, looked through or searched, then nobody signs in", async () => {
    await suspend();
    await expect(read()).rejects.toThrow("No mailbox is connected");
    await readAutomatedMails(tomId, log);
    await checkMailbox(tomId);
    expect(await wasSentByMailbox({ userId: tomId }, "<x@example.org>")).toBe("no");
    expect(await canSend({ userId: tomId })).toBe(false);
    expect(await mailboxOf(tomId)).toBeNull();
    expect((await usableMailboxes()).map(({ userId }) => userId)).not.toContain(tomId);
    expect(await signIns()).toBe(0);
    const stored = await EmailCredentialsModel.findById(tomId).lean();
    expect(stored?.checked_at ?? null).toBeNull();
  });

  test("when connections to it are open, then they end, also where another process suspended them", async () => {
    const stop = new AbortController();
    const scope = { ...scopeOf(practice.ownerId), userId: tomId };
    const { user } = await tom.api.auth.status.query();
    if (!user) throw new Error("nobody is signed in");
    const actor = { scope, user, authSessionId: "x", confirmedAt: new Date(), isSecondFactorPending: false };
    const news = watchMail({ actor }, stop.signal);
    await news.next();
    await read();
    await expect.poll(openWatches).toBe(1);
    expect(openConnections()).toBe(1);
    const already = await signIns();
    // As another process would write it.
    await mongoose.connection
      .collection<{ _id: string }>("users")
      .updateOne({ _id: tomId }, { $set: { status: "suspended" } });
    await expect.poll(openConnections, { timeout: 5000 }).toBe(0);
    await expect.poll(openWatches, { timeout: 5000 }).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await signIns()).toBe(already);
    stop.abort();
    await news.return(undefined);
  });

  test("when work on it was waiting for its turn, then it is not done", async () => {
    let go: () => void = () => undefined;
    const first = withMailbox(tomId, () => new Promise<void>((resolve) => (go = resolve)));
    await expect.poll(openConnections).toBe(1);
    const second = read();
    const refused = expect(second).rejects.toThrow();
    const already = await signIns();
    await suspend();
    await expect.poll(openConnections, { timeout: 5000 }).toBe(0);
    go();
    await first;
    await refused;
    expect(await signIns()).toBe(already);
  });

  test("when whoever asked is gone before its turn, then it is not done, and nobody else waits for it", async () => {
    let go: () => void = () => undefined;
    const first = withMailbox(tomId, () => new Promise<void>((resolve) => (go = resolve)));
    await expect.poll(openConnections).toBe(1);
    const left = new AbortController();
    const work = vi.fn(() => Promise.resolve());
    const abandoned = whileCalling(left.signal, () => withMailbox(tomId, work));
    const refused = expect(abandoned).rejects.toThrow();
    const after = read();
    left.abort();
    go();
    await Promise.all([first, refused, after]);
    expect(work).not.toHaveBeenCalled();
    closeConnections();
  });

  test("when its server answers, and reading takes too long, then that is said, and not that it does not answer", async () => {
    const reading = withMailbox(tomId, () => new Promise<never>(() => undefined), 2000);
    await expect(reading).rejects.toThrow(/ took too long to find what was asked for/);
    closeConnections();
  });

  test("when they work here again, then it is used as before", async () => {
    await suspend();
    await expect(read()).rejects.toThrow();
    await practice.api.staff.reactivate.mutate({ id: tomId });
    await read();
    expect(await signIns()).toBe(1);
    closeConnections();
  });
});
