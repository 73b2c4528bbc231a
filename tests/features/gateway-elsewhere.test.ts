// Two installations, each in a process and with a database of its own: one sends and reads by the other.
import { randomBytes } from "node:crypto";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings, settings } from "@app/server/core/settings";
import { sendMail } from "@app/server/features/mail/mail.service";
import { newId } from "@app/server/core/ids";
import { fetchedMailsSchema } from "@app/shared/inbox";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPayload } from "../support/mail/mail-mocks.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";

const INES = "ines@practice.example.org";
const PEOPLE = ["users", "settings", "customers", "email_credentials"];
const name = () => `test_${randomBytes(6).toString("hex")}`;
const inDatabase = (database: string): string => {
  const uri = new URL(inject("mongodbUri"));
  uri.pathname = `/${database}`;
  return uri.href;
};

describe.skipIf(whyNoDovecot)("a gateway that is another installation", () => {
  const elsewhere = name();
  const token = randomBytes(32).toString("hex");
  const key = { SECRET_KEY: randomBytes(32).toString("base64"), LOG_LEVEL: "silent" };
  let smtp: TestSmtp;
  let dovecot: Dovecot;
  let practice: TestPractice;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let url = "";

  /** What a call of somebody who is signed in here is answered. */
  async function called(name: string, payload: object): Promise<unknown> {
    const headers = { origin: url, cookie: practice.cookies(), "content-type": "application/json" };
    const reply = await fetch(`${url}/functions/${name}`, { method: "POST", headers, body: JSON.stringify(payload) });
    expect(reply.status).toBe(200);
    return reply.json();
  }

  async function subjectsIn(folder: string): Promise<string[]> {
    const { emails } = fetchedMailsSchema.parse(await called("imap-fetch", { userId: practice.ownerId, folder }));
    return emails.map(({ subject }) => subject);
  }

  beforeAll(async () => {
    smtp = await startSmtp();
    dovecot = await startDovecot();
    const gateway = await aProduct({
      ...key,
      DATA_DIR: aPlace(),
      MONGODB_URI: inDatabase(elsewhere),
      MAIL_ALLOW_PRIVATE_HOSTS: "true",
      MAIL_FUNCTIONS_TOKEN: token,
    });
    // This one may not reach the mail servers of this machine itself.
    const environment = {
      ...key,
      DATA_DIR: aPlace(),
      MONGODB_URI: inDatabase(name()),
      MAIL_FUNCTIONS_URL: `${gateway.url}/functions`,
      MAIL_FUNCTIONS_TOKEN: token,
    };
    const product = await aProduct(environment);
    ({ url } = product);
    configure(readSettings(environment));
    await loadKey();
    database = await openDatabase({ log: createLogger("silent") });
    await checkKey();
    practice = await aPractice({ url: product.url, close: () => Promise.resolve() });
    await connectMailbox(practice.ownerId, {
      email: INES,
      smtpPort: smtp.port,
      imapPort: dovecot.port,
      ca: dovecot.ca,
    });
    for (const people of PEOPLE) {
      const docs = await mongoose.connection.collection(people).find().toArray();
      await mongoose.connection.useDb(elsewhere).collection(people).insertMany(docs);
    }
  });
  afterAll(async () => {
    await cleanUp();
    await mongoose.connection.useDb(elsewhere).dropDatabase();
    await mongoose.connection.db?.dropDatabase();
    await database.close();
    await dovecot.close();
    await smtp.close();
  });

  test("a mailing: when its installation uses another as its gateway, then it leaves by the mailbox there", async () => {
    const source = { kind: "csv" as const, csv: "value,label\npriya@example.org,Priya Shah\n" };
    const mailing = { id: newId(), subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
    const { id } = await practice.api.mailings.create.mutate(mailing);
    await practice.api.mailings.start.mutate({ changeId: newId(), id });
    const done = async () => (await practice.api.mailings.get.query({ id })).counts.sent;
    await vi.waitFor(async () => expect(await done()).toBe(1), { timeout: 20_000, interval: 200 });
    expect(smtp.received.map(({ from, to }) => ({ from, to }))).toEqual([{ from: INES, to: ["priya@example.org"] }]);
  });

  test("a mail: when it leaves by the other installation, then its copy is in Sent and is read by that way too", async () => {
    const { ownerId: userId } = practice;
    const result = await sendMail({ userId, fromName: "Quillfeather", payload: aPayload({ subject: "On Monday" }) });
    expect(result).toMatchObject({ success: true, method: "IMAP", fallbackUsed: false });
    expect(await subjectsIn("Sent")).toContain("On Monday");
  });

  test("/functions/imap-send: when somebody calls it who is signed in here, then the other installation sends", async () => {
    const from = { name: "Ines Marchbank", address: INES };
    const to = [{ address: "owen@example.org" }];
    const message = { from, to, cc: null, subject: "By a program", body: "Good day.", attachments: [] };
    expect(await called("imap-send", { userId: practice.ownerId, message })).toMatchObject({ success: true });
    expect(smtp.received.at(-1)).toMatchObject({ from: INES, to: ["owen@example.org"] });
    expect(await subjectsIn("Sent")).toContain("By a program");
  });

  test("a mail: when the tokens differ, then nothing leaves and the result says why", async () => {
    const count = smtp.received.length;
    const before = settings();
    configure({ ...before, MAIL_FUNCTIONS_TOKEN: "another" });
    const result = await sendMail({ userId: practice.ownerId, payload: aPayload() });
    configure(before);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining("MAIL_FUNCTIONS_TOKEN") });
    expect(smtp.received).toHaveLength(count);
  });
});
