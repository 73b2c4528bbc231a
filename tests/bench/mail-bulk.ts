import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { richTextOf } from "@app/shared/rich-text";
import { richTextHtml } from "@app/shared/rich-text-html";
import { createTransport } from "nodemailer";
import { startProduct } from "../../scripts/product-process.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { aPractice, type TestPractice } from "../support/server/people.ts";
import { type Figure, median } from "./figure.ts";

const MAILS = 3000;
const ROUNDS = 3;
const CONNECTIONS = 5;
const POLL_MS = 1000;
const PARAGRAPH =
  "From the first of March you find us in Kiln Row. Trains stop around the corner, and there is a lift. ";
const TEXT = `Dear Somebody,\n\n${`${PARAGRAPH}\n`.repeat(8)}`;

/** `mail.bulk`: mails a second of a mailing, as a share of what pooled nodemailer alone sends to the same server. */
export async function benchMailBulk(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  const environment = {
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString("base64"),
    MAIL_ALLOW_PRIVATE_HOSTS: "true",
  };
  const [sink, port] = await startSink();
  const product = await startProduct(environment);
  try {
    const practice = await aPractice({ url: product.url, close: () => Promise.resolve() });
    configure(readSettings(environment));
    await loadKey();
    const database = await openDatabase({ log: createLogger("silent"), join: true });
    await connectMailbox(practice.ownerId, { email: "ines@example.org", smtpPort: port, imapPort: 1 });
    await database.close();
    const shares: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const bare = await bareSeconds(port);
      const own = await mailingSeconds(practice);
      // The first round warms both up.
      if (round > 0) shares.push(bare / own);
    }
    return [{ name: "mail.bulk", value: median(shares), unit: "x bare", goal: ">=", limit: 0.9 }];
  } finally {
    await product.stop();
    sink.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startSink(): Promise<[ChildProcess, number]> {
  const sink = spawn(process.execPath, [path.resolve(import.meta.dirname, "mail-bulk-sink.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(sink.stdout, "data");
  return [sink, Number(String(line))];
}

async function bareSeconds(port: number): Promise<number> {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
    auth: { user: "ines@example.org", pass: "secret" },
  });
  const link = `http://localhost:3000/u/${"x".repeat(32)}`;
  const html = `${richTextHtml(richTextOf(TEXT))}\n<p><a href="${link}">Get no more mailings</a></p>`;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: MAILS }, (_, at) =>
      transport.sendMail({
        from: { name: "Quillfeather", address: "ines@example.org" },
        to: { name: "Somebody", address: `person${at}@example.org` },
        subject: "We move",
        text: `${TEXT}\n\nGet no more mailings: ${link}\n`,
        html,
        headers: { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  transport.close();
  return seconds;
}

async function mailingSeconds({ api }: TestPractice): Promise<number> {
  const csv = `value,label\n${Array.from({ length: MAILS }, (_, at) => `person${at}@example.org,Somebody`).join("\n")}`;
  const { id } = await api.mailings.create.mutate({
    id: newId(),
    subject: "We move",
    body: richTextOf(TEXT),
    perMinute: 0,
    source: { kind: "csv", csv },
  });
  const startedAt = Date.now();
  await api.mailings.start.mutate({ changeId: newId(), id });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const { endedAt, counts } = await api.mailings.get.query({ id });
    if (endedAt === null) continue;
    if (counts.sent !== MAILS) throw new Error(`mails are missing: ${JSON.stringify(counts)}`);
    return (Date.parse(endedAt) - startedAt) / 1000;
  }
}
