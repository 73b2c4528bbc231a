import { describePause, clearAttempts, networkOf, pauseLeftMs, countAttempt } from "@app/server/core/rate-limit";
import { expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const MINUTE_MS = 60_000;
const limit = { tries: 3, pauseMs: MINUTE_MS, longestPauseMs: 5 * MINUTE_MS, memoryMs: 30 * MINUTE_MS };

let key = "";
let count = 0;
forAllTests(startTestApp);

const freshKey = () => (key = `test:${++count}`);
const takeAll = async () => {
  for (let tries = 0; tries < limit.tries; tries += 1) await countAttempt(key, limit);
};

test("countAttempt: counts down, then pauses for a minute", async () => {
  freshKey();
  const remaining = [];
  for (let tries = 0; tries < 3; tries += 1) remaining.push((await countAttempt(key, limit)).remaining);
  expect(remaining).toEqual([2, 1, 0]);
  const refused = await countAttempt(key, limit);
  expect(refused.isAllowed).toBe(false);
  expect(refused.pauseMs).toBeGreaterThan(59_000);
  expect(await pauseLeftMs(key)).toBeGreaterThan(59_000);
  moveTime(MINUTE_MS + 1000);
  expect(await countAttempt(key, limit)).toMatchObject({ isAllowed: true, remaining: 2 });
});

test("countAttempt: of 200 at the same time three get through", async () => {
  freshKey();
  const taken = await Promise.all(Array.from({ length: 200 }, () => countAttempt(key, limit)));
  expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
});

test("countAttempt: each further pause is twice as long, up to the longest", async () => {
  freshKey();
  let elapsedMs = 0;
  for (const minutes of [1, 2, 4, 5, 5]) {
    await takeAll();
    const left = await pauseLeftMs(key);
    expect(Math.round(left / MINUTE_MS)).toBe(minutes);
    elapsedMs += left + 1000;
    moveTime(elapsedMs);
  }
});

test("countAttempt: half an hour without a try forgets everything, and so does clearAttempts", async () => {
  freshKey();
  await takeAll();
  moveTime(32 * MINUTE_MS);
  await takeAll();
  expect(Math.round((await pauseLeftMs(key)) / MINUTE_MS)).toBe(1);
  await clearAttempts(key);
  expect(await countAttempt(key, limit)).toMatchObject({ isAllowed: true, remaining: 2 });
});

test.each([24, 2])(
  "S79: countAttempt: a pause that began when the clock was %d hours ahead, then it lasts no longer than it would have",
  async (hours) => {
    freshKey();
    moveTime(hours * 60 * MINUTE_MS);
    await takeAll();
    moveTime(0);
    expect(await countAttempt(key, limit)).toMatchObject({ isAllowed: false, pauseMs: MINUTE_MS });
    moveTime(MINUTE_MS / 2);
    expect(await pauseLeftMs(key)).toBeGreaterThan(MINUTE_MS / 2 - 5000);
    moveTime(MINUTE_MS + 1000);
    expect(await countAttempt(key, limit)).toMatchObject({ isAllowed: true, remaining: 2 });
  },
);

test.each([
  [200, "1 second"],
  [30_000, "30 seconds"],
  [15 * MINUTE_MS, "15 minutes"],
  [119 * MINUTE_MS, "119 minutes"],
  [240 * MINUTE_MS, "4 hours"],
])("describePause: %d ms is %s", (ms, words) => {
  expect(describePause(ms)).toBe(words);
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "::ffff:203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::6", "2001:db8:1:2"],
  ["2001:db8::6", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["", ""],
])("networkOf: %s counts as %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
