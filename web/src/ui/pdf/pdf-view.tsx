import { useElementSize } from "@mantine/hooks";
import { useCallback, useEffect, useState } from "react";
import { PdfPage } from "./pdf-page.tsx";
import { usePdf } from "./use-pdf.ts";
import { useSeen } from "./use-seen.ts";
import "./pdf-view.css";

const WIDTH_MAX = 900;

interface Props {
  address: string;
  /** Called when the end of the last page was on the screen. */
  onEnd?: () => void;
}

/** The pages of a PDF one below the other, and nothing else: nothing in it can run. */
export function PdfView({ address, onEnd }: Props) {
  const { pdf, failure } = usePdf(address);
  const { ref, width } = useElementSize();
  const pages = pdf?.numPages ?? 0;
  // Before it is drawn nobody can have read it.
  const [isLastDrawn, setIsLastDrawn] = useState(false);
  const drawn = useCallback((number: number) => setIsLastDrawn((was) => was || number === pages), [pages]);
  if (failure) return <p>This PDF cannot be shown here ({failure}). Download it instead.</p>;
  return (
    <div ref={ref} className="pdf-view" role="document" tabIndex={0} aria-label="Pages" aria-busy={pdf === null}>
      {pdf &&
        Array.from({ length: pages }, (_, at) => (
          <PdfPage key={at} pdf={pdf} number={at + 1} width={Math.min(width, WIDTH_MAX)} onDrawn={drawn} />
        ))}
      {isLastDrawn && onEnd && <End onEnd={onEnd} />}
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
