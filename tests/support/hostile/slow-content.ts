// Somebody whose content takes long to read, in the workers that read everybody's.
import { whileCalling } from "@app/server/core/caller";
import type { Asker } from "@app/server/core/fair-turns";
import { defineForeign } from "@app/server/core/foreign";
import { z } from "zod";
import type { work as idle } from "./idle.foreign.ts";
import type { work } from "./slow.foreign.ts";

/** In the lane of what is short; given is for how many milliseconds it keeps its worker. */
export const readSlowly = defineForeign<typeof work>({
  file: new URL("./slow.foreign.ts", import.meta.url),
  output: z.number(),
  limitMs: 60_000,
  refuse: (why) => new Error(why),
});

/** The same in the lane of whole files. */
export const readFilesSlowly = defineForeign<typeof work>({
  file: new URL("./slow.foreign.ts", import.meta.url),
  output: z.number(),
  limitMs: 60_000,
  lane: "long",
  refuse: (why) => new Error(why),
});

/** The same without working on it: so nobody takes it for long work. */
const readIdly = defineForeign<typeof idle>({
  file: new URL("./idle.foreign.ts", import.meta.url),
  output: z.number(),
  limitMs: 60_000,
  refuse: (why) => new Error(why),
});

// As many of one practice as may wait, and those that are under way.
const ALL = 42;

/** Leaves no room for anybody of this practice until it is told to end. */
export async function fillLane(ownerId: string): Promise<() => Promise<void>> {
  const asked = Array.from({ length: ALL }, (_, index) => stoppable({ group: ownerId, one: `full ${index}` }));
  // Those that are under way have begun by then.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return async () => {
    for (const { stop } of asked) stop();
    await Promise.all(asked.map(({ ended }) => ended));
  };
}

function stoppable(asker: Asker) {
  const stop = new AbortController();
  const ended = whileCalling(stop.signal, () => readIdly(asker, 60_000)).catch(() => undefined);
  return { stop: () => stop.abort(), ended };
}
