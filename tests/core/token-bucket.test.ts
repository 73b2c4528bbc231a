import { inTransaction } from "@app/server/core/database";
import { leftIn, type NamedBucket, returnTokens, takeToken, takeTokens } from "@app/server/core/token-bucket";
import { expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

let count = 0;
forAllTests(startTestApp);

const bucketOf = (size: number): NamedBucket => [`test-bucket:${++count}`, { size, everyMs: MINUTE_MS }];
const taking = async (times: number, buckets: NamedBucket[]) => {
  const tokens = await Promise.all(Array.from({ length: times }, () => takeTokens(buckets)));
  return tokens.filter(({ isTaken }) => isTaken).length;
};

test("takeToken: counts down, says how long there is none, and fills by one each time", async () => {
  const [key, bucket] = bucketOf(3);
  const left = [];
  for (let tries = 0; tries < 3; tries += 1) {
    await takeToken(key, bucket);
    left.push(await leftIn([key, bucket]));
  }
  expect(left).toEqual([2, 1, 0]);
  const refused = await takeToken(key, bucket);
  expect(refused.isTaken).toBe(false);
  expect(refused.waitMs).toBeGreaterThan(MINUTE_MS - 5 * SECOND_MS);
  moveTime(MINUTE_MS + SECOND_MS);
  expect(await taking(5, [[key, bucket]])).toBe(1);
});

test("takeToken: of 60 at the same time 20 get one", async () => {
  const bucket = bucketOf(20);
  expect(await taking(60, [bucket])).toBe(20);
  expect(await leftIn(bucket)).toBe(0);
});

test("takeToken: what was full for long is no fuller than it can be", async () => {
  const bucket = bucketOf(4);
  await takeTokens([bucket]);
  moveTime(60 * MINUTE_MS);
  expect(await taking(10, [bucket])).toBe(4);
});

test("takeToken: what a clock that was ahead took is given back by the one that is right", async () => {
  const bucket = bucketOf(2);
  moveTime(600 * MINUTE_MS);
  await takeTokens([bucket]);
  moveTime(-600 * MINUTE_MS);
  const [key, is] = bucket;
  expect((await takeToken(key, is)).waitMs).toBeLessThanOrEqual(MINUTE_MS);
  moveTime(MINUTE_MS + SECOND_MS);
  expect((await takeToken(key, is)).isTaken).toBe(true);
});

test("takeTokens: where one bucket is empty, nothing is taken of the others", async () => {
  const [small, large] = [bucketOf(1), bucketOf(5)];
  expect(await taking(1, [small, large])).toBe(1);
  expect(await taking(3, [small, large])).toBe(0);
  expect(await leftIn(large)).toBe(4);
});

test("takeTokens: at the same time no more go than the smallest holds, and the others lose only those", async () => {
  const [small, large] = [bucketOf(7), bucketOf(50)];
  expect(await taking(30, [large, small])).toBe(7);
  expect(await leftIn(large)).toBe(43);
});

test("returnTokens: what was not needed can be taken again", async () => {
  const bucket = bucketOf(1);
  await takeTokens([bucket]);
  await returnTokens([bucket]);
  expect(await taking(2, [bucket])).toBe(1);
});

test("takeTokens: who may not have what comes first touches nothing of what comes last", async () => {
  const [first, last] = [bucketOf(1), bucketOf(1)];
  await takeTokens([first]);
  const [refused, others] = await Promise.all([taking(40, [first, last]), taking(1, [last])]);
  expect({ refused, others }).toEqual({ refused: 0, others: 1 });
});

test("takeToken: in a transaction what is refused ends nothing of it", async () => {
  const [key, bucket] = bucketOf(1);
  await takeToken(key, bucket);
  expect(await inTransaction(async () => [await takeToken(key, bucket), await leftIn([key, bucket])])).toMatchObject([
    { isTaken: false },
    0,
  ]);
});
