import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";

GlobalWorkerOptions.workerSrc = workerAddress;

const SCALE = 1.4;
const PAGES_MAX = 50;

/** The pages of a PDF as pictures: nothing in it can run. */
export function PdfView({ address }: { address: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const task = getDocument({ url: address, enableXfa: false });
    const show = async () => {
      try {
        await draw(await task.promise, box.current);
      } catch (error) {
        if (!task.destroyed) setFailure(error instanceof Error ? error.message : String(error));
      }
    };
    void show();
    return () => void task.destroy();
  }, [address]);
  if (failure) return <p>This PDF cannot be shown here ({failure}). Download it instead.</p>;
  return <div ref={box} className="pdf-view" role="document" tabIndex={0} aria-label="Pages" />;
}

async function draw(pdf: PDFDocumentProxy, box: HTMLDivElement | null): Promise<void> {
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX); number += 1) {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: SCALE });
    const canvas = document.createElement("canvas");
    canvas.width = viewport.width;
    canvas.height = viewport.height;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Page ${number} of ${pdf.numPages}`);
    box?.append(canvas);
    await page.render({ canvas, viewport }).promise;
  }
}
