// One practice has very much to do, or servers that do not answer; another has little, which is done within seconds.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { defineJob } from "@app/server/core/jobs";
import { defineWorkTurns } from "@app/server/core/work-turns";
import { closeConnections } from "@app/server/features/inbox/connections";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { aHostileImap } from "../support/mail/hostile-imap.ts";
import { checked, uploaded } from "../support/hostile/import-uploads.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { anSmtpThatStopsReading } from "../support/mail/odd-smtp.ts";
import { aCase, aMeetingInput, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { anSmtpForAll } from "../support/mail/mail-for-tests.ts";

const ROWS = 8000;
const MEETINGS = 2000;
/** Between two mails of a mailing at a slow pace. */
const EVERY_MS = 3000;
const SOON = { timeout: 12_000, interval: 100 };
const LIMIT_MS = 90_000;

let release = () => {};
const released = new Promise<void>((resolve) => (release = resolve));
const hanging = ["a", "b", "c", "d"].map((name) =>
  defineJob({ name: `hang ${name}`, data: z.object({}), run: () => released }),
);
const begun: string[] = [];
const slowTurns = defineWorkTurns({
  name: "wait for servers",
  everyMs: DAY_MS,
  atOnce: 6,
  ofPractice: 2,
  find: () => Promise.resolve([]),
  async work({ ownerId }) {
    begun.push(ownerId);
    if (ownerId !== "quick") await released;
    return null;
  },
});

const ofPeople = defineWorkTurns({
  name: "wait for servers of people",
  everyMs: DAY_MS,
  atOnce: 6,
  ofPractice: 2,
  ofPerson: 1,
  find: () => Promise.resolve([]),
  async work({ id }) {
    begun.push(id);
    if (!id.startsWith("quick")) await released;
    return null;
  },
});

let large: TestPractice;
let small: TestPractice;
const smtp = anSmtpForAll();
const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
beforeEach(async () => {
  large = await aPractice(app);
  small = await aPractice(app);
});
afterAll(() => {
  release();
  closeConnections();
});

const jobs = () => mongoose.connection.collection("jobs");
const comesRound = (name: string) => jobs().updateOne({ name }, { $set: { nextRunAt: new Date(0), lockedAt: null } });

async function aMailing({ api }: Pick<TestPractice, "api">, addresses: number, perMinute: number): Promise<string> {
  const rows = Array.from({ length: addresses }, (_, at) => `person${at}@example.org,Somebody`);
  const { id } = await api.mailings.create.mutate({
    id: newId(),
    subject: "Closing days",
    body: richTextOf("We are closed until 4 January."),
    perMinute,
    source: { kind: "csv", csv: `value,label\n${rows.join("\n")}` },
  });
  await api.mailings.start.mutate({ changeId: newId(), id });
  return id;
}

test(
  "mailings.start: another practice sends many at a slow pace, then two mails leave within seconds, and each pace is kept",
  { timeout: LIMIT_MS },
  async () => {
    for (const { ownerId } of [large, small])
      await connectMailbox(ownerId, { email: `${ownerId}@example.org`, smtpPort: smtp.port, imapPort: 1 });
    const ids: string[] = [];
    const startedAt = performance.now();
    for (let count = 0; count < 7; count += 1) ids.push(await aMailing(large, 30, MINUTE_MS / EVERY_MS));
    const id = await aMailing(small, 2, 0);
    await vi.waitFor(async () => expect((await small.api.mailings.get.query({ id })).state).toBe("done"), SOON);
    const sent = async (mailing: string) => (await large.api.mailings.get.query({ id: mailing })).counts.sent;
    const fewest = async () => Math.min(...(await Promise.all(ids.map(sent))));
    await vi.waitFor(async () => expect(await fewest()).toBeGreaterThanOrEqual(4), { timeout: 25_000, interval: 50 });
    const most = Math.max(...(await Promise.all(ids.map(sent))));
    expect(most).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / EVERY_MS);
    expect(await jobs().countDocuments({ name: "send mailing" })).toBe(0);
    for (const one of ids) await large.api.mailings.cancel.mutate({ id: one });
  },
);

