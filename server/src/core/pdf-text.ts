// Words on a page: a paragraph is a slice for each of its lines, of which none is left alone where a page ends.
import type { jsPDF } from "jspdf";
import type { Slice } from "./pdf-flow.ts";
import type { Fonts } from "./pdf-fonts.ts";
import { breakLines, type Line, type Piece, type Run, type Style } from "./pdf-lines.ts";

/** Of the size of the letters: how high a line is, and where in it they stand. */
const LINE_HEIGHT = 1.417;
const BASELINE = 0.8;

export type Alignment = "left" | "center" | "right" | "justify";

export interface Paragraph {
  runs: readonly Run[];
  width: number;
  gap: number;
  align?: Alignment;
  isKeptWithNext?: boolean;
  /** Is done where its first line is drawn. */
  onBegin?: () => void;
}

export interface Drawing {
  pdf: jsPDF;
  fonts: Fonts;
}

/** The slices of a paragraph, each a line. */
export function textSlices(drawing: Drawing, paragraph: Paragraph): Slice[] {
  const { fonts } = drawing;
  const { runs, width, gap, align = "left", isKeptWithNext = false, onBegin } = paragraph;
  const written = runs.map((run) => ({ ...run, text: fonts.written(run.text, run.face) }));
  const lines = breakLines(written, width, fonts.width);
  return lines.map((line, index) => {
    const isSecond = index === 0 && lines.length > 1;
    const isLastButOne = index === lines.length - 2;
    return {
      gap: index === 0 ? gap : 0,
      height: line.size * LINE_HEIGHT,
      isKeptWithNext: isKeptWithNext || isSecond || isLastButOne,
      draw({ left, top }) {
        if (index === 0) onBegin?.();
        drawLine(drawing, line, { left, width, align, baseline: top + line.size * LINE_HEIGHT * BASELINE });
      },
    };
  });
}

interface LinePlace {
  left: number;
  baseline: number;
  width: number;
  align: Alignment;
}

function drawLine(drawing: Drawing, line: Line, { left, baseline, width, align }: LinePlace): void {
  const free = width - line.width;
  const spaces = line.pieces.filter(({ isSpace }) => isSpace).length;
  const isSpread = align === "justify" && !line.isLast && spaces > 0;
  let x = left + (align === "center" ? free / 2 : align === "right" ? free : 0);
  for (const piece of isSpread ? line.pieces : joined(line.pieces)) {
    const extra = isSpread && piece.isSpace ? free / spaces : 0;
    drawPiece(drawing, piece, { x, baseline, width: piece.width + extra });
    x += piece.width + extra;
  }
}

/** Those that follow each other in one style as one: a reader selects them as one, and fewer are drawn faster. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && isSameStyle(last.style, piece.style))
      all[all.length - 1] = {
        ...last,
        text: last.text + piece.text,
        width: last.width + piece.width,
        isSpace: last.isSpace && piece.isSpace,
      };
    else all.push(piece);
  }
  return all;
}

const isSameStyle = (one: Style, other: Style): boolean =>
  one.face === other.face &&
  one.size === other.size &&
  one.href === other.href &&
  one.isUnderlined === other.isUnderlined &&
  one.isStruck === other.isStruck &&
  one.color.join() === other.color.join();

interface PiecePlace {
  x: number;
  baseline: number;
  width: number;
}

function drawPiece({ pdf, fonts }: Drawing, { text, style }: Piece, { x, baseline, width }: PiecePlace): void {
  const { face, size, color, href } = style;
  fonts.use(face, size);
  pdf.setTextColor(...color).text(text.replaceAll("\t", " "), x, baseline);
  const strike = (at: number) => {
    pdf.setDrawColor(...color).setLineWidth(size / 18);
    pdf.line(x, at, x + width, at);
  };
  if (style.isUnderlined || href) strike(baseline + size * 0.12);
  if (style.isStruck) strike(baseline - size * 0.28);
  if (href) pdf.link(x, baseline - size, width, size * 1.3, { url: href });
}
