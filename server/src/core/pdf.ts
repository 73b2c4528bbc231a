// Letters and records are drawn in a worker of their own: a long one is heavy work, and nobody else waits for it.
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Asker } from "./fair-turns.ts";
import { defineForeign } from "./foreign.ts";
import type { PdfDocument } from "./pdf-document.ts";
import type { work } from "./pdf.foreign.ts";

const LIMIT_MS = 6000;

/** As much as 300 pages of prose hold: what says more need not be drawn to see that it is too long. */
const SIGNS_MAX = 1_200_000;

/** Draws documents of a kind for a person; `tooMuch` says what to do where one is too long. */
export function definePdf(tooMuch: string) {
  const tooLong = () => new TRPCError({ code: "UNPROCESSABLE_CONTENT", message: tooMuch });
  const draw = defineForeign<typeof work>({
    file: new URL("./pdf.foreign.ts", import.meta.url),
    output: z.instanceof(Uint8Array),
    limitMs: LIMIT_MS,
    lane: "drawing",
    refuse: (why, reason) => (why === "too-much" ? tooLong() : new Error(reason)),
  });
  return (asker: Asker, document: PdfDocument): Promise<Uint8Array> =>
    signsIn(document) > SIGNS_MAX ? Promise.reject(tooLong()) : draw(asker, document);
}

const signsIn = ({ parts }: PdfDocument): number =>
  parts.reduce((signs, part) => signs + ("text" in part ? part.text.length : 0), 0);
