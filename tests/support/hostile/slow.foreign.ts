// Content that takes as long to read as it says.
import { foreignWork } from "@app/server/core/foreign-work";
import { z } from "zod";

export const work = foreignWork(z.number(), (ms): number => {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return ms;
});
