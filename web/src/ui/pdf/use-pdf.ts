import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useState } from "react";

GlobalWorkerOptions.workerSrc = workerAddress;

/** Opens a PDF of our own; `failure` says why it cannot be shown. */
export function usePdf(address: string): { pdf: PDFDocumentProxy | null; failure: string } {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const task = getDocument({ url: address, enableXfa: false });
    task.promise.then(setPdf, (error: unknown) => {
      if (!task.destroyed) setFailure(error instanceof Error ? error.message : String(error));
    });
    return () => void task.destroy();
  }, [address]);
  return { pdf, failure };
}
