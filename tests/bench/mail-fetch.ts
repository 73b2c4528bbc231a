import { randomBytes } from "node:crypto";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { closeConnections } from "@app/server/features/inbox/connections";
import { fetchEmails } from "@app/server/features/inbox/fetch.service";
import { imapFetchSchema } from "@app/shared/mail-payload";
import type { ImapFlow } from "imapflow";
import { type Dovecot, startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, imapOf } from "../support/mail/imap-mail.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { type Figure, median } from "./figure.ts";

const MAILS = 10_000;
const PAGE = 50;
const ROUNDS = 15;
const BOX = "ines@quillfeather.example.org";
const USER = "bench";

/** `mail.fetch`: the newest 50 of 10,000 mails over a connection that is open, as a multiple of imapflow alone. */
export async function benchMailFetch(): Promise<Figure[]> {
  if (whyNoDovecot) throw new Error(whyNoDovecot);
  const dataDir = await mkdtemp(path.join(tmpdir(), "evenhand-bench-"));
  const dovecot = await startDovecot();
  const key = randomBytes(32).toString("base64");
  configure(readSettings({ DATA_DIR: dataDir, SECRET_KEY: key, MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  await loadKey();
  const database = await openDatabase({ log: createLogger("silent") });
  try {
    await fillMaildir(dovecot);
    await connectMailbox(USER, { email: BOX, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    const client = await imapOf(dovecot, BOX);
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await msOf(() => barePage(client));
      const own = await msOf(ownPage);
      // The first round opens the connection and warms both up.
      if (round > 0) ratios.push(own / bare);
    }
    await client.logout();
    return [{ name: "mail.fetch", value: median(ratios), unit: "x bare", goal: "<=", limit: 1.5 }];
  } finally {
    closeConnections();
    await database.close();
    await dovecot.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function ownPage(): Promise<void> {
  const { length } = await fetchEmails(imapFetchSchema.parse({ userId: USER, limit: PAGE }), async () => undefined);
  if (length !== PAGE) throw new Error(`the page has ${length} mails`);
}

/** The same page asked of the library itself: who, what, when, its parts and the beginning of its text. */
async function barePage(client: ImapFlow): Promise<void> {
  const lock = await client.getMailboxLock("INBOX", { readOnly: true });
  try {
    await client.noop();
    const last = client.mailbox ? client.mailbox.exists : 0;
    const query = {
      uid: true,
      envelope: true,
      bodyStructure: true,
      flags: true,
      internalDate: true,
      headers: ["references"],
    };
    const range = `${last - PAGE + 1}:${last}`;
    const rows = await client.fetchAll(range, query);
    await client.fetchAll(range, { uid: true, bodyParts: [{ key: "1", start: 0, maxLength: 2048 }] });
    if (rows.length !== PAGE) throw new Error(`the bare page has ${rows.length} mails`);
  } finally {
    lock.release();
  }
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Ten thousand files are written faster than they are sent. */
async function fillMaildir(dovecot: Dovecot): Promise<void> {
  // Opened once, so that the server makes its folders itself.
  const client = await imapOf(dovecot, BOX);
  await client.mailboxOpen("INBOX");
  await client.logout();
  const [uid, gid] = dovecot.mailOwner;
  const folder = path.join(dovecot.mailDir, BOX, "new");
  const body = "We would like to move the session to the week after, if that suits you both.\n".repeat(20);
  for (let at = 0; at < MAILS; at += 1) {
    const file = path.join(folder, `${1_700_000_000 + at}.M${at}.bench`);
    await writeFile(file, aMail({ subject: `Mail ${at}`, text: body }));
    await chown(file, uid, gid);
  }
}
