// A PDF that came from outside is opened in a worker: to see that it can be signed, and to put the page of signatures
// after it and seal both.
import { z } from "zod";
import { badField } from "../../core/errors.ts";
import type { Asker } from "../../core/fair-turns.ts";
import { defineForeign } from "../../core/foreign.ts";
import type { work as workCheck } from "./check.foreign.ts";
import type { work as workJoin } from "./join.foreign.ts";

const CHECK_MS = 5000;
const JOIN_MS = 15_000;

const unsignable = () =>
  badField(
    "fileId",
    "This PDF cannot be signed: it is locked, damaged or very long. Print it to a new PDF and send that.",
  );

const look = defineForeign<typeof workCheck>({
  file: new URL("./check.foreign.ts", import.meta.url),
  output: z.number(),
  limitMs: CHECK_MS,
  lane: "drawing",
  refuse: unsignable,
});

export async function checkPdf(asker: Asker, bytes: Buffer): Promise<void> {
  await look(asker, { bytes: new Uint8Array(bytes) });
}

/** The first with all pages of the second after it. */
export const joinPdfs = defineForeign<typeof workJoin>({
  file: new URL("./join.foreign.ts", import.meta.url),
  output: z.instanceof(Uint8Array),
  limitMs: JOIN_MS,
  lane: "drawing",
  refuse: unsignable,
});