test(
  "mailings.start: two mailings of one person stall, then a colleague's leaves within seconds",
  { timeout: LIMIT_MS },
  async () => {
    const silent = await anSmtpThatStopsReading();
    await connectMailbox(large.ownerId, { email: "hugh@large.example.org", smtpPort: silent.port, imapPort: 1 });
    const ids = [await aMailing(large, 30, 0), await aMailing(large, 30, 0)];
    await vi.waitFor(() => expect(silent.mails()).toBeGreaterThan(0), SOON);
    const ines = await aStaffUser(app, large, { permissions: ["mail.send"] });
    const { items } = await large.api.staff.list.query();
    const userId = items.find(({ email }) => email === ines.email)?.id ?? "";
    await connectMailbox(userId, { email: ines.email, smtpPort: smtp.port, imapPort: 1 });
    const id = await aMailing(ines, 2, 0);
    const state = async () => (await ines.api.mailings.get.query({ id })).state;
    await vi.waitFor(async () => expect(await state()).toBe("done"), { timeout: 6000, interval: 100 });
    for (const one of ids) await large.api.mailings.cancel.mutate({ id: one });
    await silent.close();
  },
);

/** The last row says the same as the first. */
function aFile(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => `Ann,Able ${at},${newId()}@example.org`);
  return ["First name,Last name,Email", ...lines, lines[0]].join("\n");
}

test(
  "imports.check: another practice takes in large files, then three rows are checked within seconds, and none of those is taken twice",
  { timeout: LIMIT_MS },
  async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await uploaded(app, large, aFile(ROWS)));
    for (const each of ids) await checked(large.api, each);
    const id = await uploaded(app, small, aFile(3));
    for (const each of ids) await large.api.imports.start.mutate({ id: each });
    const startedAt = performance.now();
    expect((await checked(small.api, id)).counts.ready).toBe(3);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    const status = async (each: string) => (await large.api.imports.get.query({ id: each })).status;
    expect(await Promise.all(ids.map(status))).toContain("importing");
    const [first = "", ...others] = ids;
    for (const each of others) await large.api.imports.cancel.mutate({ id: each });
    await vi.waitFor(async () => expect(await status(first)).toBe("imported"), { timeout: 60_000, interval: 500 });
    const { counts } = await large.api.imports.get.query({ id: first });
    expect([counts.imported, counts.duplicates + counts.bad]).toEqual([ROWS, 1]);
  },
);

test(
  "reminders of meetings: thousands of another practice are due sooner, then a party is reminded within seconds",
  { timeout: LIMIT_MS },
  async () => {
    const { theCase, p1 } = await aCase(small);
    const startsAt = new Date(Date.now() + 20 * HOUR_MS).toISOString();
    const input = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true, startsAt };
    const { id } = await small.api.meetings.create.mutate(aMeetingInput(small.ownerId, input));
    const sooner = { ownerId: large.ownerId, remindedAt: null, status: "booked", caseId: null, createdAt: new Date() };
    await mongoose.connection.collection<{ _id: string }>("meetings").insertMany(
      Array.from({ length: MEETINGS }, (_, at) => ({
        ...sooner,
        _id: newId(),
        startsAt: new Date(Date.now() + HOUR_MS + at),
      })),
    );
    await comesRound("remind of meetings");
    await vi.waitFor(async () => {
      const meeting = await MeetingModel.findOne({ ownerId: small.ownerId, _id: id }).lean();
      expect(meeting?.remindedAt).toBeInstanceOf(Date);
    }, SOON);
    await MeetingModel.deleteMany({ ownerId: large.ownerId });
  },
);

