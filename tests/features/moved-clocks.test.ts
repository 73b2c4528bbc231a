import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { loadKey } from "@app/server/core/crypto";
import { type Database, openDatabase } from "@app/server/core/database";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import { Secret, TOTP } from "otpauth";
import { afterEach, expect, test, vi } from "vitest";
import { aClock } from "../support/clocks/clocks.ts";
import { dirtyList, mixedBytes } from "../support/hostile/dirty-list.ts";
import { checked, settled, uploaded } from "../support/hostile/import-uploads.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPractice, aVisitor, PASSWORD, scopeOf, type TestPractice } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";
import { refusal } from "../support/access/refusal.ts";
import { ignore, startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LIMIT_MS = 180_000;
const ROWS = 1500;
const STEP_MS = 30_000;
const TAKES_MS = 25_000;

let database: Database | undefined;
let smtp: TestSmtp | undefined;
afterEach(async () => {
  await database?.close();
  await cleanUp();
  await smtp?.close();
  database = undefined;
});

const anEnvironment = () => ({
  DATA_DIR: aPlace(),
  SECRET_KEY: randomBytes(32).toString("base64"),
  MAIL_ALLOW_PRIVATE_HOSTS: "true",
});

/** The database of the products of this test, for what no procedure offers. */
async function join(environment: Record<string, string>): Promise<void> {
  configure(readSettings({ NODE_ENV: "test", ...environment }));
  await loadKey();
  database = await openDatabase({ log: createLogger("silent"), join: true });
}

const appOf = ({ url }: { url: string }) => ({ url, close: () => Promise.resolve() });

const aMail = ({ ownerId }: TestPractice, to: string, further: { dueAt?: Date; isScheduled?: boolean } = {}) =>
  queueMail(scopeOf(ownerId), {
    purpose: "letter",
    content: sealForNoParty(null, { to, toName: "", subject: "Monday", text: "We meet.", attachments: [] }, []),
    ...further,
  });

const receivedBy = (address: string) => smtp?.received.filter(({ to }) => to.includes(address)).length;
const codeAt = (secret: string, time: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time });

async function signInWithCode(url: string, practice: TestPractice, code: string) {
  const { api } = aVisitor(appOf({ url }));
  await api.auth.signIn.mutate({ email: practice.email, password: PASSWORD });
  return api.auth.verifySecondFactor.mutate({ code });
}

test(
  "S79: a clock that was a day ahead is set right while the server runs, then mail leaves, jobs run and people sign in",
  { timeout: LIMIT_MS },
  async () => {
    let isBusy = true;
    smtp = await startSmtp({
      onRcptTo(_address, _session, done) {
        if (isBusy) done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
        else done();
      },
    });
    const environment = anEnvironment();
    const clock = aClock(DAY_MS);
    const product = await aProduct({ ...environment, ...clock.environment });
    await join(environment);
    const practice = await aPractice(appOf(product));
    const other = await aPractice(appOf(product));
    await connectMailbox(practice.ownerId, { email: "ines@example.org", smtpPort: smtp.port, imapPort: 1 });
    const { secret } = await practice.api.auth.startTwoFactor.mutate({ password: PASSWORD });
    await practice.api.auth.enableTwoFactor.mutate({ code: codeAt(secret, Date.now() + DAY_MS) });
    await signInWithCode(product.url, practice, codeAt(secret, Date.now() + DAY_MS + STEP_MS));
    const signIn = (password: string) =>
      aVisitor(appOf(product)).api.auth.signIn.mutate({ email: other.email, password });
    for (let tries = 0; tries < 5; tries += 1) await refusal(signIn("not the password"));
    const { id } = await aMail(practice, "maya@example.org");
    const later = { timeout: 60_000, interval: 200 };
    await vi.waitFor(async () => {
      const mail = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
      expect(mail).toMatchObject({ state: "queued", attempts: 1 });
      expect(mail?.dueAt.getTime()).toBeGreaterThan(Date.now() + DAY_MS / 2);
    }, later);
    const wished = new Date(Date.now() + 20 * DAY_MS);
    const { id: wishedId } = await aMail(practice, "owen@example.org", { dueAt: wished, isScheduled: true });

    isBusy = false;
    clock.set(0);
    await vi.waitFor(() => expect(receivedBy("maya@example.org")).toBe(1), later);
    const ready = await fetch(`${product.url}/ready`);
    expect(await ready.json()).toMatchObject({ ok: true, jobs: "on time", late: [] });
    expect(await signInWithCode(product.url, practice, codeAt(secret, Date.now()))).toEqual({ next: "done" });
    expect((await refusal(signIn(PASSWORD))).message).toMatch(/Wait 1\d minutes/);
    clock.set(16 * MINUTE_MS);
    await vi.waitFor(async () => expect(await signIn(PASSWORD)).toEqual({ next: "done" }), later);
    expect(await OutboxModel.findOne({ ownerId: practice.ownerId, _id: wishedId }).lean()).toMatchObject({
      state: "queued",
      dueAt: wished,
    });
  },
);

