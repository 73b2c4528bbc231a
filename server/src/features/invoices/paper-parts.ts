// The pieces that papers of money are put together of.
import type { DocumentAlignment, DocumentBlock, DocumentContent, TableRow } from "@app/shared/document-content";

type Column = { width: number; isRight: boolean };

const words = (
  text: string,
  textAlign: DocumentAlignment | null,
  isBold: boolean,
): DocumentBlock & { type: "paragraph" } => ({
  type: "paragraph",
  attrs: { textAlign },
  ...(text === ""
    ? {}
    : { content: [{ type: "text" as const, text, ...(isBold ? { marks: [{ type: "bold" as const }] } : {}) }] }),
});

const rowOf = (
  type: "tableCell" | "tableHeader",
  columns: readonly Column[],
  cells: readonly string[],
  isBold = false,
): TableRow => ({
  type: "tableRow",
  content: cells.map((text, at) => ({
    type,
    attrs: { colspan: 1, rowspan: 1, colwidth: [columns[at]?.width ?? 100] },
    content: [words(text, columns[at]?.isRight ? "right" : null, isBold)],
  })),
});

export interface PaperTable {
  columns: readonly Column[];
  headings: readonly string[];
  rows: readonly (readonly string[])[];
  /** Below the rows, in bold. */
  totals: readonly (readonly string[])[];
}

/** A table with its sums, as content of a page. */
export const tableContent = ({ columns, headings, rows, totals }: PaperTable): DocumentContent => ({
  type: "doc",
  content: [
    {
      type: "table",
      content: [
        rowOf("tableHeader", columns, headings),
        ...rows.map((cells) => rowOf("tableCell", columns, cells)),
        ...totals.map((cells) => rowOf("tableCell", columns, cells, true)),
      ],
    },
  ],
});