test(
  "mail signs: the servers of another practice do not answer, then a mailbox is looked through within seconds",
  { timeout: LIMIT_MS },
  async () => {
    const silent = await aHostileImap({ SELECT: () => undefined });
    const honest = await aHostileImap();
    try {
      for (let count = 0; count < 6; count += 1) {
        const userId = newId();
        await connectMailbox(userId, { email: `${userId}@example.org`, smtpPort: 1, imapPort: silent.port });
        const users = mongoose.connection.collection<{ _id: string }>("users");
        await users.updateOne({ _id: userId }, { $set: { owner_id: large.ownerId } });
      }
      await comesRound("look for mail signs");
      await vi.waitFor(() => expect(silent.connections()).toBeGreaterThan(1), SOON);
      const email = "ines@small.example.org";
      await connectMailbox(small.ownerId, { email, smtpPort: 1, imapPort: honest.port });
      await comesRound("look for mail signs");
      await vi.waitFor(() => expect(honest.connections()).toBeGreaterThan(0), SOON);
      expect(await jobs().countDocuments({ name: "read mail signs" })).toBe(0);
    } finally {
      await silent.close();
      await honest.close();
    }
  },
);

test("turns of work: several practices keep all places waiting, then others go on beside them, and each has no more than its own", async () => {
  for (const ownerId of ["slow 1", "slow 2", "slow 3"])
    for (let at = 0; at < 5; at += 1) slowTurns.add({ ownerId, id: `${at}` });
  await vi.waitFor(() => expect(begun).toHaveLength(6), SOON);
  slowTurns.add({ ownerId: "quick", id: "" });
  await vi.waitFor(() => expect(begun).toContain("quick"), SOON);
  expect(begun.filter((ownerId) => ownerId === "slow 1")).toHaveLength(2);
});

test("turns of work: two things of one person do not end, then a colleague's is begun at once", async () => {
  const ownerId = "practice of two";
  for (const id of ["hugh 1", "hugh 2"]) ofPeople.add({ ownerId, userId: "hugh", id });
  ofPeople.add({ ownerId, userId: "ines", id: "quick of ines" });
  await vi.waitFor(() => expect(begun).toContain("quick of ines"), SOON);
  expect(begun).not.toContain("hugh 2");
});

test("turns of work: those of two people keep all places of their practice waiting, then a third person's go on beside them", async () => {
  const ownerId = "practice of three";
  for (const userId of ["omar", "vera"])
    for (const at of [1, 2]) ofPeople.add({ ownerId, userId, id: `${userId} ${at}` });
  ofPeople.add({ ownerId, userId: "ines", id: "quick of the third" });
  expect(begun).not.toContain("quick of the third");
  await vi.waitFor(() => expect(begun).toContain("quick of the third"), SOON);
  expect(begun).not.toContain("omar 2");
  expect(begun).not.toContain("vera 2");
});

test(
  "jobs: those of several names wait for ever, then what comes round still runs",
  { timeout: LIMIT_MS },
  async () => {
    for (const job of hanging) for (let count = 0; count < 6; count += 1) await job.enqueue({});
    const isFull = async () => (await jobs().countDocuments({ name: /^hang/, lockedAt: { $ne: null } })) >= 20;
    await vi.waitFor(async () => expect(await isFull()).toBe(true), SOON);
    const startsAt = new Date(Date.now() + 20 * HOUR_MS).toISOString();
    const { theCase, p1 } = await aCase(small);
    const input = { caseId: theCase.id, partyIds: [p1.partyId], isInvitationSent: true, startsAt };
    const { id } = await small.api.meetings.create.mutate(aMeetingInput(small.ownerId, input));
    await comesRound("remind of meetings");
    await vi.waitFor(async () => {
      const meeting = await MeetingModel.findOne({ ownerId: small.ownerId, _id: id }).lean();
      expect(meeting?.remindedAt).toBeInstanceOf(Date);
    }, SOON);
  },
);
