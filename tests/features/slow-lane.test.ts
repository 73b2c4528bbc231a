// S39: however many networks guess at an account, whoever has the right password is heard, and guesses stay few.
import { beforeEach, expect, test, vi } from "vitest";
import { keyedHash } from "@app/server/core/crypto";
import { CODE_LANE, PASSWORD_LANE, takeSlowLane } from "@app/server/features/auth/slow-lane";
import { aPractice, aVisitor, PASSWORD } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";

const DAY_MS = 86_400_000;
vi.setConfig({ testTimeout: 120_000 });
const app = forAllTests(() => startTestApp({ TRUSTED_PROXIES: "loopback" }));
beforeEach(forgetAttempts);
const practice = forEachTest(() => aPractice(app));

const signIn = async (ip: string, password: string, email = practice.email) =>
  (await refusal(aVisitor(app, { "x-forwarded-for": ip }).api.auth.signIn.mutate({ email, password }))).code;
const hex = (number: number) => number.toString(16);

test("S39 auth.signIn: the right password, when eighty networks of one /48 guessed, is heard in an unknown browser elsewhere, also of its /32", async () => {
  const heard = [];
  for (let each = 0; each < 80; each += 1)
    if ((await signIn(`2001:db8:77:${hex(each)}::1`, "wrong")) === "BAD_REQUEST") heard.push(each);
  // 25 of all, and 8 of this /48 in a week.
  expect(heard).toHaveLength(25 + 8);
  expect(await signIn("2001:db8:77:ffff::1", PASSWORD)).toBe("TOO_MANY_REQUESTS");
  expect(await signIn("2001:db8:78::1", PASSWORD)).toBe("");
  expect(await signIn("198.51.100.9", PASSWORD)).toBe("");
});

test("S39 auth.signIn: who was heard in the slow lane with the right password, when they come again, has all their tries", async () => {
  const guess = (each: number) => signIn(`2001:db8:79:${hex(each)}::1`, "wrong");
  for (let round = 0; round < 3; round += 1) {
    for (let each = 0; each < 30; each += 1) await guess(each);
    expect(await signIn("198.51.100.9", PASSWORD)).toBe("");
  }
});

/** Tries of so many networks, one after another; gives how many were heard. */
async function tryFrom(count: string, networks: string[], tries: number, lane = PASSWORD_LANE) {
  let heard = 0;
  for (let round = 0; round < tries; round += 1)
    for (const network of networks) if (await takeSlowLane(count, network, lane)) heard += 1;
  return heard;
}
test("S39 takeSlowLane: somebody new, when more networks than a third of the lane guessed all they may, is heard", async () => {
  // A fifth of the lane, to save time: that is three thousand networks and more.
  const lane = { size: PASSWORD_LANE.size / 5, everyMs: PASSWORD_LANE.everyMs * 5 };
  const count = `sign-in:${keyedHash("many")}`;
  const networks = Array.from({ length: 620 }, (_, at) => `${20 + (at % 90)}.${at % 251}.7.${at % 256}`);
  expect(await tryFrom(count, networks, 2, lane)).toBe(2 * networks.length);
  expect(await takeSlowLane(count, networks[0] ?? "", lane)).toBeNull();
  expect(await takeSlowLane(count, "198.51.100.9", lane)).not.toBeNull();
});

test("S39 takeSlowLane: an account, when networks without end guess, loses no more than the lane and its daily share", async () => {
  const lane = { size: 40, everyMs: DAY_MS / 20 };
  const count = `sign-in:${keyedHash("endless")}`;
  let next = 0;
  const fresh = (size: number) =>
    Array.from({ length: size }, () => `${(next += 1) % 200}.${Math.floor(next / 200)}.1.1`);
  expect(await tryFrom(count, fresh(60), 1, lane)).toBe(40);
  moveTime(DAY_MS);
  expect(await tryFrom(count, fresh(60), 1, lane)).toBe(20);
  expect([PASSWORD_LANE.size, DAY_MS / PASSWORD_LANE.everyMs]).toEqual([8000, 750]);
  expect([CODE_LANE.size, DAY_MS / CODE_LANE.everyMs]).toEqual([500, 100]);
});

test.each([
  ["a /64", (at: number) => `2001:db8:1:1::${hex(at)}`, 2],
  ["a /48", (at: number) => `2001:db8:1:${hex(at)}::1`, 8],
  ["a /32", (at: number) => `2001:db8:${hex(at)}::1`, 250],
])(
  "S39 takeSlowLane: unknown devices that hold %s, when they guess from all of it, are heard few times a week",
  async (_what, ip, most) => {
    const count = `sign-in:${keyedHash(_what)}`;
    const networks = Array.from({ length: most + 5 }, (_, at) => ip(at + 1));
    expect(await tryFrom(count, networks, 1)).toBe(most);
    moveTime(7 * DAY_MS + 1);
    expect(await tryFrom(count, networks, 1)).toBe(most);
  },
);

test("S79 takeSlowLane: a lane, when a clock that was ahead emptied it, is heard at its pace and not later", async () => {
  const lane = { size: 2, everyMs: DAY_MS };
  moveTime(400 * DAY_MS);
  expect(await tryFrom("sign-in:ahead", ["20.1.1.1", "21.1.1.1", "22.1.1.1"], 1, lane)).toBe(2);
  moveTime(0);
  await tryFrom("sign-in:ahead", ["23.1.1.1"], 1, lane);
  moveTime(DAY_MS + 1);
  expect(await tryFrom("sign-in:ahead", ["24.1.1.1"], 1, lane)).toBe(1);
});
