// Letters and records are drawn in a worker of their own: a long one is heavy work, and nobody else waits for it.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { defineForeign } from "./foreign.ts";
import type { work } from "./pdf.foreign.ts";

const LIMIT_MS = 6000;

/** Draws documents of a kind for a practice; `tooMuch` says what to do where one is too long. */
export const definePdf = (tooMuch: string) =>
  defineForeign<typeof work>({
    file: new URL("./pdf.foreign.ts", import.meta.url),
    output: z.instanceof(Uint8Array),
    limitMs: LIMIT_MS,
    lane: "drawing",
    refuse: (why, reason) =>
      why === "too-much" ? new TRPCError({ code: "UNPROCESSABLE_CONTENT", message: tooMuch }) : new Error(reason),
  });
