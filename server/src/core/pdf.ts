// Letters and records are drawn in a worker of their own: a long one is heavy work, and nobody else waits for it.
import { linesOf } from "@app/shared/document-walk";
import { TRPCError } from "@trpc/server";
import type { Asker } from "./fair-turns.ts";
import { defineForeign } from "./foreign.ts";
import { type PdfDocument, type PdfDrawn, pdfDrawnSchema, type PdfPart } from "./pdf-document.ts";
import type { work } from "./pdf.foreign.ts";

const LIMIT_MS = 6000;

/** As much as 300 pages of prose hold: what says more need not be drawn to see that it is too long. */
const SIGNS_MAX = 1_200_000;

/** Draws documents of a kind for a person; `tooMuch` says what to do where one is too long. */
export function definePdf(tooMuch: string) {
  const draw = defineDrawing(tooMuch);
  return async (asker: Asker, document: PdfDocument): Promise<Uint8Array> => (await draw(asker, document)).bytes;
}

/** The same with what there is to tell of it: how many pages it has, and which signs could not be written. */
export function defineDrawing(tooMuch: string) {
  const tooLong = () => new TRPCError({ code: "UNPROCESSABLE_CONTENT", message: tooMuch });
  const draw = defineForeign<typeof work>({
    file: new URL("./pdf.foreign.ts", import.meta.url),
    output: pdfDrawnSchema,
    limitMs: LIMIT_MS,
    lane: "drawing",
    refuse: (why, reason) => (why === "too-much" ? tooLong() : new Error(reason)),
  });
  return (asker: Asker, document: PdfDocument): Promise<PdfDrawn> =>
    signsIn(document) > SIGNS_MAX ? Promise.reject(tooLong()) : draw(asker, document);
}

const signsIn = ({ parts }: PdfDocument): number => parts.reduce((signs, part) => signs + signsOf(part), 0);

function signsOf(part: PdfPart): number {
  if (part.kind === "content") return linesOf(part.content).reduce((sum, line) => sum + line.length, 0);
  return "text" in part ? part.text.length : 0;
}
