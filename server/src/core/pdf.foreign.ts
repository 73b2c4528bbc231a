// A page of A4 that text flows down: for letters, records and documents. Fonts are embedded, so that every name can be
// written.
import { createHash } from "node:crypto";
import { jsPDF } from "jspdf";
import { foreignWork, TooMuch } from "./foreign-work.ts";
import { contentSlices } from "./pdf-content.ts";
import { type PdfDocument, pdfDocumentSchema, type PdfDrawn, type PdfPart } from "./pdf-document.ts";
import { flowDown, type Slice, spaceOf } from "./pdf-flow.ts";
import { openFonts } from "./pdf-fonts.ts";
import { drawLogo } from "./pdf-images.ts";
import { rowSlice } from "./pdf-rows.ts";
import { type Drawing, textSlices } from "./pdf-text.ts";

const PAGES_MAX = 300;
const MM = 72 / 25.4;
const WIDTH = 210 * MM;
const HEIGHT = 297 * MM;
const MARGIN = 22 * MM;
const FOOT = 14 * MM;
const HEAD = 15 * MM;
const LABEL_WIDTH = 48 * MM;
const NUMBER_WIDTH = 26 * MM;
const LOGO_BOX = { top: 9 * MM, width: 52 * MM, height: 13 * MM };
const BODY_WIDTH = WIDTH - 2 * MARGIN;
const HAND_WIDTH = 70 * MM;
const HAND_HEIGHT = 24 * MM;

const BLACK = [0, 0, 0] as const;
const QUIET = [95, 107, 105] as const;
const FAINT = [236, 239, 239] as const;
const WATERMARK_SIZE = 62;
const WATERMARK_ANGLE = 52;

/** The finished document; throws TooMuch for one that nobody would print. */
export const work = foreignWork<PdfDocument, PdfDrawn>(pdfDocumentSchema, (document) => {
  const pdf = emptyPdf(document);
  const fonts = openFonts(pdf);
  const drawing = { pdf, fonts };
  pdf.setProperties({ title: fonts.written(document.title, "normal") });
  beginPage(drawing, document);
  const top = document.head ? MARGIN + 4 * MM : MARGIN;
  const slices = slicesOf(drawing, document, HEIGHT - MARGIN - top);
  flowDown(
    {
      left: MARGIN,
      top,
      bottom: HEIGHT - MARGIN,
      next() {
        if (pdf.getNumberOfPages() === PAGES_MAX) throw new TooMuch(`more than ${PAGES_MAX} pages`);
        pdf.addPage();
        beginPage(drawing, document);
      },
    },
    slices,
  );
  numberPages(drawing, document.footer);
  const bytes = new Uint8Array(pdf.output("arraybuffer"));
  return { bytes, pages: pdf.getNumberOfPages(), unwritten: fonts.unwritten() };
});

function emptyPdf(document: PdfDocument): jsPDF {
  const pdf = new jsPDF({ unit: "pt", format: "a4", putOnlyUsedFonts: true, compress: true });
  if (document.madeAt) {
    const { images, ...said } = document;
    const id = createHash("sha256").update(JSON.stringify([said, [...(images ?? new Map()).keys()]]));
    pdf.setCreationDate(document.madeAt).setFileId(id.digest("hex").slice(0, 32).toUpperCase());
  }
  return pdf;
}

/** Behind all that is written on it later. */
function beginPage(drawing: Drawing, { watermark, head, images }: PdfDocument): void {
  if (watermark) drawWatermark(drawing, watermark);
  if (!head) return;
  const logo = head.logo === undefined ? undefined : images?.get(head.logo);
  const wide = logo ? drawLogo(drawing, logo, { left: MARGIN, ...LOGO_BOX }) : 0;
  const line = (text: string, align: "left" | "right", indent: number) =>
    drawOnce(drawing, {
      text,
      align,
      bold: align === "right",
      left: MARGIN + indent,
      top: HEAD,
      width: BODY_WIDTH - indent,
    });
  line(head.name, "left", wide && wide + 3 * MM);
  line(head.mark, "right", 0);
}

function drawWatermark({ pdf, fonts }: Drawing, watermark: string): void {
  const text = fonts.written(watermark, "bold");
  const width = fonts.width(text, "bold", WATERMARK_SIZE);
  const radians = (WATERMARK_ANGLE * Math.PI) / 180;
  fonts.use("bold", WATERMARK_SIZE);
  const x = WIDTH / 2 - (Math.cos(radians) * width) / 2 + (Math.sin(radians) * WATERMARK_SIZE) / 3;
  const y = HEIGHT / 2 + (Math.sin(radians) * width) / 2 + (Math.cos(radians) * WATERMARK_SIZE) / 3;
  pdf.setTextColor(...FAINT).text(text, x, y, { angle: WATERMARK_ANGLE });
}

interface Once {
  text: string;
  align: "left" | "right";
  bold?: boolean;
  left: number;
  top: number;
  width: number;
}

