import { openEngine } from "../src/engine.ts";

/** How many milliseconds opening a data directory takes, without the process around it. */
export function openingTime(dir: string): number {
  const start = performance.now();
  const engine = openEngine({ dir });
  const took = performance.now() - start;
  engine.close();
  return took;
}
