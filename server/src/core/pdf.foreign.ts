// A page of A4 that text flows down: for letters and records. Fonts are embedded, so that every name can be written.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { jsPDF } from "jspdf";
import { foreignWork, TooMuch } from "./foreign-work.ts";
import { type PdfDocument, pdfDocumentSchema, type PdfPart } from "./pdf-document.ts";

const PAGES_MAX = 300;
const MARGIN_MM = 22;
const PAGE_WIDTH_MM = 210;
const PAGE_HEIGHT_MM = 297;
const FOOTER_MM = 14;
const LINE_FACTOR = 0.5;
const LABEL_WIDTH_MM = 48;
const DRAWING_WIDTH_MM = 70;
const DRAWING_HEIGHT_MM = 24;

const drawn = (thousandths: number): number => (thousandths / 1000) * DRAWING_WIDTH_MM;

const FACES = { normal: "DejaVuSans.ttf", bold: "DejaVuSans-Bold.ttf" } as const;
const FONT = "DejaVu";
const resolve = createRequire(import.meta.url).resolve;
const faces = new Map<string, string>();

function faceOf(file: string): string {
  const known = faces.get(file);
  if (known) return known;
  const bytes = readFileSync(resolve(`dejavu-fonts-ttf/ttf/${file}`)).toString("base64");
  faces.set(file, bytes);
  return bytes;
}

/** The finished document; throws TooMuch for one that nobody would print. */
export const work = foreignWork(pdfDocumentSchema, ({ title, footer, parts }: PdfDocument): Uint8Array => {
  const page = openPdf(title);
  for (const part of parts) draw(page, part);
  return page.bytes(footer);
});

function draw(page: ReturnType<typeof openPdf>, part: PdfPart): void {
  switch (part.kind) {
    case "title":
    case "heading":
    case "paragraph":
      return page[part.kind](part.text);
    case "fact":
      return page.fact(part.label, part.value);
    case "gap":
      return page.gap(part.mm);
    case "drawing":
      return page.drawing(part.strokes);
    default:
      part satisfies never;
  }
}

// What a PDF reader would take for a command, or a font has no sign for, has no place in a text.
const printable = (text: string): string => text.replace(/[^\P{C}\n]/gu, "");

function emptyPdf(title: string): jsPDF {
  const pdf = new jsPDF({ unit: "mm", format: "a4", putOnlyUsedFonts: true, compress: true });
  for (const [style, file] of Object.entries(FACES)) {
    pdf.addFileToVFS(file, faceOf(file));
    pdf.addFont(file, FONT, style);
  }
  return pdf.setProperties({ title: printable(title) });
}

function numberPages(pdf: jsPDF, footer: string): void {
  const pages = pdf.getNumberOfPages();
  for (let page = 1; page <= pages; page += 1) {
    pdf.setPage(page).setFont(FONT, "normal").setFontSize(8).setTextColor(95, 107, 105);
    pdf.text(printable(footer), MARGIN_MM, PAGE_HEIGHT_MM - FOOTER_MM);
    pdf.text(`Page ${page} of ${pages}`, PAGE_WIDTH_MM - MARGIN_MM, PAGE_HEIGHT_MM - FOOTER_MM, { align: "right" });
  }
}

function openPdf(title: string) {
  const pdf = emptyPdf(title);
  let top = MARGIN_MM;

  /** Whether what comes next begins a page. */
  function makeRoom(height: number): boolean {
    if (top + height <= PAGE_HEIGHT_MM - MARGIN_MM) return false;
    if (pdf.getNumberOfPages() === PAGES_MAX) throw new TooMuch(`more than ${PAGES_MAX} pages`);
    pdf.addPage();
    top = MARGIN_MM;
    return true;
  }

  function write(text: string, size: number, style: keyof typeof FACES, left = MARGIN_MM, width?: number): void {
    pdf.setFont(FONT, style).setFontSize(size);
    const lines: string[] = pdf.splitTextToSize(printable(text), width ?? PAGE_WIDTH_MM - MARGIN_MM - left);
    for (const line of lines) {
      const height = size * LINE_FACTOR;
      if (makeRoom(height)) pdf.setFont(FONT, style).setFontSize(size);
      pdf.text(line, left, top + height * 0.8);
      top += height;
    }
  }

  return {
    title(text: string) {
      write(text, 18, "bold");
      top += 4;
    },
    heading(text: string) {
      top += 5;
      write(text, 12, "bold");
      pdf.setDrawColor(200, 208, 207).line(MARGIN_MM, top + 1, PAGE_WIDTH_MM - MARGIN_MM, top + 1);
      top += 4;
    },
    paragraph(text: string) {
      write(text, 10, "normal");
      top += 2;
    },
    fact(label: string, value: string) {
      const at = top;
      write(label, 10, "normal", MARGIN_MM, LABEL_WIDTH_MM - 2);
      const labelEnd = top;
      if (labelEnd >= at) top = at;
      write(value || "Not recorded", 10, "bold", MARGIN_MM + LABEL_WIDTH_MM);
      top = Math.max(top, labelEnd) + 1;
    },
    gap(mm: number) {
      top += mm;
    },
    drawing(strokes: number[][]) {
      makeRoom(DRAWING_HEIGHT_MM);
      pdf.setDrawColor(20, 30, 60).setLineWidth(0.4);
      for (const [x = 0, y = 0, ...rest] of strokes) {
        let at = { x, y };
        for (let index = 0; index + 1 < rest.length; index += 2) {
          const next = { x: rest[index] ?? 0, y: rest[index + 1] ?? 0 };
          pdf.line(drawn(at.x) + MARGIN_MM, drawn(at.y) + top, drawn(next.x) + MARGIN_MM, drawn(next.y) + top);
          at = next;
        }
      }
      top += DRAWING_HEIGHT_MM;
    },
    bytes(footer: string): Uint8Array {
      numberPages(pdf, footer);
      return new Uint8Array(pdf.output("arraybuffer"));
    },
  };
}
