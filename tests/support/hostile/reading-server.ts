// A server by itself that reads content which never ends.
import { defineForeign } from "@app/server/core/foreign";
import { z } from "zod";
import type { work } from "./growing.foreign.ts";

const read = defineForeign<typeof work>({
  file: new URL("./growing.foreign.ts", import.meta.url),
  output: z.number(),
  limitMs: 60_000,
  refuse: (why) => new Error(why),
});

await read({ group: "left alone", one: "" }, "never");
