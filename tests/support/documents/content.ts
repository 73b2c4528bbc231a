// Documents as the editor writes them, in few words.
import type {
  CellBlock,
  DocumentBlock,
  DocumentContent,
  DocumentInline,
  ImageBlock,
  MergeFieldNode,
  TableCell,
  WordBlock,
} from "@app/shared/document-content";

export const doc = (...content: DocumentBlock[]): DocumentContent => ({ type: "doc", content });

type Words = string | DocumentInline;
const inline = (words: Words): DocumentInline => (typeof words === "string" ? { type: "text", text: words } : words);

export const bold = (text: string): DocumentInline => ({ type: "text", text, marks: [{ type: "bold" }] });
export const field = (path: string, fallback = "", said: string | null = null): MergeFieldNode => ({
  type: "mergeField",
  attrs: { path, fallback, said },
});
export const para = (...content: Words[]): WordBlock => ({
  type: "paragraph",
  attrs: { textAlign: null },
  ...(content.length > 0 && { content: content.map(inline) }),
});
export const heading = (level: 1 | 2 | 3, text: string): WordBlock => ({
  type: "heading",
  attrs: { level, textAlign: null },
  content: [{ type: "text", text }],
});
export const bullets = (...items: string[]): WordBlock => ({
  type: "bulletList",
  content: items.map((text) => ({ type: "listItem", content: [para(text)] })),
});

export const image = (pictureId: string, attrs: Partial<ImageBlock["attrs"]> = {}): ImageBlock => ({
  type: "image",
  attrs: { pictureId, alt: "", isDecorative: false, widthPercent: 50, align: "left", ...attrs },
});

type Cell = string | TableCell;
export const cell = (...content: CellBlock[]): TableCell => ({
  type: "tableCell",
  attrs: { colspan: 1, rowspan: 1, colwidth: null },
  content,
});
const cellOf = (given: Cell, type: TableCell["type"]): TableCell =>
  typeof given === "string" ? { ...cell(para(given)), type } : given;
export const table = (head: Cell[], ...rows: Cell[][]): DocumentBlock => ({
  type: "table",
  content: [
    { type: "tableRow", content: head.map((one) => cellOf(one, "tableHeader")) },
    ...rows.map((row) => ({ type: "tableRow" as const, content: row.map((one) => cellOf(one, "tableCell")) })),
  ],
});
export const when = (path: string, test: "is-there" | "is-missing", ...content: DocumentBlock[]): DocumentBlock => ({
  type: "conditional",
  attrs: { path, test },
  content,
});
export const forEach = (over: string, ...content: DocumentBlock[]): DocumentBlock => ({
  type: "repeat",
  attrs: { over },
  content,
});
