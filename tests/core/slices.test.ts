import { mapInSlices } from "@app/server/core/slices";
import { expect, test } from "vitest";

const ITEMS = 60;
const EACH_MS = 2;

test("mapInSlices: much work on many things, then others are heard again and again before its end, and nothing is left out", async () => {
  let heard = 0;
  const listen = () => {
    heard += 1;
    next = setImmediate(listen);
  };
  let next = setImmediate(listen);
  const done = await mapInSlices(
    Array.from({ length: ITEMS }, (_, index) => index),
    (index) => {
      const until = performance.now() + EACH_MS;
      while (performance.now() < until);
      return index * 2;
    },
  );
  clearImmediate(next);
  expect(done).toEqual(Array.from({ length: ITEMS }, (_, index) => index * 2));
  // Five milliseconds hold three of these at the most.
  expect(heard).toBeGreaterThanOrEqual(ITEMS / 3 - 1);
});