/** A line or two at a place of its own. */
function drawOnce(drawing: Drawing, { text, align, bold = false, left, top, width }: Once): void {
  const runs = [{ text, face: bold ? ("bold" as const) : ("normal" as const), size: 8, color: QUIET }];
  let at = top;
  for (const line of textSlices(drawing, { runs, width, gap: 0, align })) {
    line.draw({ left, top: at });
    at += line.height;
  }
}

function numberPages(drawing: Drawing, footer: string): void {
  const { pdf } = drawing;
  const pages = pdf.getNumberOfPages();
  const top = HEIGHT - FOOT - 8;
  for (let page = 1; page <= pages; page += 1) {
    pdf.setPage(page);
    drawOnce(drawing, { text: footer, align: "left", left: MARGIN, top, width: BODY_WIDTH - NUMBER_WIDTH });
    const left = WIDTH - MARGIN - NUMBER_WIDTH;
    drawOnce(drawing, { text: `Page ${page} of ${pages}`, align: "right", left, top, width: NUMBER_WIDTH });
  }
}

function slicesOf(drawing: Drawing, { parts, images = new Map() }: PdfDocument, pageHeight: number): Slice[] {
  const outline = outlineOf(drawing.pdf);
  return parts.flatMap((part, index) => {
    if (part.kind === "content")
      return contentSlices({ ...drawing, images, pageHeight, outline }, part.content.content, BODY_WIDTH);
    return partSlices(drawing, part, index);
  });
}

type OutlineItem = ReturnType<jsPDF["outline"]["add"]>;

/** Adds a heading under the last one that is above it. */
function outlineOf(pdf: jsPDF): (title: string, level: number) => void {
  const above: { level: number; item: OutlineItem }[] = [];
  return (title, level) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const { pageNumber } = pdf.getCurrentPageInfo();
    above.push({
      level,
      item: pdf.outline.add(above.at(-1)?.item ?? null, title.replaceAll("\n", " "), { pageNumber }),
    });
  };
}

function partSlices(drawing: Drawing, part: Exclude<PdfPart, { kind: "content" }>, index: number): Slice[] {
  const text = (words: string, size: number, face: "normal" | "bold", gap = 0) =>
    textSlices(drawing, { runs: [{ text: words, face, size, color: BLACK }], width: BODY_WIDTH, gap });
  switch (part.kind) {
    case "title":
      return [...text(part.text, 18, "bold"), spaceOf(4 * MM)];
    case "heading":
      return [
        ...kept(text(part.text, 12, "bold", index === 0 ? 0 : 5 * MM)),
        underline(drawing),
        ...kept([spaceOf(3 * MM)]),
      ];
    case "paragraph":
      return [...text(part.text, 10, "normal"), spaceOf(2 * MM)];
    case "fact":
      return [factRow(drawing, part), spaceOf(MM)];
    case "gap":
      return [spaceOf(part.mm * MM)];
    case "drawing":
      return [drawnByHand(drawing, part.strokes)];
  }
}

const kept = (slices: readonly Slice[]): Slice[] => slices.map((slice) => ({ ...slice, isKeptWithNext: true }));

const underline = ({ pdf }: Drawing): Slice => ({
  gap: 0,
  height: MM,
  isKeptWithNext: true,
  draw({ left, top }) {
    pdf.setDrawColor(200, 208, 207).setLineWidth(0.2 * MM);
    pdf.line(left, top + MM, left + BODY_WIDTH, top + MM);
  },
});

function drawnByHand({ pdf }: Drawing, strokes: readonly (readonly number[])[]): Slice {
  const drawn = (thousandths: number): number => (thousandths / 1000) * HAND_WIDTH;
  return {
    gap: 0,
    height: HAND_HEIGHT,
    isKeptWithNext: true,
    draw({ left, top }) {
      pdf.setDrawColor(20, 30, 60).setLineWidth(0.4 * MM);
      for (const points of strokes)
        for (let index = 2; index + 1 < points.length; index += 2) {
          const [fromX = 0, fromY = 0, x = 0, y = 0] = points.slice(index - 2, index + 2).map(drawn);
          pdf.line(left + fromX, top + fromY, left + x, top + y);
        }
    },
  };
}

function factRow(drawing: Drawing, { label, value }: { label: string; value: string }): Slice {
  const cell = (text: string, face: "normal" | "bold", left: number, width: number) => ({
    slices: textSlices(drawing, { runs: [{ text, face, size: 10, color: BLACK }], width, gap: 0 }),
    left,
    width,
    padding: 0,
  });
  return rowSlice({
    cells: [
      cell(label, "normal", 0, LABEL_WIDTH - 2 * MM),
      cell(value || "Not recorded", "bold", LABEL_WIDTH, BODY_WIDTH - LABEL_WIDTH),
    ],
    gap: 0,
  });
}
