import { type PageViewport, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from "pdfjs-dist";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useSeen } from "./use-seen.ts";
import "./pdf-page.css";

/** As sharp as the screen is, but an old phone has little memory. */
const DENSITY_MAX = 2;
/** Of one page, however far it is zoomed: more than that some browsers draw as nothing. */
const PIXELS_MAX = 16_000_000;
const A4 = 1 / Math.SQRT2;

/** The words of a page as they lie over its picture, one element for each piece of text. */
export type TextPieces = readonly HTMLElement[];

interface Props {
  pdf: PDFDocumentProxy;
  number: number;
  /** Of the page on the screen, in CSS pixels. */
  width: number;
  onDrawn?: ((number: number) => void) | undefined;
  onText?: ((number: number, pieces: TextPieces) => void) | undefined;
}

/** One page as a picture, drawn as it comes near, with its words over it: they can be selected, and read out. */
export function PdfPage({ pdf, number, width, onDrawn, onText }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ ratio: A4, points: 0 });
  const [isNear, place] = useSeen<HTMLDivElement>("800px");
  useEffect(() => {
    if (!isNear || width === 0) return;
    const drawing = new AbortController();
    const draw = async () => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (drawing.signal.aborted || !target) return;
      const { width: points, height } = page.getViewport({ scale: 1 });
      setSize({ ratio: points / height, points });
      await drawPicture(page, target, { width, signal: drawing.signal });
      onDrawn?.(number);
    };
    // A page that is taken away while it is drawn is not missed.
    void draw().catch((error: unknown) => {
      if (!drawing.signal.aborted) throw error;
    });
    return () => drawing.abort();
  }, [isNear, pdf, number, width, onDrawn]);
  useText({ pdf, number, words, isNear, onText });
  useLayoutEffect(() => {
    if (size.points > 0) place.current?.style.setProperty("--total-scale-factor", String(width / size.points));
  }, [place, size, width]);
  return (
    <div
      ref={place}
      className="pdf-page"
      data-page={number}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
      style={{ width, aspectRatio: size.ratio }}
    >
      <canvas ref={canvas} aria-hidden />
      <div ref={words} className="pdf-words" />
    </div>
  );
}

interface Drawing {
  width: number;
  signal: AbortSignal;
}

/** Draws a page on a canvas that is this wide on the screen. */
export async function drawPicture(page: PDFPageProxy, target: HTMLCanvasElement, { width, signal }: Drawing) {
  const { width: points, height } = page.getViewport({ scale: 1 });
  const wanted = (width * Math.min(window.devicePixelRatio, DENSITY_MAX)) / points;
  const viewport: PageViewport = page.getViewport({
    scale: Math.min(wanted, Math.sqrt(PIXELS_MAX / (points * height))),
  });
  target.width = viewport.width;
  target.height = viewport.height;
  const task = page.render({ canvas: target, viewport });
  signal.addEventListener("abort", () => task.cancel());
  await task.promise;
}

interface Text extends Pick<Props, "pdf" | "number" | "onText"> {
  words: RefObject<HTMLDivElement | null>;
  isNear: boolean;
}

/** The words grow with the page by its scale: they are laid once. */
function useText({ pdf, number, words, isNear, onText }: Text): void {
  useEffect(() => {
    const container = words.current;
    if (!isNear || !container) return;
    let layer: TextLayer | undefined;
    let isGone = false;
    const lay = async () => {
      const page = await pdf.getPage(number);
      const textContentSource = await page.getTextContent();
      if (isGone) return;
      layer = new TextLayer({ textContentSource, container, viewport: page.getViewport({ scale: 1 }) });
      await layer.render();
      onText?.(number, layer.textDivs);
    };
    void lay().catch((error: unknown) => {
      if (!isGone) throw error;
    });
    return () => {
      isGone = true;
      layer?.cancel();
      container.replaceChildren();
    };
  }, [pdf, number, words, isNear, onText]);
}
