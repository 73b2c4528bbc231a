import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ProductProcess, startProduct } from "../../scripts/product-process.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aPractice } from "../support/server/people.ts";
import { startSmtp, type TestSmtp } from "../support/mail/smtp-server.ts";
import { aMailingTo } from "../support/mail/mailing-to.ts";

/** MAILING_KILLS=10 MAILING_RECIPIENTS=1000 for the whole. */
const KILLS = Number(process.env["MAILING_KILLS"] ?? 1);
const RECIPIENTS = Number(process.env["MAILING_RECIPIENTS"] ?? 200);
const PER_MINUTE = 6000;
/** As many connections as the product sends over, and what was not stored yet when it died. */
const IN_FLIGHT = 10;
const LIMIT_MS = 60_000 + KILLS * 30_000;

const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-mailing-"));
const uri = anOwnDatabase();
const environment = {
  DATA_DIR: dataDir,
  MONGODB_URI: uri,
  SECRET_KEY: randomBytes(32).toString("base64"),
  MAIL_ALLOW_PRIVATE_HOSTS: "true",
  NODE_ENV: "production",
};

let smtp: TestSmtp;
let product: ProductProcess;
let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  smtp = await startSmtp();
  product = await startProduct(environment);
  configure(readSettings(environment));
  await loadKey();
  database = await openDatabase({ log: createLogger("silent") });
});
afterAll(async () => {
  await product.stop();
  await database.close();
  await smtp.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test(
  "mailings.start: the process is killed in the middle, then everybody gets it, and twice only what was in flight",
  { timeout: LIMIT_MS },
  async () => {
    const { url } = product;
    const practice = await aPractice({ url, close: () => Promise.resolve() });
    await connectMailbox(practice.ownerId, { email: "ines@example.org", smtpPort: smtp.port, imapPort: 1 });
    const { addresses, mailing: input } = aMailingTo(RECIPIENTS, PER_MINUTE);
    const { id } = await practice.api.mailings.create.mutate(input);
    await practice.api.mailings.start.mutate({ changeId: newId(), id });
    for (let kill = 1; kill <= KILLS; kill++) {
      const share = (RECIPIENTS * kill) / (KILLS + 1);
      await vi.waitFor(() => expect(smtp.received.length).toBeGreaterThan(share), { timeout: 30_000, interval: 5 });
      product.process.kill("SIGKILL");
      await new Promise((resolve) => product.process.once("exit", resolve));
      product = await startProduct({ ...environment, PORT: new URL(url).port });
    }
    const mailing = await vi.waitFor(
      async () => {
        const found = await practice.api.mailings.get.query({ id });
        expect(found.state).toBe("done");
        return found;
      },
      { timeout: 45_000, interval: 200 },
    );
    const none = { waiting: 0, failed: 0, skipped: 0, uncertain: 0 };
    const { perhapsTwice, ...counts } = mailing.counts;
    expect(counts).toEqual({ ...none, sent: RECIPIENTS, total: RECIPIENTS });
    const ids = Map.groupBy(smtp.received, ({ to: [address = ""] }) => address);
    expect([...ids.keys()].toSorted()).toEqual(addresses.toSorted());
    for (const mails of ids.values()) expect(new Set(mails.map(messageIdOf)).size).toBe(1);
    const twice = smtp.received.length - RECIPIENTS;
    expect(twice).toBeLessThanOrEqual(perhapsTwice);
    expect(perhapsTwice).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
    console.log(`${twice} of ${RECIPIENTS} twice after ${KILLS} kills`);
  },
);

const messageIdOf = ({ source }: { source: string }): string => /^Message-ID:\s*(\S+)/im.exec(source)?.[1] ?? "none";
