import { randomBytes } from "node:crypto";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ProductProcess, startProduct } from "../../scripts/product-process.ts";
import { aClock } from "../support/clocks/clocks.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { aPlace, cleanUp } from "../support/server/product.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { aMailingTo } from "../support/mail/mailing-to.ts";

/** CLOCKS_KILLS=3 CLOCKS_RECIPIENTS=1000 for the whole. */
const KILLS = Number(process.env["CLOCKS_KILLS"] ?? 1);
const RECIPIENTS = Number(process.env["CLOCKS_RECIPIENTS"] ?? 120);
const SKEW_MS = 30_000;
/** As many mails as are on their way at once. */
const IN_FLIGHT = 10;
const LIMIT_MS = 120_000 + KILLS * 60_000 + RECIPIENTS * 200;

const uri = anOwnDatabase();
const environment = {
  DATA_DIR: aPlace(),
  MONGODB_URI: uri,
  SECRET_KEY: randomBytes(32).toString("base64"),
  MAIL_ALLOW_PRIVATE_HOSTS: "true",
  NODE_ENV: "production",
};
const clocks = [aClock(0), aClock(SKEW_MS)];

let smtp: TestSmtp;
let practice: TestPractice;
const running = new Map<number, ProductProcess>();
let database: Awaited<ReturnType<typeof openDatabase>>;

/** Each process has its own clock, and begins again with the same. */
async function start(at: number, port = "0"): Promise<ProductProcess> {
  const product = await startProduct({ ...environment, ...clocks[at]?.environment, PORT: port });
  running.set(at, product);
  return product;
}

beforeAll(async () => {
  configure(readSettings(environment));
  await loadKey();
  database = await openDatabase({ log: createLogger("silent") });
  const { url } = await start(0);
  await start(1);
  practice = await aPractice({ url, close: () => Promise.resolve() });
  smtp = await startSmtp();
  await connectMailbox(practice.ownerId, { email: "ines@example.org", smtpPort: smtp.port, imapPort: 1 });
});
beforeEach(() => void smtp.received.splice(0));
afterAll(async () => {
  for (const product of running.values()) await product.stop();
  await smtp.close();
  await mongoose.connection.db?.dropDatabase();
  await database.close();
  await cleanUp();
});

async function aMailing(perMinute: number) {
  const { addresses, mailing } = aMailingTo(RECIPIENTS, perMinute);
  const { id } = await practice.api.mailings.create.mutate(mailing);
  await practice.api.mailings.start.mutate({ changeId: newId(), id });
  return { id, addresses };
}

const done = (id: string) =>
  vi.waitFor(
    async () => {
      const found = await practice.api.mailings.get.query({ id });
      expect(found.state).toBe("done");
      return found;
    },
    { timeout: LIMIT_MS, interval: 300 },
  );

const ALL_SENT = {
  sent: RECIPIENTS,
  total: RECIPIENTS,
  waiting: 0,
  failed: 0,
  skipped: 0,
  uncertain: 0,
  perhapsTwice: 0,
};
const copies = () => smtp.received.flatMap(({ to }) => to);

async function heldBy(id: string): Promise<string> {
  const mailings = mongoose.connection.collection<{ _id: string; heldBy: string }>("mailings");
  return (await mailings.findOne({ _id: id }))?.heldBy ?? "";
}

/** Whichever process is sending now. */
async function senderOf(id: string) {
  const [holder = ""] = (await heldBy(id)).split(".");
  const life = await mongoose.connection.collection<{ _id: string; pid: number }>("processes").findOne({ _id: holder });
  const [at, product] = [...running].find(([, each]) => each.process.pid === life?.pid) ?? [];
  if (at === undefined || !product) throw new Error("nobody sends it");
  return { at, product };
}

async function killSender(id: string): Promise<void> {
  const { at, product } = await senderOf(id);
  const ended = new Promise((resolve) => product.process.once("exit", resolve));
  product.process.kill("SIGKILL");
  await ended;
  await start(at, new URL(product.url).port);
}

test(
  "S79: mailings.start: the clocks of two processes differ by 30 s, then everybody gets one mail, and the counts say so",
  { timeout: LIMIT_MS },
  async () => {
    const { id, addresses } = await aMailing(600);
    expect((await done(id)).counts).toEqual(ALL_SENT);
    expect(copies().toSorted()).toEqual(addresses.toSorted());
  },
);

test(
  `S79: mailings.start: the clocks differ by 30 s and ${KILLS} times the sender is killed, then twice gets it only who is told so`,
  { timeout: LIMIT_MS },
  async () => {
    const { id, addresses } = await aMailing(1200);
    for (let kill = 1; kill <= KILLS; kill++) {
      const share = (RECIPIENTS * kill) / (KILLS + 1);
      await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(share), { timeout: LIMIT_MS, interval: 10 });
      await killSender(id);
    }
    const { counts } = await done(id);
    const twice = [...Map.groupBy(copies(), (address) => address)].filter(([, each]) => each.length > 1);
    expect(copies().length).toBe(RECIPIENTS + twice.length);
    expect([...new Set(copies())].toSorted()).toEqual(addresses.toSorted());
    const marked = await mongoose.connection
      .collection("mailing_items")
      .distinct("address", { mailingId: id, reason: /arrived twice/ });
    expect(marked).toEqual(expect.arrayContaining(twice.map(([address]) => address)));
    expect(counts).toEqual({ ...ALL_SENT, perhapsTwice: marked.length });
    expect(marked.length).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
    console.log(`${twice.length} of ${RECIPIENTS} twice after ${KILLS} kills, ${marked.length} marked`);
  },
);

test(
  "S79: mailings.start: the sender stands still until another goes on, and wakes up, then it sends nobody's mail again",
  { timeout: LIMIT_MS },
  async () => {
    const { id, addresses } = await aMailing(600);
    await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(20), { timeout: LIMIT_MS, interval: 10 });
    const { product } = await senderOf(id);
    const before = await heldBy(id);
    product.process.kill("SIGSTOP");
    try {
      const isTaken = async () => expect(["", before]).not.toContain(await heldBy(id));
      await vi.waitFor(isTaken, { timeout: 60_000, interval: 200 });
    } finally {
      product.process.kill("SIGCONT");
    }
    expect((await done(id)).counts).toEqual({ ...ALL_SENT, perhapsTwice: expect.any(Number) });
    expect([...new Set(copies())].toSorted()).toEqual(addresses.toSorted());
    // As many as were on their way when it stood still.
    expect(copies().length - RECIPIENTS).toBeLessThanOrEqual(IN_FLIGHT);
  },
);
