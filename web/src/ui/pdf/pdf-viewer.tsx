import { useElementSize } from "@mantine/hooks";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { type ReactNode, type RefObject, useCallback, useRef, useState } from "react";
import { useIsPhone } from "../use-is-phone.ts";
import { PdfFinder } from "./pdf-finder.tsx";
import { PdfPage } from "./pdf-page.tsx";
import { PdfThumbnails } from "./pdf-thumbnails.tsx";
import { PdfToolbar } from "./pdf-toolbar.tsx";
import { type PdfFind, usePdfFind } from "./use-pdf-find.ts";
import { usePdf } from "./use-pdf.ts";
import { usePdfZoom } from "./use-pdf-zoom.ts";
import "./pdf-viewer.css";

interface Props {
  address: string;
  name: string;
  /** What is known of it, beside its pages. */
  children?: ReactNode;
}

/** A PDF with all that one needs to find the way in it: pages in small, words, zoom, print. */
export function PdfViewer({ address, name, children }: Props) {
  const { pdf, failure } = usePdf(address);
  const isPhone = useIsPhone();
  const [isOverview, setIsOverview] = useState(!isPhone);
  const [isFinding, setIsFinding] = useState(false);
  const { desk, current, goTo, onScroll } = usePlace(pdf);
  const { ref, width } = useElementSize();
  const zoom = usePdfZoom(pdf, width);
  const find = usePdfFind(pdf, goTo);
  if (failure)
    return <p className="pdf-failure">This PDF cannot be shown here ({failure}). Download it and open it there.</p>;
  const close = () => {
    find.setText("");
    setIsFinding(false);
    desk.current?.focus();
  };
  return (
    <div
      className="pdf-viewer"
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "f" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        setIsFinding(true);
      }}
    >
      <PdfToolbar
        pdf={pdf}
        address={address}
        name={name}
        current={current}
        onPage={goTo}
        zoom={zoom}
        isOverview={isOverview}
        onOverview={() => setIsOverview(!isOverview)}
        isFinding={isFinding}
        onFinding={() => (isFinding ? close() : setIsFinding(true))}
      />
      {isFinding && <PdfFinder find={find} onClose={close} />}
      <div className="pdf-panes">
        {isOverview && pdf && <PdfThumbnails pdf={pdf} current={current} onPage={goTo} />}
        <div
          ref={desk}
          className="pdf-desk"
          role="document"
          tabIndex={0}
          data-autofocus
          aria-label={`Pages of ${name}`}
          aria-busy={pdf === null}
          onScroll={onScroll}
        >
          <div ref={ref} className="pdf-measure" />
          {pdf && zoom.width > 0 && <Pages pdf={pdf} width={zoom.width} onText={find.onText} />}
        </div>
        {children && <aside className="pdf-aside">{children}</aside>}
      </div>
    </div>
  );
}

interface PagesProps {
  pdf: PDFDocumentProxy;
  width: number;
  onText: PdfFind["onText"];
}

const Pages = ({ pdf, width, onText }: PagesProps) =>
  Array.from({ length: pdf.numPages }, (_, at) => (
    <PdfPage key={at} pdf={pdf} number={at + 1} width={width} onText={onText} />
  ));

/** Which page is looked at, and how to get to another. */
function usePlace(pdf: PDFDocumentProxy | null) {
  const desk = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(1);
  const goTo = useCallback((number: number) => {
    const page = pageIn(desk, number);
    if (desk.current && page) desk.current.scrollTop = page.offsetTop - desk.current.offsetTop - GAP;
  }, []);
  const onScroll = () => {
    const place = desk.current;
    if (!place || !pdf) return;
    const line = place.scrollTop + place.clientHeight / 3;
    let number = 1;
    while (number < pdf.numPages && (pageIn(desk, number + 1)?.offsetTop ?? Infinity) - place.offsetTop <= line)
      number += 1;
    setCurrent(number);
  };
  return { desk, current, goTo, onScroll };
}

const GAP = 12;

const pageIn = (desk: RefObject<HTMLDivElement | null>, number: number): HTMLElement | null =>
  desk.current?.querySelector<HTMLElement>(`[data-page="${number}"]`) ?? null;
