import { randomBytes } from "node:crypto";
import { loadKey } from "@app/server/core/crypto";
import { openDatabase } from "@app/server/core/database";
import { endHolds } from "@app/server/core/holding";
import { checkKey } from "@app/server/core/key-check";
import { createLogger } from "@app/server/core/logger";
import { configure, readSettings } from "@app/server/core/settings";
import { createPractice } from "@app/server/features/auth/registration";
import { deliverCaseMail } from "@app/server/features/compose/delivery";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { sealForNoParty } from "@app/server/features/visibility/for-party.service";
import mongoose from "mongoose";
import { afterAll, expect, test, vi } from "vitest";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpThatStopsReading } from "../support/mail/odd-smtp.ts";
import { startSmtp } from "../support/mail/smtp-server.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { PASSWORD, scopeOf, anOwnerAt } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";
import { aColleague } from "../support/server/signed-in.ts";

const log = createLogger("silent");
// A round comes every ten seconds.
const ROUND = { timeout: 20_000, interval: 100 };

afterAll(cleanUp);

test(
  "case mail: when a carrier stalls in one process, then another sends none by it, and each mail by another carrier once",
  { timeout: 120_000 },
  async () => {
    const silent = await anSmtpThatStopsReading();
    const installation = await startSmtp({ authOptional: true });
    const environment = {
      DATA_DIR: aPlace(),
      MONGODB_URI: anOwnDatabase(),
      SECRET_KEY: randomBytes(32).toString("base64"),
      SYSTEM_SMTP_URL: `smtp://127.0.0.1:${installation.port}`,
      MAIL_ALLOW_PRIVATE_HOSTS: "true",
    };
    configure(readSettings({ NODE_ENV: "test", ...environment }));
    await loadKey();
    const database = await openDatabase({ log });
    await checkKey();
    const { ownerId } = scopeOf(await createPractice(anOwnerAt("owner@example.org"), { mustBeFirst: false }));
    const { userId: hugh } = await aColleague(ownerId, { ...COLLEAGUE, password: PASSWORD });
    await connectMailbox(hugh, { email: COLLEAGUE.email, smtpPort: silent.port, imapPort: 1 });
    await aProduct(environment);

    for (let at = 0; at < 4; at += 1) await aLetter(ownerId, hugh, `hugh${at}@example.net`);
    await deliverCaseMail(log);
    await vi.waitFor(() => expect(silent.mails()).toBe(1), ROUND);
    const addresses = Array.from({ length: 20 }, (_, at) => `ines${at}@example.net`);
    for (const to of addresses) await aLetter(ownerId, ownerId, to);
    const sent = () => OutboxModel.countDocuments({ ownerId, createdBy: ownerId, state: "sent" });
    await vi.waitFor(async () => expect(await sent()).toBe(addresses.length), ROUND);

    expect(silent.mails()).toBe(1);
    expect(installation.received.flatMap(({ to }) => to).toSorted()).toEqual(addresses.toSorted());
    await silent.close();
    await vi.waitFor(async () => expect(await OutboxModel.exists({ ownerId, state: "sending" })).toBeNull(), ROUND);
    await endHolds();
    await mongoose.connection.db?.dropDatabase();
    await database.close();
    await installation.close();
  },
);

const COLLEAGUE = { email: "hugh@example.org", firstName: "Hugh", lastName: "Birch", role: 3 } as const;

const aLetter = (ownerId: string, userId: string, to: string) =>
  queueMail(
    { ...scopeOf(ownerId), userId },
    {
      purpose: "letter",
      content: sealForNoParty(null, { to, toName: "", subject: "Papers", text: "Here they are.", attachments: [] }, []),
    },
  );
