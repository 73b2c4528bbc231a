// What somebody wrote in the editor, as the paragraphs, lists and tables of a Word document.
import {
  AlignmentType,
  BorderStyle,
  HeadingLevel,
  ImageRun,
  type IParagraphOptions,
  PageBreak,
  Paragraph,
  Table,
  TableCell as WordCell,
  TableRow as WordRow,
  WidthType,
} from "docx";
import type {
  CellBlock,
  DocumentAlignment,
  DocumentBlock,
  DocumentListItem,
  ImageBlock,
  TableBlock,
  TableCell,
  WordBlock,
} from "@app/shared/document-content";
import { pictureKindOf, pixelsOf } from "../../../core/images.ts";
import { runsOf, type Writing } from "./word-runs.ts";
import { continueStyle, LEVELS_MAX, STYLES } from "./word-style-names.ts";

/** How wide the words of a page of A4 with our margins are, in points of a screen. */
const PAGE_PX = 627;
const PAGE_HIGH_PX = 880;

const ALIGNMENTS = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
  justify: AlignmentType.JUSTIFIED,
} as const satisfies Record<DocumentAlignment, string>;
const HEADINGS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;

/** A list that is counted or marked for itself. */
export interface WordList {
  reference: string;
  /** Null where it is not counted. */
  start: number | null;
}

export interface Drawing extends Writing {
  images: ReadonlyMap<string, Uint8Array>;
  /** Every list adds itself. */
  lists: WordList[];
}

interface Place {
  /** In how many lists it stands. */
  level: number;
  style?: string;
  widthPx: number;
}

type Written = Paragraph | Table;

export const blocksOf = (drawing: Drawing, blocks: readonly DocumentBlock[]): Written[] =>
  blocks.flatMap((block) => blockOf(drawing, block));

function blockOf(drawing: Drawing, block: DocumentBlock): Written[] {
  switch (block.type) {
    case "pageBreak":
      return [new Paragraph({ children: [new PageBreak()] })];
    case "table":
      // Two tables without a paragraph between them would be one.
      return [tableOf(drawing, block), new Paragraph({ style: STYLES.gap })];
    case "conditional": {
      const { path, test } = block.attrs;
      const [word, end] = test === "is-there" ? ["if", "if"] : ["unless", "unless"];
      return within(drawing, `{{#${word} ${path}}}`, block.content, `{{/${end}}}`);
    }
    case "repeat":
      return within(drawing, `{{#each ${block.attrs.over}}}`, block.content, "{{/each}}");
    default:
      return cellBlockOf(drawing, block, { level: 0, widthPx: PAGE_PX });
  }
}

const within = (drawing: Drawing, from: string, blocks: readonly DocumentBlock[], to: string): Written[] => [
  new Paragraph({ text: from, style: STYLES.part }),
  ...blocksOf(drawing, blocks),
  new Paragraph({ text: to, style: STYLES.part }),
];

function cellBlockOf(drawing: Drawing, block: CellBlock, place: Place): Paragraph[] {
  if (block.type === "horizontalRule") return [new Paragraph({ style: STYLES.rule })];
  if (block.type === "image") return [pictureOf(drawing, block, place)];
  return wordsOf(drawing, block, place);
}

function wordsOf(drawing: Drawing, block: WordBlock, place: Place, more: IParagraphOptions = {}): Paragraph[] {
  switch (block.type) {
    case "paragraph":
    case "heading": {
      const { textAlign } = block.attrs;
      const heading = block.type === "heading" ? { heading: HEADINGS[block.attrs.level] } : {};
      const style = place.style === undefined ? {} : { style: place.style };
      return [
        new Paragraph({
          ...style,
          ...heading,
          ...more,
          ...(textAlign && { alignment: ALIGNMENTS[textAlign] }),
          children: runsOf(block.content ?? [], drawing),
        }),
      ];
    }
    case "bulletList":
    case "orderedList": {
      const list = { reference: `list-${drawing.lists.length}`, start: startOf(block) };
      drawing.lists.push(list);
      return block.content.flatMap((item) => itemOf(drawing, item, list, place));
    }
    case "blockquote":
      return block.content.flatMap((one) => wordsOf(drawing, one, { ...place, style: place.style ?? STYLES.quote }));
  }
}

const startOf = (list: WordBlock): number | null => (list.type === "orderedList" ? list.attrs.start : null);

/** Its number stands before its first paragraph; the others are set in as far. */
function itemOf(drawing: Drawing, { content }: DocumentListItem, { reference }: WordList, place: Place): Paragraph[] {
  const level = Math.min(place.level, LEVELS_MAX - 1);
  const inner = { ...place, level: place.level + 1, style: continueStyle(level) };
  return content.flatMap((block, index) =>
    index === 0 && (block.type === "paragraph" || block.type === "heading")
      ? wordsOf(drawing, block, { ...place, style: STYLES.item }, { numbering: { reference, level } })
      : wordsOf(drawing, block, inner),
  );
}

function pictureOf({ images }: Drawing, { attrs }: ImageBlock, { widthPx, style }: Place): Paragraph {
  const set = attrs.align === "left" ? {} : { alignment: ALIGNMENTS[attrs.align] };
  const bytes = Buffer.from(images.get(attrs.pictureId) ?? []);
  const type = pictureKindOf(bytes);
  const size = type && pixelsOf(bytes, type === "png" ? "image/png" : "image/jpeg");
  const words = attrs.isDecorative ? "" : attrs.alt;
  if (!type || !size || size.width === 0 || size.height === 0)
    return new Paragraph({ ...set, text: words ? `[Picture: ${words}]` : "[Picture]" });
  const wide = (widthPx * attrs.widthPercent) / 100;
  const scale = Math.min(wide / size.width, PAGE_HIGH_PX / size.height);
  const transformation = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  return new Paragraph({
    ...(style !== undefined && { style }),
    ...set,
    children: [
      new ImageRun({ type, data: bytes, transformation, altText: { name: "Picture", title: "", description: words } }),
    ],
  });
}

const LINE = { style: BorderStyle.SINGLE, size: 4, color: "C8D0CF" };
const NONE = { style: BorderStyle.NONE, size: 0, color: "auto" };

function tableOf(drawing: Drawing, { content }: TableBlock): Table {
  const columns = Math.max(1, ...content.map((row) => row.content.reduce((sum, { attrs }) => sum + attrs.colspan, 0)));
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    borders: { top: LINE, bottom: LINE, left: NONE, right: NONE, insideHorizontal: LINE, insideVertical: NONE },
    rows: content.map(
      (row) =>
        new WordRow({
          // Said of a row that is none, readers take it for one.
          ...(row.content.length > 0 &&
            row.content.every(({ type }) => type === "tableHeader") && { tableHeader: true }),
          children: row.content.map((cell) => cellOf(drawing, cell, PAGE_PX / columns)),
        }),
    ),
  });
}

function cellOf(drawing: Drawing, { type, attrs, content }: TableCell, columnPx: number): WordCell {
  const isHeader = type === "tableHeader";
  const place = { level: 0, widthPx: columnPx * attrs.colspan, ...(isHeader && { style: STYLES.tableHead }) };
  return new WordCell({
    columnSpan: attrs.colspan,
    rowSpan: attrs.rowspan,
    ...(isHeader && { shading: { fill: "F0F4F3" } }),
    children: content.flatMap((block) => cellBlockOf(drawing, block, place)),
  });
}
