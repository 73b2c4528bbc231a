// A mailing to very many: whatever is asked of the whole is one small change, and its recipients follow in pieces.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { unfilledTurns } from "@app/server/features/mailings/mailing-filling";
import { runMailing } from "@app/server/features/mailings/mailing-run";
import { MailingItemModel, MailingModel } from "@app/server/features/mailings/mailings.model";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aClient } from "../support/server/people.ts";
import { aSendingPractice } from "../support/mail/sending-practice.ts";

const RECIPIENTS = 600;
const PIECE = 250;
const log = createLogger("silent");

const { practice } = aSendingPractice({ PUBLIC_URL: "" });
beforeAll(async () => {
  // What is done here is done in the call, or by the test itself.
  await stopJobs();
});

const addresses = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.org`);
const aList = (count: number) => ({ kind: "csv" as const, csv: `value\n${addresses(count).join("\n")}` });
const create = (source: { kind: "csv"; csv: string } | { kind: "filter"; filter: object }, id = newId()) =>
  practice.api.mailings.create.mutate({
    id,
    subject: "We move",
    body: richTextOf("To Kiln Row."),
    perMinute: 0,
    source,
  });
const start = (id: string) => practice.api.mailings.start.mutate({ id, changeId: newId() });

/** How many recipients were written at once, each time. */
async function writtenBy(work: () => Promise<unknown>): Promise<number[]> {
  const written: number[] = [];
  mongoose.set("debug", (collection: string, method: string, first: unknown) => {
    if (collection !== "mailing_items" || !/^(insert|update|delete|bulk)/.test(method)) return;
    written.push(Array.isArray(first) ? first.length : Infinity);
  });
  await work().finally(() => mongoose.set("debug", false));
  return written;
}

test("mailings.create: a long list, then it is stored in pieces, and is there once all of it is", async () => {
  let id = "";
  const pieces = await writtenBy(async () => (id = (await create(aList(RECIPIENTS))).id));
  expect(pieces).toEqual([PIECE, PIECE, RECIPIENTS - 2 * PIECE]);
  const { items, total } = await practice.api.mailings.listItems.query({ mailingId: id });
  expect(total).toBe(RECIPIENTS);
  expect(items[0]).toMatchObject({ state: "waiting" });
});

test("mailings.create: sent twice at once, then there is one mailing, and nothing is left of the other", async () => {
  const id = newId();
  const [one, other] = await Promise.all([create(aList(40), id), create(aList(40), id)]);
  expect(one.id).toBe(other.id);
  const of = { ownerId: practice.ownerId };
  expect(await MailingItemModel.countDocuments(of)).toBe(40);
  expect(await MailingModel.countDocuments(of)).toBe(1);
});

test("mailings.create: many long lists of one person at once, then some are stored, and the others are refused before they take room", async () => {
  const before = await MailingModel.countDocuments({ ownerId: practice.ownerId });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => create(aList(500))));
  const refused = answers.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(answers.length);
  for (const { reason } of refused.filter((answer) => answer.status === "rejected"))
    expect(reason).toMatchObject({ data: { code: "TOO_MANY_REQUESTS" } });
  const stored = await MailingModel.countDocuments({ ownerId: practice.ownerId });
  expect(stored - before).toBe(answers.length - refused.length);
});

test("mailings.create: the process dies before all are stored, then nobody sees it or can start it, and it is removed", async () => {
  const { id } = await create(aList(300));
  const of = { ownerId: practice.ownerId };
  await MailingModel.updateOne({ ...of, _id: id }, { $set: { isFilling: true, heldBy: "gone.1" } });
  expect((await practice.api.mailings.list.query({})).total).toBe(0);
  expect((await refusal(start(id))).code).toBe("NOT_FOUND");
  await unfilledTurns.onAllDue(log);
  expect(await MailingItemModel.countDocuments(of)).toBe(0);
  expect(await MailingModel.countDocuments(of)).toBe(0);
});

test("mailings.start and mailings.cancel: of many, then no recipient is written in the call", async () => {
  const { id } = await create(aList(RECIPIENTS));
  expect(await writtenBy(() => start(id))).toEqual([]);
  expect(
    await writtenBy(async () => {
      const { counts } = await practice.api.mailings.cancel.mutate({ id });
      expect(counts).toMatchObject({ waiting: 0, skipped: RECIPIENTS });
    }),
  ).toEqual([]);
});

test(
  "mailings.start: all failed, when it is tried again, then they wait at once, and each is tried again",
  { timeout: 90_000 },
  async () => {
    const failed = 220;
    const { id } = await create(aList(failed));
    const { ownerId } = practice;
    await MailingItemModel.updateMany({ ownerId }, { $set: { state: "failed", address: "fine@example.org" } });
    await MailingModel.updateOne({ ownerId, _id: id }, { $set: { state: "done", counts: null } });
    expect((await practice.api.mailings.get.query({ id })).counts).toMatchObject({ failed });
    expect(await writtenBy(() => start(id))).toEqual([]);
    expect((await practice.api.mailings.get.query({ id })).counts).toMatchObject({ failed: 0, waiting: failed });
    await runMailing(ownerId, id, log);
    expect((await practice.api.mailings.get.query({ id })).counts).toMatchObject({ sent: failed });
    expect((await refusal(start(id))).message).toBe("There is nobody left to send this to again.");
  },
);

test("mailings.start: to clients, then the history of each tells of it once, however often it is paused", async () => {
  const clients = await Promise.all(
    Array.from({ length: 5 }, (_, at) => practice.api.clients.create.mutate(aClient({ email: `c${at}@example.org` }))),
  );
  const { id } = await create({ kind: "filter", filter: {} });
  await start(id);
  await practice.api.mailings.pause.mutate({ id });
  await start(id);
  await runMailing(practice.ownerId, id, log);
  const history = mongoose.connection.collection<{ clientIds: string[] }>("history");
  const lines = await history.find({ ownerId: practice.ownerId, text: "Mailing “We move”" }).toArray();
  const told = lines.flatMap(({ clientIds }) => clientIds);
  expect(told.toSorted()).toEqual(clients.map((client) => client.id).toSorted());
});
