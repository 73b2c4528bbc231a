// What is said in a PDF, as plain data that one thread hands to another.
import { type DocumentContent, documentContentSchema } from "@app/shared/document-content";
import { z } from "zod";

const partSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["title", "heading", "paragraph"]), text: z.string() }),
  /** A label and what it says, in two columns. */
  z.object({ kind: z.literal("fact"), label: z.string(), value: z.string() }),
  z.object({ kind: z.literal("gap"), mm: z.number() }),
  /** What was drawn by hand: strokes of points x, y in thousandths of its width. */
  z.object({ kind: z.literal("drawing"), strokes: z.array(z.array(z.number())) }),
  /** What somebody wrote in the editor. */
  z.object({ kind: z.literal("content"), content: documentContentSchema }),
]);
export type PdfPart =
  | { kind: "title" | "heading" | "paragraph"; text: string }
  | { kind: "fact"; label: string; value: string }
  | { kind: "gap"; mm: number }
  | { kind: "drawing"; strokes: number[][] }
  | { kind: "content"; content: DocumentContent };

export const pdfDocumentSchema = z.object({
  title: z.string(),
  /** At the foot of each page, beside its number. */
  footer: z.string(),
  parts: z.array(partSchema),
  /** At the head of each page: whose paper it is, and how it is marked. */
  head: z
    .object({
      name: z.string(),
      mark: z.string(),
      /** The picture before the name, of those in `images`. */
      logo: z.string().optional(),
    })
    .optional(),
  /** Across each page, behind the words. */
  watermark: z.string().optional(),
  /** When it was made: the same document of the same moment is the same file, byte by byte. */
  madeAt: z.date().optional(),
  /** Pictures by the id that the content names them by; one that is not here is drawn as its description. */
  images: z.map(z.string(), z.instanceof(Uint8Array)).optional(),
});
export type PdfDocument = z.input<typeof pdfDocumentSchema>;

export const pdfDrawnSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  pages: z.number().int(),
  /** Signs that no face has: they are marked where they stand. */
  unwritten: z.array(z.string()),
});
export type PdfDrawn = z.infer<typeof pdfDrawnSchema>;

export const title = (text: string): PdfPart => ({ kind: "title", text });
export const heading = (text: string): PdfPart => ({ kind: "heading", text });
export const paragraph = (text: string): PdfPart => ({ kind: "paragraph", text });
export const fact = (label: string, value: string): PdfPart => ({ kind: "fact", label, value });
export const gap = (mm: number): PdfPart => ({ kind: "gap", mm });
export const drawing = (strokes: number[][]): PdfPart => ({ kind: "drawing", strokes });
