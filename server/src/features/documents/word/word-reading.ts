// A Word document as text of the editor: an allow-list of what is taken over, and words for what is not.
import {
  type CellBlock,
  type DocumentAlignment,
  type DocumentBlock,
  type DocumentContent,
  IMAGES_MAX,
  type ImageBlock,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  type TableBlock,
  type TableCell,
  type WordBlock,
} from "@app/shared/document-content";
import { listsOf } from "./word-lists.ts";
import type { WordBlock as Read, WordCell, WordImage, WordInline, WordParagraph, WordTable } from "./word-model.ts";
import { continueName, LEVELS_MAX, STYLE_NAMES } from "./word-style-names.ts";
import { type Left, type Piece, piecesOf } from "./word-words.ts";

/** So that no text is deeper than one may be. */
const LEVELS_IN_CELLS_MAX = 5;

const ALIGNMENTS: Record<string, DocumentAlignment> = {
  left: "left",
  start: "left",
  center: "center",
  right: "right",
  end: "right",
  both: "justify",
  distribute: "justify",
};
const HEADING = /^(?:heading ([1-9])|(title))$/i;
const QUOTES: ReadonlySet<string> = new Set([STYLE_NAMES.quote, "Intense Quote", "Block Text"]);
const CONTINUES = new Map(Array.from({ length: LEVELS_MAX }, (_, level) => [continueName(level), level]));

const LEFT_HERE = {
  headingNumbers: "Numbers of headings: write them into the headings",
  nested: "Tables within tables: their words stand one below the other",
  columns: `Tables of more than ${TABLE_COLUMNS_MAX} columns: what is too much stands in the last one`,
  rows: `Tables of more than ${TABLE_ROWS_MAX} rows: they are divided`,
  images: `More than ${IMAGES_MAX} pictures`,
} as const;

interface Reading {
  left: Left;
  /** Keeps a picture, and says how the text names it; null where it cannot be taken over. */
  keep: (image: WordImage) => ImageBlock | null;
}

export function readBlocks(reading: Reading, children: readonly Read[]): DocumentContent["content"] {
  const lists = listsOf<DocumentBlock>(LEVELS_MAX);
  let quote: Extract<WordBlock, { type: "blockquote" }> | null = null;
  for (const child of grouped(children)) {
    if (child.type === "table") {
      for (const table of tablesOf(reading, child)) lists.add(table);
      quote = null;
      continue;
    }
    if (isQuote(child)) {
      const words = wordsIn(reading, child);
      if (quote) quote.content.push(...words);
      else {
        quote = { type: "blockquote", content: words };
        lists.add(quote);
      }
      continue;
    }
    quote = null;
    addParagraph(reading, lists, child);
  }
  return lists.blocks;
}

type Lists = ReturnType<typeof listsOf<DocumentBlock>>;

/** What stands beside paragraphs, such as words in a box, is a paragraph of its own. */
function grouped(children: readonly Read[]): (WordParagraph | WordTable)[] {
  return children.map((child) => (child.type === "paragraph" || child.type === "table" ? child : ofWords([child])));
}

const ofWords = (children: WordInline[]): WordParagraph => ({
  type: "paragraph",
  styleName: null,
  numbering: null,
  alignment: null,
  children,
});

const isQuote = ({ styleName, numbering }: WordParagraph): boolean =>
  numbering === null && styleName !== null && QUOTES.has(styleName);

function addParagraph(reading: Reading, lists: Lists, paragraph: WordParagraph): void {
  const { styleName, numbering, children } = paragraph;
  if (styleName === STYLE_NAMES.privilege) return;
  if (styleName === STYLE_NAMES.rule) return lists.add({ type: "horizontalRule" });
  if (styleName === STYLE_NAMES.gap && children.length === 0) return lists.add(GAP);
  const isHeading = HEADING.test(styleName ?? "");
  if (numbering && isHeading) reading.left.add(LEFT_HERE.headingNumbers);
  let isFirst = true;
  for (const block of blocksIn(reading, paragraph)) {
    if (block.type === "image" || block.type === "pageBreak") {
      lists.add(block);
      continue;
    }
    const level = styleName === null ? undefined : CONTINUES.get(styleName);
    if (numbering && !isHeading && isFirst) lists.item(numbering, block);
    else if (level === undefined || !lists.goOn(level, block)) lists.add(block);
    isFirst = false;
  }
}

/** Where a table ends and another begins; taken out again where the text is complete. */
const GAP: WordBlock = { type: "paragraph", attrs: { textAlign: null } };
export const isGap = (block: DocumentBlock): boolean => block === GAP;

type InParagraph = WordBlock | ImageBlock | { type: "pageBreak" };