test(
  "S79: imports.start: the server dies while its clock is a day ahead, then with the right time it goes on to the end",
  { timeout: LIMIT_MS },
  async () => {
    const environment = anEnvironment();
    const clock = aClock(DAY_MS);
    const first = await aProduct({ ...environment, ...clock.environment });
    const practice = await aPractice(appOf(first));
    const list = dirtyList(ROWS);
    const id = await uploaded(appOf(first), practice, mixedBytes(list));
    await checked(practice.api, id);
    await practice.api.imports.start.mutate({ id });
    await vi.waitFor(async () => expect((await practice.api.imports.get.query({ id })).done).toBeGreaterThan(0), {
      timeout: 30_000,
      interval: 10,
    });
    const ended = new Promise((resolve) => first.process.once("exit", resolve));
    first.process.kill("SIGKILL");
    await ended;
    clock.set(0);
    const port = new URL(first.url).port;
    const again = () => aProduct({ ...environment, ...clock.environment, PORT: port });
    // The database of the one that died needs a moment to be gone.
    await again().catch(() => sleep(3000).then(again));
    const { status, counts } = await settled(practice.api, id);
    expect({ status, imported: counts.imported }).toEqual({ status: "imported", imported: list.counts.ready });
  },
);

test(
  "S79: case mail: the clocks of two processes differ by two minutes, then each mail leaves once and none too early",
  { timeout: LIMIT_MS },
  async () => {
    smtp = await startSmtp({
      onData(stream, session, done) {
        void text(stream).then(async (source) => {
          smtp?.received.push({ from: "", to: session.envelope.rcptTo.map(({ address }) => address), source });
          // Long enough for the other process to start, and for several rounds of it.
          await sleep(TAKES_MS);
          done();
        }, ignore);
      },
    });
    const uri = anOwnDatabase();
    const environment = { ...anEnvironment(), MONGODB_URI: uri };
    await join(environment);
    const first = await aProduct(environment);
    const [practice, patient] = [await aPractice(appOf(first)), await aPractice(appOf(first))];
    for (const [at, { ownerId }] of [practice, patient].entries())
      await connectMailbox(ownerId, { email: `ines${at}@example.org`, smtpPort: smtp.port, imapPort: 1 });
    const { id } = await aMail(practice, "maya@example.org");
    await aMail(patient, "owen@example.org", { dueAt: new Date(Date.now() + 110_000), isScheduled: true });
    await vi.waitFor(() => expect(receivedBy("maya@example.org")).toBe(1), { timeout: 60_000, interval: 100 });
    await aProduct({ ...environment, ...aClock(2 * MINUTE_MS).environment });
    const isSent = async () =>
      expect(await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id })).toMatchObject({ state: "sent" });
    await vi.waitFor(isSent, { timeout: 60_000, interval: 500 });
    expect(smtp.received.flatMap(({ to }) => to)).toEqual(["maya@example.org"]);
  },
);
