import { newId } from "@app/server/core/ids";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { MIGRATIONS } from "@app/server/migrations";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aClient, aPractice, aStaffUser, type TestPractice } from "../support/people.ts";
import { startTestApp, type TestApp } from "../support/test-app.ts";

const SHY = "\u00AD";

let app: TestApp;
let practice: TestPractice;
beforeAll(async () => {
  app = await startTestApp();
  practice = await aPractice(app);
});
afterAll(() => app.close());

const log = createLogger("silent");
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);

test("S67: what was stored before addresses had one form is brought into it, once, and nothing of it is lost", async () => {
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

test("S70: what told of a screening or a mailing before it was marked, when it is brought in, is left out for others", async () => {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient());
  const line = (text: string, kind: string) => ({
    _id: newId(),
    ownerId: practice.ownerId,
    at: new Date(),
    kind,
    text,
    actorName: "Ines",
    caseId: null,
    clientIds: [clientId],
    visibility: PRACTICE_ONLY,
  });
  await stored("history").insertMany([
    line("P1 screened for safety and suitability", "case"),
    line("Task added: Safety: decide what follows from the screening of P1", "task"),
    line("Mailing “We move”", "mail"),
    line("Message sent to Priya", "mail"),
  ]);
  const links = { clientId, caseId: null, dueOn: null, assigneeId: practice.ownerId };
  for (const title of ["Safety: decide what follows from the screening of P1", "Chase figures"])
    await practice.api.tasks.create.mutate({ id: newId(), ...links, title });
  await stored("migrations").deleteMany({});
  await migrate(MIGRATIONS, log);
  const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const told = (await staff.api.history.list.query({ clientId, page: 1 })).items.map(({ text }) => text);
  expect(told.toSorted()).toEqual(["Message sent to Priya", "Task added: Chase figures"]);
  const tasks = await staff.api.tasks.list.query({ page: 1 });
  expect(tasks.items.map(({ title }) => title)).toEqual(["Chase figures"]);
  expect((await practice.api.tasks.list.query({ page: 1 })).items).toHaveLength(2);
});