/** A paragraph, with pictures and ends of pages between its words. */
function blocksIn(reading: Reading, paragraph: WordParagraph): InParagraph[] {
  const blocks: InParagraph[] = [];
  let words: Extract<Piece, { inline: unknown }>[] = [];
  const endWords = () => {
    if (words.length > 0) blocks.push(blockOf(reading, paragraph, words));
    words = [];
  };
  for (const piece of piecesOf(paragraph.children, reading.left)) {
    if ("inline" in piece) {
      words.push(piece);
      continue;
    }
    endWords();
    if ("pageBreak" in piece) {
      blocks.push({ type: "pageBreak" });
      continue;
    }
    const image = reading.keep(piece.image);
    const align = ALIGNMENTS[paragraph.alignment ?? ""];
    if (image) blocks.push(align === "center" || align === "right" ? aligned(image, align) : image);
  }
  endWords();
  return blocks.length > 0 ? blocks : [blockOf(reading, paragraph, [])];
}

const aligned = (image: ImageBlock, align: "center" | "right"): ImageBlock => ({
  ...image,
  attrs: { ...image.attrs, align },
});

function blockOf(
  _reading: Reading,
  { styleName, alignment }: WordParagraph,
  words: readonly Extract<Piece, { inline: unknown }>[],
): Extract<WordBlock, { type: "paragraph" | "heading" }> {
  const textAlign = ALIGNMENTS[alignment ?? ""] ?? null;
  const content = words.length > 0 ? { content: words.map(({ inline }) => inline) } : {};
  const [isHeading, level = "1"] = HEADING.exec(styleName ?? "") ?? [];
  if (isHeading === undefined) return { type: "paragraph", attrs: { textAlign }, ...content };
  return { type: "heading", attrs: { level: level === "1" ? 1 : level === "2" ? 2 : 3, textAlign }, ...content };
}

/** Only words: a picture in a quotation stands nowhere. */
const wordsIn = (reading: Reading, paragraph: WordParagraph): WordBlock[] => {
  const words = blocksIn(reading, paragraph).filter((block) => block.type !== "image" && block.type !== "pageBreak");
  return words.length > 0 ? words : [blockOf(reading, paragraph, [])];
};

function tablesOf(reading: Reading, table: WordTable): TableBlock[] {
  const rows = table.children
    .filter(({ type }) => type === "tableRow")
    .map(({ isHeader, children }) => ({
      type: "tableRow" as const,
      content: narrowed(reading, children).map((cell) => cellOf(reading, cell, isHeader)),
    }));
  if (rows.length > TABLE_ROWS_MAX) reading.left.add(LEFT_HERE.rows);
  const tables: TableBlock[] = [];
  for (let at = 0; at < rows.length; at += TABLE_ROWS_MAX)
    tables.push({ type: "table", content: rows.slice(at, at + TABLE_ROWS_MAX) });
  return tables;
}

/** As many cells as a row may have: the last has the words of those that follow it. */
function narrowed(reading: Reading, cells: readonly WordCell[]): WordCell[] {
  const kept: WordCell[] = [];
  let columns = 0;
  for (const cell of cells) {
    const span = Math.max(1, Math.min(cell.colSpan, TABLE_COLUMNS_MAX));
    const last = kept.at(-1);
    if (last && columns + span > TABLE_COLUMNS_MAX) {
      reading.left.add(LEFT_HERE.columns);
      kept[kept.length - 1] = { ...last, children: [...last.children, ...cell.children] };
      continue;
    }
    kept.push({ ...cell, colSpan: span });
    columns += span;
  }
  return kept;
}

function cellOf(reading: Reading, { colSpan, rowSpan, children }: WordCell, isHeader: boolean): TableCell {
  const lists = listsOf<DocumentBlock>(LEVELS_IN_CELLS_MAX);
  for (const child of grouped(withoutTables(reading, children)))
    if (child.type === "paragraph") addParagraph(reading, lists, child);
  const content = lists.blocks.filter((block): block is CellBlock => isCellBlock(block) && !isGap(block));
  const attrs = { colspan: colSpan, rowspan: Math.min(rowSpan, TABLE_ROWS_MAX), colwidth: null };
  return {
    type: isHeader ? "tableHeader" : "tableCell",
    attrs,
    content: content.length > 0 ? content : [{ type: "paragraph", attrs: { textAlign: null } }],
  };
}

const OUTSIDE_CELLS: ReadonlySet<DocumentBlock["type"]> = new Set(["pageBreak", "table", "conditional", "repeat"]);
const isCellBlock = ({ type }: DocumentBlock): boolean => !OUTSIDE_CELLS.has(type);

function withoutTables(reading: Reading, children: readonly Read[]): Read[] {
  return children.flatMap((child) => {
    if (child.type !== "table") return [child];
    reading.left.add(LEFT_HERE.nested);
    return child.children.flatMap((row) => row.children.flatMap((cell) => withoutTables(reading, cell.children)));
  });
}

export const TOO_MANY_PICTURES = LEFT_HERE.images;
