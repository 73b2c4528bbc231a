import { clock, DAY_MS, HOUR_MS } from "@app/server/core/clock";
import { bringBackDueTimes } from "@app/server/core/due-times";
import { noIndexRemovesWhatIsKept } from "@app/server/core/expiry.migration";
import { stopJobs } from "@app/server/core/jobs";
import { createLogger } from "@app/server/core/logger";
import { removeWhatIsOver } from "@app/server/core/removals";
import { lookAtClock, surelyBefore, timesBefore } from "@app/server/core/sure-clock";
import mongoose from "mongoose";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { aPractice, aVisitor, PASSWORD } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const START = Date.UTC(2031, 0, 1);
const KEPT_MS = 30 * DAY_MS;
const log = createLogger("silent");

let at = START;
const app = forAllTests(startTestApp);
beforeAll(async () => {
  // Nobody else looks meanwhile.
  await stopJobs();
});
beforeEach(async () => {
  at = START;
  vi.spyOn(clock, "now").mockImplementation(() => new Date(at));
  await mongoose.connection.collection("clock").deleteMany({});
  await lookAtClock(log);
});

/** The product runs for so long, and looks at the clock as it does. */
async function run(ms: number): Promise<void> {
  for (const end = at + ms; at < end;) {
    at += HOUR_MS;
    await lookAtClock(log);
  }
}

/** Moves the clock, and looks: with `ms` of 0 only that. */
async function leap(ms: number): Promise<void> {
  at += ms;
  await lookAtClock(log);
}

/** Whether what was stored at this time would be removed now; null while nothing is. */
async function isDue(stored: number): Promise<boolean | null> {
  const times = await surelyBefore(KEPT_MS, log);
  return times && times.some(([after, before]) => stored >= after.getTime() && stored < before.getTime());
}

const ready = async () => (await fetch(`${app.url}/ready`)).json();

test("S79: GET /ready: the product has run for less than a day, then the clock is unsure, and sure after it", async () => {
  await run(23 * HOUR_MS);
  expect(await ready()).toMatchObject({ ok: true, clock: "unsure" });
  await run(HOUR_MS);
  expect(await ready()).toMatchObject({ ok: true, clock: "sure" });
});

test("S79: removals: a sure clock is forty days ahead for a moment, then nothing is due, then or after it is right", async () => {
  await run(2 * DAY_MS);
  const stored = at;
  await leap(40 * DAY_MS);
  expect(await isDue(stored)).toBeNull();
  expect(await ready()).toMatchObject({ clock: "unsure" });
  await leap(-40 * DAY_MS);
  expect(await isDue(stored)).toBeNull();
  await run(DAY_MS);
  expect(await isDue(stored)).toBe(false);
  await run(33 * DAY_MS);
  expect(await isDue(stored)).toBe(true);
});

test.each([
  ["the first thing that a product knows", 0],
  ["met after a restart", 2 * DAY_MS],
])(
  "S79: removals: a clock that is forty days behind, %s, is set right, then all is kept from then on",
  async (_, ms) => {
    await run(ms);
    const long = at - 90 * DAY_MS;
    await leap(-40 * DAY_MS);
    const stored = at + 5000;
    await leap(10_000);
    await leap(40 * DAY_MS);
    expect(await isDue(stored)).toBeNull();
    await run(DAY_MS);
    expect([await isDue(long), await isDue(stored)]).toEqual([true, false]);
    await run(30 * DAY_MS);
    expect(await isDue(stored)).toBe(false);
    await run(3 * DAY_MS);
    expect(await isDue(stored)).toBe(true);
  },
);

test("S79: removals: the product was off for months, then what is over is due after it has run for a day", async () => {
  await run(2 * DAY_MS);
  const stored = at;
  await leap(100 * DAY_MS);
  await run(23 * HOUR_MS);
  expect(await isDue(stored)).toBeNull();
  await run(HOUR_MS);
  expect(await isDue(stored)).toBe(true);
});

