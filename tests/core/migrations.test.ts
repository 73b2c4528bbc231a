import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aClient, aPractice } from "../support/people.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const SHY = "\u00AD";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const log = createLogger("silent");
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);

test("S67: what was stored before addresses had one form is brought into it, once, and nothing of it is lost", async () => {
  const practice = await aPractice(app);
  const { id: shy } = await practice.api.clients.create.mutate(aClient());
  const { id: gone } = await practice.api.clients.create.mutate(aClient());
  await stored("clients").updateOne({ _id: shy }, { $set: { email: `pri${SHY}ya@BÜCHER.example`, matchKeys: [] } });
  await stored("clients").updateOne({ _id: gone }, { $set: { email: "priya@under_score.example" } });
  await stored("users").updateOne({ _id: practice.ownerId }, { $set: { email_address: `ow${SHY}ner@bücher.example` } });
  await stored("mail_suppressions").insertOne({
    _id: "s1",
    ownerId: practice.ownerId,
    address: "a@BÜCHER.example",
    reason: "unsubscribed",
    createdAt: new Date(),
  });

  await migrate(MIGRATIONS, log);
  await migrate(MIGRATIONS, log);

  expect((await practice.api.clients.get.query({ id: shy })).email).toBe("priya@xn--bcher-kva.example");
  const unusable = await practice.api.clients.get.query({ id: gone });
  expect(unusable.email).toBe("");
  expect(unusable.safeContact.note).toBe("Former address: priya@under_score.example");
  expect(await stored("users").findOne({ _id: practice.ownerId })).toMatchObject({
    email_address: "owner@xn--bcher-kva.example",
  });
  expect(await stored("mail_suppressions").findOne({ _id: "s1" })).toMatchObject({
    address: "a@xn--bcher-kva.example",
  });
  expect(await stored("migrations").countDocuments()).toBe(MIGRATIONS.length);
});
