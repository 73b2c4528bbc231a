// Hashing passwords leaves the machine to everybody else, and nobody's tries take the turns of others.
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { whileCalling } from "@app/server/core/caller";
import { inPlace, inTurn } from "@app/server/features/auth/hash-turns";
import { expect, test } from "vitest";

const AT_ONCE = Math.max(1, availableParallelism() - 1);
const from = (ip: string) => ({ isKnown: false, key: ip, ip }) as const;
const stranger = (key: string) => ({ isKnown: false, key, ip: "198.51.100.1" }) as const;

test("hash turns: a storm of sign-ins, when it comes from many networks, leaves a core to everybody else", async () => {
  let [running, most] = [0, 0];
  const hash = async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => inTurn(stranger(`network ${index}`), hash)));
  expect(most).toBe(AT_ONCE);
});

test("hash turns: one network that tries often, when another tries once, has its first tries and then the other's turn comes", async () => {
  const done: string[] = [];
  const hash = (name: string) => () => sleep(5).then(() => void done.push(name));
  const many = Array.from({ length: 5 * AT_ONCE }, (_, index) => inTurn(stranger("many"), hash(`many ${index}`)));
  await Promise.all([inTurn(stranger("one"), hash("one")), inTurn({ isKnown: true, key: "device" }, hash("device"))]);
  await Promise.all(many);
  for (const name of ["one", "device"]) expect(done.indexOf(name)).toBeLessThan(done.indexOf(`many ${2 * AT_ONCE}`));
});

/** Asks from each of these, in their order; gives whose turn came, and who was refused. */
function asking(ips: string[], workMs = 40) {
  const served: string[] = [];
  const refused: string[] = [];
  const all = ips.map((ip) =>
    inPlace(from(ip), () => sleep(workMs).then(() => void served.push(ip))).catch(() => void refused.push(ip)),
  );
  return { served, refused, all: Promise.all(all) };
}

test("A2 hash turns: a line, when very many ask at once, holds what can be served in time, and the others are told at once", async () => {
  const { served, refused, all } = asking(Array.from({ length: 400 }, (_, at) => `70.${at % 200}.${at % 7}.1`));
  await sleep(30);
  expect(refused.length).toBeGreaterThanOrEqual(400 - 200 - 2 * AT_ONCE);
  await all;
  expect(served.length + refused.length).toBe(400);
});

test.each([
  ["their network", () => "71.1.1.1"],
  ["neighbours of theirs", (at: number) => `72.1.1.${at}`],
  ["a whole /48", (at: number) => `2001:db8:5:${at.toString(16)}::1`],
])(
  "A2 hash turns: somebody who hardly asked, when others ask again and again from %s, is next",
  async (_what, ipOf) => {
    const many = asking(Array.from({ length: 60 }, (_, at) => ipOf(at)));
    const one = asking([`73.${_what.length}.1.1`]);
    await one.all;
    expect(one.served).toHaveLength(1);
    expect(many.served.length).toBeLessThan(4 * (AT_ONCE + 1));
    await many.all;
  },
);

const newcomer = (ip: string) => ({ ...from(ip), isNewcomer: true }) as const;

test.each([
  ["somebody opens a practice, when very many guess passwords", from, newcomer],
  ["somebody signs in, when very many open practices", newcomer, from],
])("hash turns: %s, from the network that asks most too, is served among the first", async (_what, theirs, ours) => {
  let served = 0;
  const storm = Array.from({ length: 300 }, (_, at) =>
    inPlace(theirs(`76.${at % 30}.1.1`), () => sleep(20).then(() => (served += 1))).catch(() => undefined),
  );
  await inPlace(ours("76.0.1.1"), () => sleep(1));
  expect(served).toBeLessThan(4 * (AT_ONCE + 1));
  await Promise.all(storm);
});

test("A2 hash turns: whoever has left, when their turn would come, is not worked for", async () => {
  const before = asking(Array.from({ length: 4 * (AT_ONCE + 1) }, () => "74.1.1.1"));
  const left = new AbortController();
  let isWorkedFor = false;
  const leaving = whileCalling(left.signal, () =>
    inPlace(from("75.1.1.1"), async () => void (isWorkedFor = true)).catch((error: unknown) => String(error)),
  );
  left.abort();
  expect(await leaving).toContain("Many people are signing in");
  await before.all;
  expect(isWorkedFor).toBe(false);
});