test("S79: removals: the machine is off at night and over the weekend, then the clock becomes sure and stays so", async () => {
  for (let day = 0; day < 4; day += 1) {
    await run(8 * HOUR_MS);
    await leap(16 * HOUR_MS);
  }
  expect(await ready()).toMatchObject({ clock: "sure" });
  await leap(2.5 * DAY_MS);
  expect(await ready()).toMatchObject({ clock: "sure" });
});

test("S79: removals: many processes look at once, then no time counts twice", async () => {
  for (let hours = 0; hours < 12; hours += 1) {
    at += HOUR_MS;
    await Promise.all(Array.from({ length: 4 }, () => lookAtClock(log)));
  }
  expect((await lookAtClock(log))?.steadyMs).toBe(12 * HOUR_MS);
});

test("timesBefore: doubtful times that overlap, begin after the limit or are over leave the others", () => {
  const day = (number: number) => new Date(number * DAY_MS);
  const doubt = (from: number, to: number, rightAt: number) => ({
    from: day(from),
    to: day(to),
    rightAt: day(rightAt),
  });
  expect(timesBefore(day(100), [])).toEqual([[day(0), day(100)]]);
  const doubtful = [doubt(50, 60, 120), doubt(20, 30, 110), doubt(25, 40, 115), doubt(70, 80, 90)];
  expect(timesBefore(day(100), doubtful)).toEqual([
    [day(0), day(20)],
    [day(40), day(50)],
    [day(60), day(100)],
  ]);
  expect(timesBefore(day(100), [doubt(90, 130, 140)])).toEqual([[day(0), day(90)]]);
  expect(timesBefore(day(100), [doubt(105, 130, 140)])).toEqual([[day(0), day(100)]]);
  expect(timesBefore(day(100), [doubt(-1, 130, 140)])).toEqual([]);
});

test("removals: what is kept for some time goes by itself, and what somebody has to pass on waits for them", async () => {
  const mail = {
    to: "maya@example.org",
    subject: "Words",
    message_id: "<a@example.org>",
    heldBy: "",
    due_at: new Date(at),
  };
  const old = { ...mail, created_at: new Date(at - 60 * DAY_MS) };
  const mails = mongoose.connection.collection<{ _id: string; [field: string]: unknown }>("system_mails");
  await mails.insertMany([
    { _id: "sent", ...old, state: "sent", link_made_by: "ines" },
    { _id: "report", ...old, state: "failed" },
    { _id: "invitation", ...old, state: "unsent", link_made_by: "ines" },
    { _id: "young", ...mail, created_at: new Date(at - 20 * DAY_MS), state: "sent" },
  ]);
  const left = async () => (await mails.find({}).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  await removeWhatIsOver(log);
  expect(await left()).toHaveLength(4);
  await run(DAY_MS);
  await removeWhatIsOver(log);
  expect(await left()).toEqual(["invitation", "young"]);
});

test("removals: a database of before, when it is brought up to date, then none of its indexes removes what is kept", async () => {
  const chunks = mongoose.connection.collection("import_chunks");
  await chunks.createIndex({ keptFrom: 1 }, { expireAfterSeconds: 30 * 24 * 3600 });
  await noIndexRemovesWhatIsKept();
  await noIndexRemovesWhatIsKept();
  const expiring: string[] = [];
  for (const { name } of (await mongoose.connection.db?.listCollections().toArray()) ?? [])
    for (const index of await mongoose.connection.collection(name).indexes())
      if (index.expireAfterSeconds !== undefined) expiring.push(name);
  expect(expiring.toSorted()).toEqual(["begun_work", "document_attendants", "mail_sign_ins", "rate_limits", "turns"]);
});

test("S79: sign-ins: one that was made while the clock was forty days ahead, when that is right again, is over", async () => {
  const practice = await aPractice(app);
  at += 40 * DAY_MS;
  const { api } = aVisitor(app);
  await api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: true });
  expect(await api.users.profile.query()).toMatchObject({ firstName: "Ines" });
  at -= 40 * DAY_MS;
  await bringBackDueTimes(log);
  expect(await refusal(api.users.profile.query())).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await practice.api.users.profile.query()).toMatchObject({ firstName: "Ines" });
});
