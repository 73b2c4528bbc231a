// What somebody wrote in the editor, as slices that flow down the pages of a PDF.
import type { DocumentBlock, DocumentInline, ImageBlock, TableCell, WordBlock } from "@app/shared/document-content";
import { saidOf } from "@app/shared/document-walk";
import { fieldName } from "@app/shared/document-fields";
import type { Face } from "./pdf-fonts.ts";
import { indented, type Slice } from "./pdf-flow.ts";
import { imageSlice } from "./pdf-images.ts";
import type { Run, Style } from "./pdf-lines.ts";
import { tableSlices } from "./pdf-tables.ts";
import { type Drawing, textSlices } from "./pdf-text.ts";

const INK = [24, 32, 31] as const;
const LINK = [11, 92, 90] as const;
const MISSING = [160, 30, 30] as const;

const BODY = 10;
const HEADINGS = { 1: { size: 16, gap: 16 }, 2: { size: 12.5, gap: 13 }, 3: { size: 10.5, gap: 10 } } as const;
const PARAGRAPH_GAP = 6;
const ITEM_GAP = 3;
const LIST_INDENT = 20;
const QUOTE_INDENT = 14;
const RULE_HEIGHT = 12;

export interface ContentDrawing extends Drawing {
  images: ReadonlyMap<string, Uint8Array>;
  /** The room between the head and the foot of a page. */
  pageHeight: number;
  outline: (title: string, level: number) => void;
}

interface Setting {
  width: number;
  /** Within a heading cell. */
  isBold: boolean;
  /** Of a first block the room above it is that of whatever it stands in. */
  gap: number;
}

export function contentSlices(drawing: ContentDrawing, blocks: readonly DocumentBlock[], width: number): Slice[] {
  const slices: Slice[] = [];
  let isOnNewPage = false;
  for (const block of blocks) {
    if (block.type === "pageBreak") {
      isOnNewPage = true;
      continue;
    }
    const own = blockSlices(drawing, block, { width, isBold: false, gap: PARAGRAPH_GAP });
    const [first, ...rest] = own;
    if (!first) continue;
    slices.push(isOnNewPage ? { ...first, isOnNewPage } : first, ...rest);
    isOnNewPage = false;
  }
  return slices;
}

function blockSlices(drawing: ContentDrawing, block: DocumentBlock, setting: Setting): Slice[] {
  const { width, gap } = setting;
  switch (block.type) {
    case "image":
      return [imageOf(drawing, block, setting)];
    case "horizontalRule":
      return [ruleSlice(drawing, width)];
    case "table":
      return tableSlices(block, {
        width,
        gap: PARAGRAPH_GAP + 2,
        highest: drawing.pageHeight,
        slicesOf: (cell, cellWidth) => cellSlices(drawing, cell, cellWidth),
        fill: (left, top, wide, high) => drawing.pdf.setFillColor(240, 244, 243).rect(left, top, wide, high, "F"),
        rule(left, top, wide, color) {
          drawing.pdf.setDrawColor(...color).setLineWidth(0.6);
          drawing.pdf.line(left, top, left + wide, top);
        },
      });
    // Of a template that is printed as it is: a document has none of these any more.
    case "conditional":
    case "repeat":
      return contentSlices(drawing, block.content, width);
    case "pageBreak":
      return [];
    default:
      return wordSlices(drawing, block, { ...setting, gap });
  }
}

function wordSlices(drawing: ContentDrawing, block: WordBlock, setting: Setting): Slice[] {
  const { width, isBold } = setting;
  switch (block.type) {
    case "paragraph":
      return textSlices(drawing, {
        runs: runsOf(block.content ?? [], { size: BODY, isBold }),
        width,
        gap: setting.gap,
        align: block.attrs.textAlign ?? "left",
      });
    case "heading": {
      const { size, gap } = HEADINGS[block.attrs.level];
      const runs = runsOf(block.content ?? [], { size, isBold: true });
      const words = runs.map(({ text }) => text).join("");
      return textSlices(drawing, {
        runs,
        width,
        gap,
        align: block.attrs.textAlign ?? "left",
        isKeptWithNext: true,
        ...(words.trim() && { onBegin: () => drawing.outline(words, block.attrs.level) }),
      });
    }
    case "bulletList":
      return block.content.flatMap(({ content }, index) =>
        itemSlices(drawing, content, { ...setting, marker: "\u2022", gap: index === 0 ? setting.gap : ITEM_GAP }),
      );
    case "orderedList":
      return block.content.flatMap(({ content }, index) =>
        itemSlices(drawing, content, {
          ...setting,
          marker: `${block.attrs.start + index}.`,
          gap: index === 0 ? setting.gap : ITEM_GAP,
        }),
      );
    case "blockquote":
      return stackedWords(drawing, block.content, { ...setting, width: width - QUOTE_INDENT }).map((slice, index) =>
        indented(slice, QUOTE_INDENT, ({ left, top }, height, gap) => {
          const above = index === 0 ? 0 : gap;
          drawing.pdf.setFillColor(205, 212, 211).rect(left + 3, top - above, 2, height + above, "F");
        }),
      );
  }
}

