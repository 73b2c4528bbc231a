// What mammoth reads of a Word document, as its `documents.js` makes it: its own types leave that open.
import { z } from "zod";

/** The same object for all paragraphs that are counted together. */
export interface WordNumbering {
  isOrdered: boolean;
  /** "0" for the outermost. */
  level: string;
  /** Ours: "start-5" where it begins at 5 (word-numbering.ts). */
  paragraphStyleId?: string;
}

export interface WordParagraph {
  type: "paragraph";
  styleName: string | null;
  numbering: WordNumbering | null;
  alignment: string | null;
  children: WordInline[];
}
export interface WordRun {
  type: "run";
  styleName: string | null;
  isBold: boolean;
  isItalic: boolean;
  isUnderline: boolean;
  isStrikethrough: boolean;
  verticalAlignment: string;
  highlight: string | null;
  children: WordInline[];
}
export interface WordImage {
  type: "image";
  altText?: string | null;
  readAsBuffer: () => Promise<Buffer>;
}
export type WordInline =
  | WordRun
  | { type: "hyperlink"; href?: string; children: WordInline[] }
  | { type: "text"; value: string }
  | { type: "tab" }
  | { type: "break"; breakType: string }
  | { type: "checkbox"; checked: boolean }
  | { type: "noteReference" }
  | { type: "commentReference" }
  | { type: "bookmarkStart" }
  | WordImage;

export interface WordTable {
  type: "table";
  children: { type: "tableRow"; isHeader: boolean; children: WordCell[] }[];
}
export interface WordCell {
  type: "tableCell";
  colSpan: number;
  rowSpan: number;
  children: WordBlock[];
}
export type WordBlock = WordParagraph | WordTable | WordInline;

export const wordDocumentSchema = z.object({ children: z.array(z.custom<WordBlock>(isNode)) });

function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
