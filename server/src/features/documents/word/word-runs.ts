// The words of a paragraph, as runs of a Word document.
import { ExternalHyperlink, type ParagraphChild, TextRun } from "docx";
import type { DocumentInline, DocumentMark } from "@app/shared/document-content";
import { saidOf } from "@app/shared/document-walk";
import { writtenField } from "@app/shared/word-fields";
import { STYLES } from "./word-style-names.ts";

/** What XML has no place for (XML 1.0, 2.2): one such sign, and Word opens nothing of it. */
const UNWRITTEN = /[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu;
/** Ends of lines under other names. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;

const cleaned = (text: string): string => text.toWellFormed().replace(LINE_ENDS, "\n").replace(UNWRITTEN, "");

export interface Writing {
  /** Its fields are written as such, whatever they say. */
  isTemplate: boolean;
}

export const runsOf = (inlines: readonly DocumentInline[], writing: Writing): ParagraphChild[] =>
  inlines.flatMap((inline) => runOf(inline, writing));

function runOf(inline: DocumentInline, { isTemplate }: Writing): ParagraphChild[] {
  if (inline.type === "hardBreak") return [new TextRun({ break: 1 })];
  const { marks = [] } = inline;
  if (inline.type === "text") return written(inline.text, marks);
  const said = isTemplate ? null : saidOf(inline);
  return written(said ?? writtenField(inline), marks);
}

function written(text: string, marks: readonly DocumentMark[]): ParagraphChild[] {
  const has = (type: DocumentMark["type"]) => marks.some((mark) => mark.type === type);
  const link = marks.find((mark) => mark.type === "link");
  const isCode = has("code");
  const runs = cleaned(text)
    .split("\n")
    .map(
      (line, index) =>
        new TextRun({
          text: line,
          ...(index > 0 && { break: 1 }),
          ...(has("bold") && { bold: true }),
          ...(has("italic") && { italics: true }),
          ...(has("underline") && { underline: {} }),
          ...(has("strike") && { strike: true }),
          ...(isCode ? { style: STYLES.code } : link && { style: "Hyperlink" }),
        }),
    );
  return link ? [new ExternalHyperlink({ children: runs, link: link.attrs.href })] : runs;
}
