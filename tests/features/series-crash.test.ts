import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { afterAll, expect, test } from "vitest";
import { anOwnDatabase } from "../support/server/own-database.ts";
import { aCase, aMeetingInput, aPractice } from "../support/server/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/server/product.ts";

const TIMES = 26;
/** SERIES_KILLS=2 for the whole. */
const KILLS = Number(process.env["SERIES_KILLS"] ?? 1);
const LIMIT_MS = 180_000;

afterAll(cleanUp);

test(
  `a series: when the server dies while its mails are written, ${KILLS} in a row, then others write the rest, and each once`,
  { timeout: LIMIT_MS },
  async () => {
    const uri = anOwnDatabase();
    const secret = randomBytes(32).toString("base64");
    const environment = { DATA_DIR: aPlace(), MONGODB_URI: uri, SECRET_KEY: secret };
    const client = await MongoClient.connect(uri);
    const mails = client.db().collection("email_messages");
    let product = await aProduct(environment);
    const practice = await aPractice({ url: product.url, close: () => Promise.resolve() });
    const { theCase, p1, p2 } = await aCase(practice);
    await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        partyIds: [p1.partyId, p2.partyId],
        isInvitationSent: true,
        repeat: { everyWeeks: 1, times: TIMES },
      }),
    );
    for (let killed = 0; killed < KILLS; killed += 1) {
      const before = await mails.countDocuments();
      product.process.kill("SIGKILL");
      product = await aProduct(environment);
      while ((await mails.countDocuments()) === before && before < TIMES * 2) await sleep(20);
    }
    while (
      (await client
        .db()
        .collection("meetings")
        .countDocuments({ untold: { $exists: true } })) > 0
    )
      await sleep(50);
    const found = await mails.find().toArray();
    expect(found).toHaveLength(TIMES * 2);
    for (const { partyId } of [p1, p2]) expect(found.filter((mail) => mail["partyId"] === partyId)).toHaveLength(TIMES);
    await client.db().dropDatabase();
    await client.close();
  },
);
