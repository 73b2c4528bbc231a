// The mail server took a mail, and the process ends before a copy of it is in the Sent folder.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { endHolds } from "@app/server/core/holding";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { createPractice } from "@app/server/features/auth/registration";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import mongoose from "mongoose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { aHostileImap, type HostileImap } from "../support/mail/hostile-imap.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { freePort } from "../support/server/free-port.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPractice, scopeOf, anOwnerAt } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp, exitOf } from "../support/server/product.ts";

const BOX = "ines@practice.example.org";
const LIMIT = { timeout: 120_000 };
// Another process watches a silent one for eight seconds, and rounds come every ten.
const TAKEN_OVER = { timeout: 40_000, interval: 100 };
const SOON = { timeout: 20_000, interval: 20 };
const NO_COPY = expect.stringMatching(/^The mail was sent, but no copy could be put into the Sent folder/);

const environment = {
  DATA_DIR: aPlace(),
  MONGODB_URI: anOwnDatabase(),
  SECRET_KEY: randomBytes(32).toString("base64"),
  MAIL_ALLOW_PRIVATE_HOSTS: "true",
};
let database: Awaited<ReturnType<typeof openDatabase>>;
let smtp: TestSmtp;
let imap: HostileImap;
let copies = 0;

beforeAll(async () => {
  configure(readSettings({ NODE_ENV: "test", ...environment }));
  await loadKey();
  database = await openDatabase({ log: createLogger("silent") });
  await checkKey();
  smtp = await startSmtp();
  imap = await aHostileImap({
    SEARCH: (tag, socket) => void socket.write(`* ESEARCH (TAG "${tag}") UID\r\n${tag} OK done\r\n`),
    // It never says that it takes the copy.
    APPEND: () => void (copies += 1),
  });
});
// What goes on after a test that failed would take the mail of the next.
const products: Awaited<ReturnType<typeof aProduct>>[] = [];
afterEach(() => Promise.all(products.splice(0).map((product) => product.stop())));
afterAll(async () => {
  await cleanUp();
  await endHolds();
  await mongoose.connection.db?.dropDatabase();
  await database.close();
  await Promise.all([smtp.close(), imap.close()]);
});

test(
  "case mail: when the server is stopped while the copy for Sent stalls, then it is noted as sent before the server ends",
  LIMIT,
  async () => {
    const { id, to } = await aLetterBy({ smtpPort: smtp.port, imapPort: imap.port });
    const product = await started();
    await untilCopied();

    const printed = { errors: "" };
    product.process.stderr?.on("data", (chunk: Buffer) => (printed.errors += chunk.toString()));
    product.process.stdout?.on("data", (chunk: Buffer) => (printed.errors += chunk.toString()));
    product.process.kill("SIGTERM");
    expect(await exitOf(product.process)).toBe(0);
    expect(printed.errors).not.toContain("MongoNotConnectedError");
    expect(await stored(id)).toMatchObject({ state: "sent", method: "IMAP", warnings: [NO_COPY] });
    expect(arrivedAt(to)).toBe(1);
  },
);

test(
  "case mail: when the server is killed while the copy for Sent stalls, then the next one notes it as sent and sends none",
  LIMIT,
  async () => {
    const { id, to } = await aLetterBy({ smtpPort: smtp.port, imapPort: imap.port });
    const product = await started();
    await untilCopied();
    const during = await stored(id);
    product.process.kill("SIGKILL");
    await once(product.process, "exit");
    const killedAt = new Date();

    await started();
    await vi.waitFor(async () => expect((await stored(id))?.state).not.toBe("sending"), TAKEN_OVER);
    const mail = await stored(id);
    expect(during?.state).toBe("sending");
    expect(mail).toMatchObject({ state: "sent", method: "IMAP", warnings: [NO_COPY] });
    expect(mail?.sentAt?.getTime()).toBeLessThan(killedAt.getTime());
    expect(arrivedAt(to)).toBe(1);
  },
);

test(
  "case mail: when the server is killed before the mail server answers and Sent cannot be read, then it is uncertain",
  LIMIT,
  async () => {
    let handedOver = 0;
    const silent = await startSmtp({
      onData(stream) {
        stream.on("end", () => (handedOver += 1)).resume();
      },
    });
    const { id } = await aLetterBy({ smtpPort: silent.port, imapPort: await freePort() });
    const product = await started();
    await vi.waitFor(() => expect(handedOver).toBe(1), SOON);
    product.process.kill("SIGKILL");
    await once(product.process, "exit");

    await started();
    await vi.waitFor(async () => {
      expect(handedOver > 1 || (await stored(id))?.state !== "sending").toBe(true);
    }, TAKEN_OVER);
    expect(handedOver).toBe(1);
    expect(await stored(id)).toMatchObject({ state: "uncertain", reason: expect.stringContaining("not certain") });
    await silent.close();
  },
);

test(
  "functions/imap-send: when the server is killed while the copy for Sent stalls, then its record says that it was sent",
  LIMIT,
  async () => {
    const product = await started();
    const { url } = product;
    const practice = await aPractice({ url, close: () => Promise.resolve() });
    await connectMailbox(practice.ownerId, { email: BOX, smtpPort: smtp.port, imapPort: imap.port });
    const before = copies;
    const message = {
      from: { name: "Ines", address: BOX },
      to: [{ address: "direct@example.org" }],
      cc: [],
      subject: "Papers",
      body: "Here they are.",
      attachments: [],
    };
    const answer = fetch(`${url}/functions/imap-send`, {
      method: "POST",
      headers: { origin: url, cookie: practice.cookies(), "content-type": "application/json" },
      body: JSON.stringify({ userId: practice.ownerId, message }),
    });
    const cutOff = expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(copies).toBe(before + 1), SOON);
    product.process.kill("SIGKILL");
    await cutOff;

    const mail = await OutboxModel.findOne({ ownerId: practice.ownerId }).lean();
    expect(mail).toMatchObject({ state: "sent", reason: "", warnings: [NO_COPY] });
    expect(mail?.sentAt).not.toBeNull();
    expect(arrivedAt("direct@example.org")).toBe(1);
  },
);

async function started() {
  const product = await aProduct(environment);
  products.push(product);
  return product;
}

let letters = 0;

/** Waits in the outbox of a practice of its own. */
async function aLetterBy(place: { smtpPort: number; imapPort: number }) {
  letters += 1;
  copies = 0;
  const owner = scopeOf(await createPractice(anOwnerAt(`owner${letters}@example.org`), { mustBeFirst: false }));
  await connectMailbox(owner.ownerId, { email: BOX, ...place });
  const to = `person${letters}@example.org`;
  const content = { to, toName: "", subject: "Papers", text: "Here they are.", attachments: [] };
  const { id } = await queueMail(owner, { purpose: "letter", content: sealForNoParty(null, content, []) });
  return { id, to };
}

const untilCopied = () => vi.waitFor(() => expect(copies).toBe(1), SOON);

const stored = (id: string) => OutboxModel.findOne({ _id: id }).setOptions({ anyOwner: true }).lean();

const arrivedAt = (address: string): number => smtp.received.filter(({ to }) => to.includes(address)).length;