function stackedWords(drawing: ContentDrawing, blocks: readonly WordBlock[], setting: Setting): Slice[] {
  return blocks.flatMap((block, index) =>
    wordSlices(drawing, block, { ...setting, gap: index === 0 ? setting.gap : ITEM_GAP }),
  );
}

function itemSlices(
  drawing: ContentDrawing,
  content: readonly WordBlock[],
  { marker, ...setting }: Setting & { marker: string },
): Slice[] {
  const own = stackedWords(drawing, content, { ...setting, width: setting.width - LIST_INDENT });
  return own.map((slice, index) =>
    indented(slice, LIST_INDENT, ({ left, top }) => {
      if (index > 0) return;
      const face = setting.isBold ? "bold" : "normal";
      const [line] = textSlices(drawing, {
        runs: [{ text: marker, face, size: BODY, color: INK }],
        width: LIST_INDENT - 6,
        gap: 0,
        align: "right",
      });
      line?.draw({ left, top });
    }),
  );
}

function cellSlices(drawing: ContentDrawing, cell: TableCell, width: number): Slice[] {
  const isBold = cell.type === "tableHeader";
  return cell.content.flatMap((block) => blockSlices(drawing, block, { width, isBold, gap: ITEM_GAP }));
}

function ruleSlice({ pdf }: Drawing, width: number): Slice {
  return {
    gap: 0,
    height: RULE_HEIGHT,
    isKeptWithNext: false,
    draw({ left, top }) {
      pdf.setDrawColor(200, 208, 207).setLineWidth(0.6);
      pdf.line(left, top + RULE_HEIGHT / 2, left + width, top + RULE_HEIGHT / 2);
    },
  };
}

const imageOf = (drawing: ContentDrawing, { attrs }: ImageBlock, { width, gap }: Setting): Slice =>
  imageSlice(drawing, {
    bytes: drawing.images.get(attrs.pictureId) ?? null,
    alt: attrs.isDecorative ? "" : attrs.alt,
    isDecorative: attrs.isDecorative,
    width: (width * attrs.widthPercent) / 100,
    within: width,
    align: attrs.align,
    highest: drawing.pageHeight * 0.9,
    gap,
  });

interface Written {
  size: number;
  isBold: boolean;
}

const runsOf = (inlines: readonly DocumentInline[], written: Written): Run[] =>
  inlines.length === 0 ? [{ ...plain(written), text: "" }] : inlines.map((inline) => runOf(inline, written));

const plain = ({ size, isBold }: Written): Style => ({ face: isBold ? "bold" : "normal", size, color: INK });

function runOf(inline: DocumentInline, written: Written): Run {
  if (inline.type === "hardBreak") return { ...plain(written), text: "\n" };
  const style = styleOf(inline.marks ?? [], written);
  if (inline.type === "text") return { ...style, text: inline.text };
  const said = saidOf(inline);
  return said === null
    ? { ...style, text: `[${fieldName(inline.attrs.path)}]`, color: MISSING }
    : { ...style, text: said };
}

function styleOf(marks: readonly { type: string; attrs?: { href: string } }[], { size, isBold }: Written): Style {
  const has = (type: string) => marks.some((mark) => mark.type === type);
  const href = marks.find((mark) => mark.attrs !== undefined)?.attrs?.href;
  return {
    face: has("code") ? "mono" : faceOf(isBold || has("bold"), has("italic")),
    size,
    color: href === undefined ? INK : LINK,
    ...(has("underline") && { isUnderlined: true }),
    ...(has("strike") && { isStruck: true }),
    ...(href !== undefined && { href }),
  };
}

function faceOf(isBold: boolean, isItalic: boolean): Face {
  if (isBold) return isItalic ? "bolditalic" : "bold";
  return isItalic ? "italic" : "normal";
}
