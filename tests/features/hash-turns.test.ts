// Hashing passwords leaves the machine to everybody else, and nobody's tries take the turns of others.
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { inTurn } from "@app/server/features/auth/hash-turns";
import { expect, test } from "vitest";

const AT_ONCE = Math.max(1, availableParallelism() - 1);
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
