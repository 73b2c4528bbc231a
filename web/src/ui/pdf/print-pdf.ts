import type { PDFDocumentProxy } from "pdfjs-dist";
import { drawPicture } from "./pdf-page.tsx";
import "./print-pdf.css";

/** More is printed from the file itself: the pictures of so many pages take too much memory. */
export const PRINTED_PAGES_MAX = 100;
const A4_AT_150_DPI = 1240;

/** Draws each page as a picture and asks the browser to print them, and nothing else of the screen. */
export async function printPdf(pdf: PDFDocumentProxy): Promise<void> {
  const pages = document.createElement("div");
  pages.className = "pdf-print";
  const { signal } = new AbortController();
  try {
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const canvas = document.createElement("canvas");
      await drawPicture(await pdf.getPage(number), canvas, { width: A4_AT_150_DPI / window.devicePixelRatio, signal });
      pages.append(canvas);
    }
    document.body.append(pages);
    // It goes on once the person has printed, or decided not to.
    window.print();
  } finally {
    pages.remove();
  }
}
