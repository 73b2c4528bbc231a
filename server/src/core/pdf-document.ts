// What is said in a PDF, as plain data that one thread hands to another.
import { z } from "zod";

const partSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["title", "heading", "paragraph"]), text: z.string() }),
  /** A label and what it says, in two columns. */
  z.object({ kind: z.literal("fact"), label: z.string(), value: z.string() }),
  z.object({ kind: z.literal("gap"), mm: z.number() }),
  /** What was drawn by hand: strokes of points x, y in thousandths of its width. */
  z.object({ kind: z.literal("drawing"), strokes: z.array(z.array(z.number())) }),
]);
export type PdfPart = z.infer<typeof partSchema>;

export const pdfDocumentSchema = z.object({ title: z.string(), footer: z.string(), parts: z.array(partSchema) });
export type PdfDocument = z.infer<typeof pdfDocumentSchema>;

export const title = (text: string): PdfPart => ({ kind: "title", text });
export const heading = (text: string): PdfPart => ({ kind: "heading", text });
export const paragraph = (text: string): PdfPart => ({ kind: "paragraph", text });
export const fact = (label: string, value: string): PdfPart => ({ kind: "fact", label, value });
export const gap = (mm: number): PdfPart => ({ kind: "gap", mm });
export const drawing = (strokes: number[][]): PdfPart => ({ kind: "drawing", strokes });
