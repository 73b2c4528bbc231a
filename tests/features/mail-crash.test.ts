import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import type { Scope } from "@app/server/core/trpc";
import { createPractice } from "@app/server/features/auth/registration";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import mongoose from "mongoose";
import { afterAll, expect, test } from "vitest";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { scopeOf, anOwnerAt } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";
import { ignore, type ReceivedMail, startSmtp } from "../support/mail/smtp-server.ts";

/** MAIL_KILLS=3 for the whole. */
const KILLS = Number(process.env["MAIL_KILLS"] ?? 1);
const MAILS = 10 + KILLS * 10;
const ACCEPTING_MS = 150;

afterAll(cleanUp);

test(
  `delivery: when the process is killed in the middle, ${KILLS} in a row, then no mail is lost or doubled unseen`,
  { timeout: 180_000 },
  async () => {
    const received: ReceivedMail[] = [];
    const smtp = await startSmtp({
      authOptional: true,
      // It has the mail and answers late: whoever dies meanwhile cannot know.
      onData(stream, session, done) {
        void text(stream).then(async (source) => {
          received.push({ from: "", to: session.envelope.rcptTo.map(({ address }) => address), source });
          await sleep(ACCEPTING_MS);
          done();
        }, ignore);
      },
    });
    const uri = anOwnDatabase();
    const environment = {
      DATA_DIR: aPlace(),
      MONGODB_URI: uri,
      SECRET_KEY: randomBytes(32).toString("base64"),
      SYSTEM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    };
    configure(readSettings({ NODE_ENV: "test", ...environment }));
    await loadKey();
    const database = await openDatabase({ log: createLogger("silent") });
    await checkKey();
    const owner = scopeOf(await createPractice(anOwnerAt("owner@example.org"), { mustBeFirst: false }));
    const addresses = Array.from({ length: MAILS }, (_, index) => `person${index}@example.org`);
    for (const to of addresses) await aWaitingMail(owner, to);

    for (let killed = 0; killed < KILLS; killed += 1) {
      const product = await aProduct(environment);
      await until(() => received.length >= (killed + 1) * 10);
      product.process.kill("SIGKILL");
      await sleep(ACCEPTING_MS);
    }
    await aProduct(environment);
    await until(
      async () => (await OutboxModel.countDocuments({ state: "sent" }).setOptions({ anyOwner: true })) === MAILS,
    );

    const copies = received.map(({ to, source }) => ({ to: to[0] ?? "", id: messageIdOf(source) }));
    expect([...new Set(copies.map(({ to }) => to))].toSorted()).toEqual(addresses.toSorted());
    // A second copy bears the same Message-ID as the first.
    expect(new Set(copies.map(({ to, id }) => `${to} ${id}`)).size).toBe(MAILS);
    // One mail of a carrier is on its way at a time.
    expect(copies.length - MAILS).toBeLessThanOrEqual(KILLS);
    await mongoose.connection.db?.dropDatabase();
    await database.close();
    await smtp.close();
  },
);

const messageIdOf = (source: string) => /^message-id: (.+)$/im.exec(source)?.[1] ?? "none";

const aWaitingMail = (owner: Scope, to: string) =>
  queueMail(owner, {
    purpose: "letter",
    content: sealForNoParty(
      null,
      { to, toName: "", subject: "Your appointment", text: "We meet on Monday.", attachments: [] },
      [],
    ),
  });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("it did not come to that in time");
    await sleep(50);
  }
}
