import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { afterAll, expect, inject, test } from "vitest";
import { aCase, aMeetingInput, aPractice } from "../support/people.ts";
import { aPlace, aProduct, cleanUp } from "../support/product.ts";

const TIMES = 26;
const KILLS = 2;
const LIMIT_MS = 180_000;

afterAll(cleanUp);

test(
  `a series: ${KILLS} times the server dies while its mails are written, then others write the rest, and each once`,
  { timeout: LIMIT_MS },
  async () => {
    const uri = new URL(inject("mongodbUri"));
    uri.pathname = `/test_${randomBytes(6).toString("hex")}`;
    const secret = randomBytes(32).toString("base64");
    const environment = { DATA_DIR: aPlace(), MONGODB_URI: uri.href, SECRET_KEY: secret };
    const client = await MongoClient.connect(uri.href);
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
      while ((await mails.countDocuments()) === before && before < TIMES * 2) await sleep(5);
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
