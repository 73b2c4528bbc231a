// What an uploaded file is, looked at in a worker.
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { work } from "./file-kind.foreign.ts";

const KIND_LIMIT_MS = 3000;

/** The type of a spooled file, by its name and its content; a photograph loses where it was taken. */
export const kindOf = defineForeign<typeof work>({
  file: new URL("./file-kind.foreign.ts", import.meta.url),
  output: z.string(),
  limitMs: KIND_LIMIT_MS,
  refuse: (why) =>
    badField(
      "name",
      why === "too-much"
        ? "This file takes too much to look into. Make it smaller and send it again."
        : "This file is damaged. Open it, save it again and send that.",
    ),
});
