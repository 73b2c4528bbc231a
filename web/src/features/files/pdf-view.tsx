import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSeen } from "./use-seen.ts";
import "./pdf-view.css";

GlobalWorkerOptions.workerSrc = workerAddress;

/** As sharp as the screen is, but an old phone has little memory. */
const DENSITY_MAX = 2;
const A4 = 1 / Math.SQRT2;

interface Props {
  address: string;
  /** Called when the end of the last page was on the screen. */
  onEnd?: () => void;
}

/** The pages of a PDF as pictures, drawn as they come near: nothing in it can run. */
export function PdfView({ address, onEnd }: Props) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [failure, setFailure] = useState("");
  // Before it is drawn nobody can have read it.
  const [isLastDrawn, setIsLastDrawn] = useState(false);
  const lastDrawn = useCallback(() => setIsLastDrawn(true), []);
  useEffect(() => {
    const task = getDocument({ url: address, enableXfa: false });
    task.promise.then(setPdf, (error: unknown) => {
      if (!task.destroyed) setFailure(error instanceof Error ? error.message : String(error));
    });
    return () => void task.destroy();
  }, [address]);
  if (failure) return <p>This PDF cannot be shown here ({failure}). Download it instead.</p>;
  return (
    <div className="pdf-view" role="document" tabIndex={0} aria-label="Pages" aria-busy={pdf === null}>
      {pdf &&
        Array.from({ length: pdf.numPages }, (_, at) => (
          <Page key={at} pdf={pdf} number={at + 1} onDrawn={at + 1 === pdf.numPages ? lastDrawn : undefined} />
        ))}
      {isLastDrawn && onEnd && <End onEnd={onEnd} />}
    </div>
  );
}

interface PageProps {
  pdf: PDFDocumentProxy;
  number: number;
  onDrawn: (() => void) | undefined;
}

function Page({ pdf, number, onDrawn }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ratio, setRatio] = useState(A4);
  const [isNear, place] = useSeen<HTMLDivElement>("800px");
  useEffect(() => {
    if (!isNear) return;
    let isGone = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      const target = canvas.current;
      if (isGone || !target) return;
      const { width, height } = page.getViewport({ scale: 1 });
      setRatio(width / height);
      const pixels = target.clientWidth * Math.min(window.devicePixelRatio, DENSITY_MAX);
      const viewport = page.getViewport({ scale: Math.max(1, pixels) / width });
      target.width = viewport.width;
      target.height = viewport.height;
      await page.render({ canvas: target, viewport }).promise;
      onDrawn?.();
    };
    // A page that is taken away while it is drawn is not missed.
    void draw().catch((error: unknown) => {
      if (!isGone) throw error;
    });
    return () => {
      isGone = true;
    };
  }, [isNear, pdf, number, onDrawn]);
  return (
    <div ref={place} className="pdf-page" style={{ aspectRatio: ratio }}>
      <canvas ref={canvas} role="img" aria-label={`Page ${number} of ${pdf.numPages}`} />
    </div>
  );
}

function End({ onEnd }: { onEnd: () => void }) {
  const [isSeen, place] = useSeen<HTMLDivElement>("48px");
  useEffect(() => {
    if (isSeen) onEnd();
  }, [isSeen, onEnd]);
  return <div ref={place} className="pdf-end" />;
}
