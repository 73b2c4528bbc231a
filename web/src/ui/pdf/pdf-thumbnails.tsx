import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef } from "react";
import { drawPicture } from "./pdf-page.tsx";
import { useSeen } from "./use-seen.ts";

const WIDTH = 100;

interface Props {
  pdf: PDFDocumentProxy;
  current: number;
  onPage: (number: number) => void;
}

/** All pages in small, each a way to it. */
export const PdfThumbnails = ({ pdf, current, onPage }: Props) => (
  <nav className="pdf-overview" aria-label="Pages in small">
    {Array.from({ length: pdf.numPages }, (_, at) => (
      <Thumbnail key={at} pdf={pdf} number={at + 1} isCurrent={current === at + 1} onPage={onPage} />
    ))}
  </nav>
);

interface ThumbnailProps extends Pick<Props, "pdf" | "onPage"> {
  number: number;
  isCurrent: boolean;
}

function Thumbnail({ pdf, number, isCurrent, onPage }: ThumbnailProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, place] = useSeen<HTMLButtonElement>("300px");
  useEffect(() => {
    if (!isNear) return;
    const drawing = new AbortController();
    const draw = async () => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (drawing.signal.aborted || !target) return;
      await drawPicture(page, target, { width: WIDTH, signal: drawing.signal });
    };
    void draw().catch((error: unknown) => {
      if (!drawing.signal.aborted) throw error;
    });
    return () => drawing.abort();
  }, [isNear, pdf, number]);
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent, place]);
  return (
    <button
      ref={place}
      type="button"
      aria-label={`Page ${number}`}
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onPage(number)}
    >
      <canvas ref={canvas} aria-hidden />
      <span aria-hidden>{number}</span>
    </button>
  );
}
