import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useState } from "react";

const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
const POINTS_TO_PIXELS = 96 / 72;
/** Beside the pages, on both sides. */
const MARGIN = 16;
/** Wider than this, lines are hard to follow. */
const FIT_MAX = 1000;

export interface PdfZoom {
  /** Of each page on the screen, in CSS pixels; 0 as long as that is not known. */
  width: number;
  /** "Fit width", or "125 %". */
  label: string;
  isFit: boolean;
  fit: () => void;
  /** Null where it cannot go further. */
  zoomIn: (() => void) | null;
  zoomOut: (() => void) | null;
}

/** How large pages are: as wide as there is room, or by a factor of their own size. */
export function usePdfZoom(pdf: PDFDocumentProxy | null, room: number): PdfZoom {
  const [factor, setFactor] = useState<number | null>(null);
  const [own, setOwn] = useState(0);
  useEffect(() => {
    if (!pdf) return;
    let isGone = false;
    void pdf.getPage(1).then(
      (page) => !isGone && setOwn(page.getViewport({ scale: POINTS_TO_PIXELS }).width),
      // The pages themselves say what is wrong with them.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [pdf]);
  const fitted = Math.max(0, Math.min(room - 2 * MARGIN, FIT_MAX));
  const shown = factor ?? (own > 0 ? fitted / own : 1);
  const larger = STEPS.find((step) => step > shown + 0.01);
  const smaller = STEPS.findLast((step) => step < shown - 0.01);
  return {
    width: room === 0 || own === 0 ? 0 : Math.round(factor === null ? fitted : factor * own),
    label: factor === null ? "Fit width" : `${Math.round(factor * 100)} %`,
    isFit: factor === null,
    fit: () => setFactor(null),
    zoomIn: larger === undefined ? null : () => setFactor(larger),
    zoomOut: smaller === undefined ? null : () => setFactor(smaller),
  };
}
