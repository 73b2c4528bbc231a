import { newId } from "@app/server/core/ids";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import mongoose from "mongoose";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp, type TestApp } from "../support/server/test-app.ts";

interface Received {
  from: string;
  to: string[];
  source: string;
}

const received: Received[] = [];
let isRefusing = false;
let refusalCode = 450;
let delayMs = 0;
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo(_address, _session, done) {
    done(isRefusing ? Object.assign(new Error("Mailbox busy"), { responseCode: refusalCode }) : null);
  },
  onData(stream, session, done) {
    void text(stream).then((source) => {
      const { mailFrom, rcptTo } = session.envelope;
      received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), source });
      setTimeout(done, delayMs);
    });
  },
});

let app: TestApp;
let practice: TestPractice;
beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = smtp.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  app = await startTestApp({
    SYSTEM_SMTP_URL: `smtp://127.0.0.1:${port}`,
    SYSTEM_MAIL_FROM: "office@evenhand.example.org",
    SUPPORT_EMAIL: "support@example.org",
  });
});
beforeEach(async () => {
  isRefusing = false;
  refusalCode = 450;
  delayMs = 0;
  practice = await aPractice(app);
});
afterAll(async () => {
  await app.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

const mails = () =>
  mongoose.connection.collection<{ _id: string; state: string; to: string; message_id: string; reason: string }>(
    "system_mails",
  );
const bodies = () => mongoose.connection.collection<{ _id: string }>("system_mail_bodies");
const jobs = () => mongoose.connection.collection("jobs");

/** What the queue holds when a try is due, so many times over. */
const tryAgain = (id: string, times = 1) =>
  jobs().insertMany(
    Array.from({ length: times }, () => ({
      name: "deliver system mail",
      data: { id },
      priority: 0,
      type: "normal",
      nextRunAt: new Date(0),
      lockedAt: null,
    })),
  );

const mailTo = (to: string) =>
  vi.waitFor(
    () => {
      const mail = received.find((each) => each.to.includes(to));
      if (!mail) throw new Error(`no mail to ${to}`);
      return mail;
    },
    { timeout: 15_000, interval: 100 },
  );
const plainText = ({ source }: Received) => source.replace(/=\r?\n/g, "").replace(/=3D/g, "=");

const invite = (email: string, id = newId()) =>
  practice.api.staff.invite.mutate({ id, email, firstName: "Tom", lastName: "Birch", role: 3 });

test("auth.requestPasswordReset: the mail's link leads to the configured address, whatever the request says, and works", async () => {
  await fetch(`${app.url}/trpc/auth.requestPasswordReset`, {
    method: "POST",
    headers: {
      origin: app.url,
      "content-type": "application/json",
      "x-forwarded-host": "evil.example",
      forwarded: "host=evil.example",
    },
    body: JSON.stringify({ email: practice.email }),
  });
  const mail = await mailTo(practice.email);
  expect(mail.from).toBe("office@evenhand.example.org");
  expect(mail.source).not.toContain("evil");
  const token = /http:\/\/localhost:3000\/resetpassword\?token=([\w-]{43})/.exec(plainText(mail))?.[1] ?? "";
  await aVisitor(app).api.auth.resetPassword.mutate({ token, password: "velvet compass orchard tin" });
  expect(
    (await refusal(aVisitor(app).api.auth.signIn.mutate({ email: practice.email, password: PASSWORD }))).code,
  ).toBe("BAD_REQUEST");
});

test("system mail: what was sent is recorded under the Message-ID it was sent with, and its words are gone", async () => {
  const invited = await invite("sent@example.org");
  expect(invited).toEqual({ isMailSent: true, triedUntil: null, link: null });
  const mail = await mailTo("sent@example.org");
  expect(plainText(mail)).toMatch(/http:\/\/localhost:3000\/setup\?token=[\w-]{43}/);
  const stored = await mails().findOne({ to: "sent@example.org" });
  expect(stored?.state).toBe("sent");
  expect(mail.source.toLowerCase()).toContain(`message-id: ${stored?.message_id}`.toLowerCase());
  expect(await bodies().findOne({ _id: stored?._id ?? "" })).toBeNull();
  expect((await practice.api.mail.listUnsent.query({})).items).toEqual([]);
});

test.each([451, 552])(
  "staff.invite: when the mail server answers %i, then whoever invites hears until when it is tried, and gets no link anywhere",
  async (code) => {
    isRefusing = true;
    refusalCode = code;
    const id = newId();
    const email = `busy${code}@example.org`;
    const ask = () => invite(email, id);
    const answer = await ask();
    expect(answer).toEqual({ isMailSent: false, triedUntil: expect.any(String), link: null });
    const leftMs = Date.parse(answer.triedUntil ?? "") - Date.now();
    expect(leftMs).toBeGreaterThan(9 * 60_000);
    expect(leftMs).toBeLessThan(12 * 60_000);
    expect(await mails().findOne({ to: email })).toMatchObject({
      state: "queued",
      attempts: 1,
      reason: expect.stringContaining("Mailbox busy"),
    });
    // The same call again is answered the same, and given up it stands in the outbox without its link.
    expect(await ask()).toEqual(answer);
    await mails().updateOne({ to: email }, { $set: { state: "failed" } });
    expect(await ask()).toEqual({ isMailSent: false, triedUntil: null, link: null });
    const { items } = await practice.api.mail.listUnsent.query({});
    expect(items).toMatchObject([{ to: email, isLinkLeftOut: true }]);
    expect(JSON.stringify(items)).not.toContain("token=");
  },
);

test("staff.invite: where the mail server is slow, the owner hears in time that it is not sent yet, and the mail still leaves", async () => {
  delayMs = 7000;
  const email = "tom.slow@example.org";
  const startedAt = performance.now();
  const id = newId();
  const ask = () => invite(email, id);
  expect(await ask()).toEqual({ isMailSent: false, triedUntil: expect.any(String), link: null });
  expect(performance.now() - startedAt).toBeLessThan(8000);
  await vi.waitFor(async () => expect((await mails().findOne({ to: email }))?.state).toBe("sent"), { timeout: 10_000 });
  expect(await ask()).toEqual({ isMailSent: true, triedUntil: null, link: null });
});

test("system mail: is tried three times, then stands in the owner's outbox, unreadable in the database", async () => {
  isRefusing = true;
  await invite("never@example.org");
  for (const [attempts, state] of [
    [2, "queued"],
    [3, "failed"],
  ] as const) {
    moveTime(attempts * 15 * 60_000);
    await tryAgain((await mails().findOne({ to: "never@example.org" }))?._id ?? "");
    await vi.waitFor(
      async () => expect(await mails().findOne({ to: "never@example.org" })).toMatchObject({ attempts, state }),
      { timeout: 15_000, interval: 100 },
    );
  }
  const { items } = await practice.api.mail.listUnsent.query({});
  expect(items).toMatchObject([
    { to: "never@example.org", state: "failed", reason: expect.stringContaining("Mailbox busy") },
  ]);
  expect(items[0]?.text).toContain("The link is left out here");
  expect(JSON.stringify(await bodies().find().toArray())).not.toContain("token=");
  expect((await (await aPractice(app)).api.mail.listUnsent.query({})).items).toEqual([]);
  moveTime(25 * 60 * 60_000);
  const later = aVisitor(app);
  await later.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD });
  expect((await later.api.mail.listUnsent.query({})).items[0]?.text).toBeNull();
});

test("system mail: 20 requests at once to deliver it send it once", async () => {
  isRefusing = true;
  await invite("once@example.org");
  isRefusing = false;
  moveTime(2 * 60_000);
  await tryAgain((await mails().findOne({ to: "once@example.org" }))?._id ?? "", 20);
  await mailTo("once@example.org");
  await vi.waitFor(async () => expect(await jobs().find({ name: "deliver system mail" }).toArray()).toEqual([]), {
    timeout: 20_000,
    interval: 200,
  });
  expect(received.filter(({ to }) => to.includes("once@example.org"))).toHaveLength(1);
});

test("system mail: one that a process was sending when it died is sent by the next round", async () => {
  isRefusing = true;
  await invite("orphan@example.org");
  isRefusing = false;
  await mails().updateOne({ to: "orphan@example.org" }, { $set: { state: "sending", heldBy: "gone.one" } });
  await vi.waitFor(
    async () => {
      await jobs().updateMany(
        { name: "deliver waiting system mails", lockedAt: null },
        { $set: { nextRunAt: new Date(0) } },
      );
      expect(await mails().findOne({ to: "orphan@example.org" })).toMatchObject({ state: "sent" });
    },
    { timeout: 20_000, interval: 500 },
  );
});
